import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { StoredPoint } from '../../../common/strategies/history.ts';
import type { Change } from './core/model.ts';
import { factsOf, priceOf, tokenOf } from './core/testing/core-scene.ts';
import { createPastFigures } from './past-figures.ts';

const point = (at: number): StoredPoint => ({ at, price: 1, high: 1, low: 1, liquidity: 2, holders: 3 });
const tokenChange = (address: string): Change => ({ type: 'token', token: tokenOf({ address }) });
const priceAt = (address: string, at: number): Change => ({ type: 'price', price: priceOf({ address, at }) });
const namesOf = (changes: readonly Change[]) => changes.map(({ type }) => type);

function tested() {
  const asked: string[][] = [];
  const results: (Map<string, StoredPoint[]> | Error)[] = [];
  let wake = () => {};
  const pasts = createPastFigures({
    async read(addresses) {
      asked.push([...addresses]);
      const result = results.shift() ?? new Map();
      if (result instanceof Error) throw result;
      wake();
      return result;
    },
    log: pino({ level: 'silent' }),
  });
  return { pasts, asked, results, read: () => new Promise<void>((resolve) => (wake = () => setImmediate(resolve))) };
}

test('changes of new tokens pass at once, those of known ones with their past before them', async () => {
  const { pasts, asked, results, read } = tested();
  results.push(new Map([['old', [point(10), point(20), point(90)]]]));
  const done = read();
  const first = pasts.take(
    [tokenChange('new'), priceAt('new', 50), tokenChange('old'), priceAt('old', 50)],
    new Set(['old']),
  );
  expect(first).toEqual([tokenChange('new'), priceAt('new', 50)]);
  expect(asked).toEqual([['old']]);
  await done;
  const second = pasts.take([priceAt('old', 60), priceAt('new', 60)], new Set());
  expect(namesOf(second)).toEqual(['token', 'history', 'price', 'price', 'price']);
  expect(second[1]).toEqual({ type: 'history', address: 'old', points: [point(10), point(20)] });
  expect(pasts.take([priceAt('old', 70)], new Set())).toEqual([priceAt('old', 70)]);
});

test('a token that is gone meanwhile has no past, and one that was dropped neither', async () => {
  const { pasts, read } = tested();
  const done = read();
  pasts.take([tokenChange('one'), priceAt('one', 1)], new Set(['one']));
  expect(pasts.take([{ type: 'gone', address: 'one' }], new Set())).toEqual([{ type: 'gone', address: 'one' }]);
  await done;
  expect(pasts.take([], new Set())).toEqual([]);
  const again = read();
  pasts.take([tokenChange('two')], new Set(['two']));
  pasts.clear();
  await again;
  expect(pasts.take([], new Set())).toEqual([]);
});

test('a failed read is repeated, and no more changes wait than allowed', async () => {
  const { pasts, asked, results, read } = tested();
  results.push(new Error('away'));
  const done = read();
  pasts.take([tokenChange('one'), { type: 'facts', facts: factsOf({ address: 'one' }) }], new Set(['one']));
  for (let at = 0; at < 1_000; at += 1) pasts.take([priceAt('one', at)], new Set());
  await done;
  expect(asked).toEqual([['one'], ['one']]);
  const passed = pasts.take([], new Set());
  expect(passed.length).toBeLessThan(510);
  expect(namesOf(passed).slice(0, 4)).toEqual(['token', 'history', 'facts', 'price']);
  expect(passed.at(-1)).toEqual(priceAt('one', 999));
});
