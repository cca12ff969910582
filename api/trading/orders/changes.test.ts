import { describe, expect, test } from 'vitest';
import { reason } from '../../../common/trading/reasons.ts';
import type { TradeFill } from '../executors/executor.ts';
import { attemptRecord, exitRecord, orderRecord } from '../testing/order-record.ts';
import { afterChanges, type OrderChange } from './changes.ts';
import type { OrderRecord } from './model.ts';
import { walletChangeOf } from './terms.ts';

const costs = {
  ...{ launchpadFeeLamports: 1_000, networkFeeLamports: 5_000, priorityFeeLamports: 100, tipLamports: 10 },
  ...{ accountRentLamports: 2_000_000, volumeRentLamports: 1_000_000, returnedRentLamports: 0 },
};
const fill: TradeFill = { tokens: 1_000n, lamports: 99_000_000n, costs, price: 2, slot: 7, at: 50 };
const signed: OrderChange = {
  type: 'signed',
  signature: 'a',
  lastValidBlockHeight: 150,
  attempt: { signature: 'a', bytes: 'bytes', lastValidBlockHeight: 150, least: 95n },
};

/** Applies changes one by one, 10 ms apart. Each has to be possible. */
function following(order: OrderRecord, ...changes: OrderChange[]): OrderRecord {
  return changes.reduce(
    (before, change, at) => afterChanges(before, [change], 10 * (at + 1)) ?? expect.fail(change.type),
    order,
  );
}

describe('an order in the store', () => {
  test('keeps its attempts with their bytes until it is over', () => {
    const held = following(orderRecord(), { type: 'held' });
    const sent = afterChanges(held, [signed, { type: 'sending', signature: 'a' }], 20) ?? expect.fail();
    const attempt = { signature: 'a', bytes: 'bytes', least: '95', sends: 1, signedAt: 20, firstSentAt: 20 };
    expect(sent).toMatchObject({ status: 'sent', version: 3, attempts: [attempt] });
    const landed = following(sent, { type: 'landed', signature: 'a', fill, slot: 7 });
    expect(landed).toMatchObject({
      status: 'confirmed',
      attempts: [{ bytes: null, outcome: 'landed', slot: 7, failure: null }],
      fill: { tokens: '1000', lamports: 99_000_000, price: 2, slot: 7, at: 50 },
      times: { created: 0, held: 10, signed: 20, sent: 20, decided: 10 },
    });
  });

  test('has the times at which it was reserved, signed and sent, although one write stores all three', () => {
    const changes: OrderChange[] = [
      { type: 'held', at: 3 },
      { ...signed, at: 8 },
      { type: 'sending', signature: 'a' },
    ];
    const sent = afterChanges(orderRecord(), changes, 10) ?? expect.fail();
    expect(sent.times).toMatchObject({ held: 3, signed: 8, sent: 10 });
    const landed: OrderChange = { type: 'landed', signature: 'a', fill, slot: 7, sentAt: 14 };
    expect(afterChanges(sent, [landed], 20)?.times).toEqual({ created: 0, held: 3, signed: 8, sent: 14, decided: 20 });
  });

  test('does not change when one of its changes is impossible', () => {
    expect(afterChanges(orderRecord(), [{ type: 'held' }, { type: 'sending', signature: 'a' }], 1)).toBeNull();
  });

  test('has the reason of its end only at its end', () => {
    const failure = reason('slippage', { slippageBps: 500 });
    const sent = orderRecord({ status: 'sent', attempts: [attemptRecord()] });
    const over = following(sent, { type: 'attempt-over', signature: 'a', outcome: 'refused', failure });
    expect(over).toMatchObject({ failure: null, attempts: [{ failure, bytes: 'bytes' }] });
    expect(following(over, { type: 'given-up', failure })).toMatchObject({ failure, attempts: [{ bytes: null }] });
  });

  test('sums up two attempts that both sold, with the fee of a third one that reverted', () => {
    const attempts = ['a', 'b', 'c'].map((signature) => attemptRecord({ signature }));
    const sold = following(
      exitRecord({ status: 'sent', attempts }),
      { type: 'attempt-over', signature: 'a', outcome: 'reverted', feeLamports: 7_000, slot: 6 },
      { type: 'landed', signature: 'b', fill, slot: 7 },
      { type: 'landed', signature: 'c', fill, slot: 8 },
    );
    expect(sold.fill).toMatchObject({ tokens: '2000', lamports: 198_000_000, costs: { networkFeeLamports: 10_000 } });
    expect(walletChangeOf(sold)).toBe(198_000_000 - 2 * (5_000 + 100 + 10 + 3_000_000) - 7_000);
  });
});

test('a purchase takes its amount, rents and fees out of the wallet, and one without a fill only fees', () => {
  const fields = { ...fill, tokens: '1000', lamports: 99_000_000 };
  const bought = orderRecord({ fill: fields, attempts: [attemptRecord({ feeLamports: 7_000 })] });
  expect(walletChangeOf(bought)).toBe(-99_000_000 - 5_110 - 3_000_000 - 7_000);
  expect(walletChangeOf({ ...bought, fill: null })).toBe(-7_000);
});
