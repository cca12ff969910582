import { expect, test } from 'vitest';
import { tokenRecord } from '../testing/tokens.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { coinState, storedCoinState } from './case.ts';

test.each<[string, Partial<TokenRecord>]>([
  [
    'on mainnet',
    { price: 0.000_000_028_123_456_789, liquidityLamports: 2_345_678_901, riskScore: 41, complete: false },
  ],
  ['of the simulator', { detectedBy: 'simulator', cluster: null, runner: true, mightRun: true, stage: 'pool' }],
  ['with unknown figures', { price: null, liquidityLamports: null, riskScore: null, growthScore: null }],
  ['on a test network', { cluster: 'devnet' }],
  ['with a score of earlier rules', { riskScore: 12, riskRulesVersion: null }],
])('a stored coin %s has the state of its wire form', (_kind, fields) => {
  const record = tokenRecord(1, fields);
  expect(storedCoinState(record)).toEqual(coinState(presentToken(record), record.complete));
});

test('a coin without a known creation has no state', () => {
  const record = { ...tokenRecord(1), createdAt: null };
  expect([storedCoinState(record), coinState(presentToken(record), true)]).toEqual([null, null]);
});
