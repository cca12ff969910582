import { expect, test } from 'vitest';
import { recordOf, testEngine } from './testing/market.ts';
import { created, START } from './testing/observations.ts';

test('a list of known symbols counts for coins that are there already, and for those that come', async () => {
  const { see, store } = testEngine();
  const told = { kind: 'symbols', source: 'token-list', at: START, receivedAt: START } as const;
  await see(created({ symbol: 'MONKE' }));
  expect(recordOf(store).facts.symbolTwin?.value).toBe('');
  const version = recordOf(store).version;
  await see({ ...told, symbols: new Map([['MONKE', ['the real one']]]) });
  expect(recordOf(store).facts.symbolTwin?.value).toBe('the real one');
  expect(recordOf(store).version).toBeGreaterThan(version);
  // It tells no tokens.
  expect(store.records.size).toBe(1);
});
