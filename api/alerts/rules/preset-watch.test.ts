import { expect, test } from 'vitest';
import { causeText } from '../../../common/alerts/cause.ts';
import { defaultChannels } from '../../../common/alerts/rules/model.ts';
import { listNameOf } from '../../../common/live/lists.ts';
import { HOUR, MINUTE } from '../../../common/time.ts';
import type { ListChoice } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { fakeClock } from '../../market/testing/market.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { createListIndex } from '../../tokens/list-index/list-index.ts';
import { detectedToken } from '../testing/tokens.ts';
import { createPresetWatch, type PresetMatch, type PresetRule } from './preset-watch.ts';

/** An index and its watch. `stored`: tokens before the start. */
async function setUp({ filtersMax = 10, stored = [] as Token[], rules = [] as PresetRule[] } = {}) {
  const clock = fakeClock();
  const index = createListIndex();
  for (const token of stored) index.put(token, clock.now());
  const found: PresetMatch[] = [];
  const watch = createPresetWatch({
    ...{ index: Object.assign(index, { ready: () => Promise.resolve() }), filtersMax },
    context: () => ({ now: clock.now(), solUsd: 100 }),
    found: (match) => void found.push(match),
    room: () => Promise.resolve(),
  });
  for (const rule of rules) watch.put(rule);
  watch.start();
  await Promise.resolve();
  watch.stop();
  const put = (number: number, fields: Partial<Token> = {}, at = clock.now()) =>
    index.put(detectedToken(number, at, fields), clock.now());
  return {
    ...{ clock, index, watch, put },
    rule: (id: string, choice: ListChoice, fields: Partial<PresetRule> = {}) =>
      watch.put(ruleOf(id, choice, { since: clock.now(), ...fields })),
    /** Returns the matches since the last call: `address reason: alerts`. */
    matches() {
      watch.advance();
      return found.splice(0).map(({ address, rules: concerned, condition }) => {
        const why = { preset: 'P', condition };
        return `${address} ${causeText({ why })}: ${concerned.map(({ id }) => id).join(' ')}`;
      });
    },
  };
}

function ruleOf(id: string, choice: ListChoice, fields: Partial<PresetRule> = {}): PresetRule {
  const rule = {
    id,
    userId: `user of ${id}`,
    list: listNameOf(choice),
    name: 'P',
    perHour: 6,
    mutedUntil: 0,
    since: 0,
  };
  return { ...rule, channels: defaultChannels, ...fields };
}

const liquid = { f: 'liquidity:5-,holders:30-' };

test('a token that begins to match is found once, with the bound that became true last', async () => {
  const { clock, put, rule, matches } = await setUp();
  rule('one', liquid);
  put(1, { currentLiquidity: 6, holderCount: 10 });
  put(2, { currentLiquidity: 1, holderCount: null });
  expect(matches()).toEqual([]);
  put(1, { currentLiquidity: 7, holderCount: 30 });
  put(2, { currentLiquidity: 1, holderCount: 40 });
  expect(matches()).toEqual([`${addressNumber(1)} passed P: holders ≥ 30: one`]);
  put(2, { currentLiquidity: 5, holderCount: 40 });
  put(1, { currentLiquidity: 8, holderCount: 31 });
  expect(matches()).toEqual([`${addressNumber(2)} passed P: liquidity ≥ 5 SOL: one`]);
  clock.pass(1_000);
  put(1, { currentLiquidity: 1, holderCount: 31 });
  expect(matches()).toEqual([]);
  put(1, { currentLiquidity: 8, holderCount: 31 });
  expect(matches()).toEqual([]);
});

test('a token that matches from the start has no last bound', async () => {
  const { put, rule, matches } = await setUp();
  rule('one', liquid);
  put(1, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(1)} passed P: one`]);
});

test('tokens that match when an alert is set up cause none, until they match again', async () => {
  const { clock, put, rule, matches } = await setUp();
  put(1, { currentLiquidity: 6, holderCount: 50 });
  rule('one', liquid);
  expect(matches()).toEqual([]);
  put(1, { currentLiquidity: 1, holderCount: 50 });
  expect(matches()).toEqual([]);
  clock.pass(1_000);
  put(1, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(1)} passed P: liquidity ≥ 5 SOL: one`]);
});

test('alerts with the same limits share one comparison, and a later one starts with what comes after it', async () => {
  const { clock, put, rule, matches } = await setUp();
  rule('one', liquid);
  put(1, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toHaveLength(1);
  clock.pass(1_000);
  rule('two', { ...liquid });
  put(2, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(2)} passed P: one two`]);
  put(1, { currentLiquidity: 1, holderCount: 50 });
  expect(matches()).toEqual([]);
  put(1, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(1)} passed P: liquidity ≥ 5 SOL: two`]);
});

test('a token is found when time alone makes it match', async () => {
  const { clock, put, rule, matches } = await setUp();
  rule('one', { f: 'age:60-' });
  put(1);
  expect(matches()).toEqual([]);
  clock.pass(MINUTE);
  expect(matches()).toEqual([`${addressNumber(1)} passed P: age ≥ 1 min: one`]);
});

test('a removed token leaves its last bound to none of the others', async () => {
  const { index, put, rule, matches } = await setUp();
  rule('one', liquid);
  put(1, { currentLiquidity: 1, holderCount: 50 });
  put(2, { currentLiquidity: 9, holderCount: 1 });
  expect(matches()).toEqual([]);
  index.remove([addressNumber(1)]);
  put(2, { currentLiquidity: 9, holderCount: 50 });
  put(3, { currentLiquidity: 9, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(2)} passed P: holders ≥ 30: one`, `${addressNumber(3)} passed P: one`]);
});

test('a muted alert is left out, and one that was removed', async () => {
  const { clock, put, rule, matches, watch } = await setUp();
  rule('muted', liquid, { mutedUntil: clock.now() + HOUR });
  rule('removed', liquid);
  rule('heard', liquid);
  watch.remove('removed');
  put(1, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(1)} passed P: heard`]);
  clock.pass(HOUR);
  put(2, { currentLiquidity: 6, holderCount: 50 });
  expect(matches()).toEqual([`${addressNumber(2)} passed P: muted heard`]);
});

test('a start offers young tokens that match again, but none that was detected before its alert', async () => {
  const now = fakeClock().now();
  const fields = { currentLiquidity: 6, holderCount: 50 };
  const stored = [
    detectedToken(1, now - MINUTE, fields),
    detectedToken(2, now - HOUR, fields),
    detectedToken(3, now - 3 * MINUTE, fields),
  ];
  const rules = [ruleOf('one', liquid, { since: now - 2 * MINUTE })];
  const { matches } = await setUp({ stored, rules });
  expect(matches()).toEqual([`${addressNumber(1)} passed P: one`]);
});

test('no further filter is watched beyond the limit', async () => {
  const { rule, watch } = await setUp({ filtersMax: 1 });
  rule('one', liquid);
  rule('two', { f: 'holders:5-' });
  rule('three', liquid);
  expect([watch.rule('one'), watch.rule('two'), watch.rule('three')].map((one) => one?.id)).toEqual([
    ...['one', undefined, 'three'],
  ]);
});
