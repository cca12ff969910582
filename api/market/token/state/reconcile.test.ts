import { expect, test } from 'vitest';
import type { TokenRecord } from '../../../tokens/record.ts';
import { START } from '../../testing/observations.ts';
import { createLiveToken, freshRecord } from './live-token.ts';
import { reconcile } from './reconcile.ts';

const first = { address: 'coin', source: 'solana', launchpad: 'pump.fun', cluster: 'mainnet', quote: 'SOL' } as const;
const recordOf = (own: Partial<TokenRecord>): TokenRecord => ({
  ...freshRecord({ ...first, receivedAt: START }, 1, START),
  ...own,
});

function reconciled(live: Partial<TokenRecord>, stored: Partial<TokenRecord>): TokenRecord {
  const token = createLiveToken(recordOf(live), false, START);
  reconcile(token, recordOf(stored), START + 1_000);
  return token.record;
}

test('a coin that ended in either time has ended', () => {
  const ended = { rugged: true, drained: true };
  expect(reconciled(ended, {})).toMatchObject(ended);
  expect(reconciled({}, ended)).toMatchObject(ended);
  expect(reconciled({}, {})).toMatchObject({ rugged: false, drained: false });
});

test('trades missed in both times stay counted, and the coin incomplete', () => {
  const complete = { complete: true, sinceCreation: true };
  expect(reconciled({ tradesMissed: 2 }, { ...complete, tradesMissed: 0 })).toMatchObject({
    tradesMissed: 2,
    complete: false,
    sinceCreation: true,
  });
  expect(reconciled({ tradesMissed: 2 }, { tradesMissed: 3 }).tradesMissed).toBe(5);
  expect(reconciled({}, complete)).toMatchObject({ tradesMissed: 0, complete: true });
});

test('the later sale by an insider counts', () => {
  expect(reconciled({ insiderSoldAt: START + 5 }, { insiderSoldAt: START }).insiderSoldAt).toBe(START + 5);
  expect(reconciled({}, { insiderSoldAt: START }).insiderSoldAt).toBe(START);
});
