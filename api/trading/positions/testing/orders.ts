import { Types } from 'mongoose';
import type { TradeCosts } from '../../../../common/trading/order.ts';
import type { FillRecord, OrderRecord } from '../../orders/record.ts';

/** A mint address. */
export const MINT = '4k3DyjzvzpLhCGkHwvVr8WTjzvCzpVyXc8NmVyTzX7nP';
const WALLET = 'So11111111111111111111111111111111111111112';
export const AT = Date.UTC(2026, 10, 22, 12);

export const costs = (fields: Partial<TradeCosts> = {}): TradeCosts => ({
  launchpadFeeLamports: 12,
  networkFeeLamports: 5,
  priorityFeeLamports: 3,
  tipLamports: 0,
  accountRentLamports: 0,
  volumeRentLamports: 0,
  returnedRentLamports: 0,
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
  return {
    _id,
    userId,
    key: `page:${_id.toHexString()}`,
    side,
    mode: 'local',
    cluster: 'local',
    wallet: WALLET,
    token: { address: MINT, name: 'Moon Otter', symbol: 'OTTR', decimals: 6 },
    cause: { kind: 'page', name: null },
    positionId: null,
    lamports: side === 'buy' ? tokens : null,
    tokens: side === 'sell' ? String(tokens) : null,
    isWholePosition: false,
    slippageBps: 500,
    least: null,
    priorityMaxLamports: 0,
    tipLamports: 0,
    holdLamports: 0,
    status: 'confirmed',
    open: true,
    noMore: false,
    attemptLimit: 3,
    attempts: [],
    fill,
    failure: null,
    times: { created: AT, held: AT, signed: AT, sent: AT, decided: AT },
    nextAt: null,
    version: 5,
    ...fields,
  };
}

/** An order without a fill, whose attempt has paid a fee. */
export function revertedOrder(userId: Types.ObjectId, side: 'buy' | 'sell', feeLamports: number): OrderRecord {
  const order = filledOrder(userId, side, 1);
  return { ...order, status: 'failed', fill: null, attempts: [revertedAttempt(feeLamports)] };
}

/** A failed attempt. */
export function revertedAttempt(feeLamports: number): OrderRecord['attempts'][number] {
  return {
    signature: new Types.ObjectId().toHexString(),
    bytes: null,
    lastValidBlockHeight: 1,
    least: '1',
    sends: 1,
    signedAt: AT,
    firstSentAt: AT,
    outcome: 'reverted',
    failure: null,
    feeLamports,
    slot: 1,
  };
}
