import { expect, test } from 'vitest';
import { DAY } from '../../common/time.ts';
import { recordOf, testEngine } from './testing/market.ts';
import { address, created, START } from './testing/observations.ts';

test('a list of known symbols applies to present and future coins', async () => {
  const { see, store } = testEngine();
  const observation = { kind: 'symbols', source: 'token-list', at: START, receivedAt: START } as const;
  await see(created({ symbol: 'MONKE' }));
  expect(recordOf(store).facts.symbolTwin?.value).toBe('');
  const version = recordOf(store).version;
  await see({ ...observation, symbols: new Map([['MONKE', ['the real one']]]) });
  expect(recordOf(store).facts.symbolTwin?.value).toBe('the real one');
  expect(recordOf(store).version).toBeGreaterThan(version);
  // The list itself creates no tokens.
  expect(store.records.size).toBe(1);
});

test('coins of one name are counted like those of one symbol, each once', async () => {
  const { see, store } = testEngine();
  const launch = (number: number, symbol: string, name: string) =>
    created({ address: address(number), at: START + number, receivedAt: START + 100, symbol, name });
  const twins = () => [1, 2, 3, 4].map((number) => store.records.get(address(number))?.twins);
  await see(
    launch(1, 'PEPE', 'Pepe The Frog'),
    launch(2, 'FROG', 'pepe th\u0435  frog'),
    launch(3, 'PEPE', 'Pepe the Frog'),
  );
  await see(launch(4, 'FROG', 'Unknown Token (So111111...)'));
  // The third shares both with the first; the fourth only its symbol with the second.
  expect(twins()).toEqual([
    [1, 3],
    [2, 4],
    [3, 3],
    [2, 2],
  ]);
  expect(store.records.get(address(2))?.facts.symbolTwin?.value).toBe('');
});

test('coins of one symbol know their place and their number, which grows with each launch', async () => {
  const { see, store, events } = testEngine();
  const launch = (number: number, at: number, symbol = 'PEPE') =>
    created({ address: address(number), at, receivedAt: START + DAY, symbol, name: `${symbol} Coin` });
  const twins = (number: number) => store.records.get(address(number))?.twins;
  await see(launch(1, START));
  expect(twins(1)).toBeNull();
  await see(launch(2, START + 1_000, 'pepe'));
  expect([twins(1), twins(2)]).toEqual([
    [1, 2],
    [2, 2],
  ]);
  await see(launch(3, START + DAY), launch(4, START + 500), launch(5, START + 600, 'OTHER'));
  expect([twins(1), twins(4), twins(2), twins(3), twins(5)]).toEqual([[1, 4], [2, 4], [3, 4], [4, 4], null]);
  await see(launch(6, START + DAY + 900));
  // The first two coins are older than a day before it.
  expect([twins(1), twins(2), twins(6)]).toEqual([
    [1, 4],
    [3, 5],
    [3, 3],
  ]);
  expect(JSON.stringify(events)).toContain('[3,5]');
});
