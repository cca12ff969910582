import { Types } from 'mongoose';
import { noExtraCosts } from '../../../../common/trading/fills.ts';
import type { TradeCosts } from '../../../../common/trading/order.ts';
import type { FillRecord, OrderRecord } from '../../orders/model.ts';
import { MINT } from '../../testing/coin.ts';
import { attemptRecord, orderRecord } from '../../testing/order-record.ts';

const WALLET = 'So11111111111111111111111111111111111111112';
export const AT = Date.UTC(2026, 10, 22, 12);

export const costs = (fields: Partial<TradeCosts> = {}): TradeCosts => ({
  ...{ ...noExtraCosts, launchpadFeeLamports: 12, networkFeeLamports: 5, priorityFeeLamports: 3 },
  ...fields,
});

/** An order that is over, with a fill of one base unit for each lamport, unless it is given. */
export function filledOrder(
  userId: Types.ObjectId,
  side: 'buy' | 'sell',
  tokens: number,
  fields: Partial<OrderRecord> = {},
): OrderRecord {
  const fill: FillRecord = { tokens: String(tokens), lamports: tokens, costs: costs(), price: 1, slot: 1, at: AT };
  const _id = fields._id ?? new Types.ObjectId();
  return orderRecord({
    _id,
    userId,
    key: `page:${_id.toHexString()}`,
    side,
    wallet: WALLET,
    token: { address: MINT, name: 'Moon Otter', symbol: 'OTTR', decimals: 6 },
    lamports: side === 'buy' ? tokens : null,
    tokens: side === 'sell' ? String(tokens) : null,
    holdLamports: 0,
    status: 'confirmed',
    fill,
    times: { created: AT, held: AT, signed: AT, sent: AT, decided: AT },
    nextAt: null,
    version: 5,
    ...fields,
  });
}

/** An order without a fill, whose attempt has paid a fee. */
export function revertedOrder(userId: Types.ObjectId, side: 'buy' | 'sell', feeLamports: number): OrderRecord {
  const order = filledOrder(userId, side, 1);
  return { ...order, status: 'failed', fill: null, attempts: [revertedAttempt(feeLamports)] };
}

/** A failed attempt. */
export function revertedAttempt(feeLamports: number): OrderRecord['attempts'][number] {
  const signature = new Types.ObjectId().toHexString();
  return attemptRecord({ signature, bytes: null, signedAt: AT, firstSentAt: AT, outcome: 'reverted', feeLamports });
}
