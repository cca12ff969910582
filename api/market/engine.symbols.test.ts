import { expect, test } from 'vitest';
import { recordOf, testEngine } from './testing/market.ts';
import { created, START } from './testing/observations.ts';

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
