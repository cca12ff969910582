import { Types } from 'mongoose';
import type { SentAttempt, TradeAsk } from '../executors/executor.ts';
import type { AttemptRecord, OrderRecord } from '../orders/model.ts';

/** Returns an order to buy for 0.1 SOL that was created at time 0. */
export function orderRecord(fields: Partial<OrderRecord> = {}): OrderRecord {
  return {
    _id: new Types.ObjectId(),
    userId: new Types.ObjectId(),
    key: 'page:1',
    side: 'buy',
    mode: 'local',
    cluster: 'local',
    wallet: 'wallet',
    token: { address: 'coin', name: 'Coin', symbol: 'COIN', decimals: 6 },
    cause: { kind: 'page', name: null },
    positionId: null,
    lamports: 100_000_000,
    tokens: null,
    isWholePosition: false,
    slippageBps: 500,
    least: null,
    priorityMaxLamports: 0,
    tipLamports: 0,
    holdLamports: 100_005_000,
    status: 'created',
    open: true,
    noMore: false,
    attemptLimit: 3,
    attempts: [],
    fill: null,
    failure: null,
    times: { created: 0, held: null, signed: null, sent: null, decided: null },
    nextAt: new Date(0),
    version: 1,
    ...fields,
  };
}

/** Returns an order to sell everything by a stop loss. */
export function exitRecord(fields: Partial<OrderRecord> = {}): OrderRecord {
  const sold = { side: 'sell', lamports: null, tokens: '1000', isWholePosition: true, holdLamports: 0 } as const;
  return orderRecord({ ...sold, cause: { kind: 'exit', name: 'stop loss' }, ...fields });
}

/** Returns an undecided attempt that was signed at time 0. */
export function attemptRecord(fields: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    signature: 'a',
    bytes: 'bytes',
    lastValidBlockHeight: 150,
    least: '95',
    sends: 1,
    signedAt: 0,
    firstSentAt: 0,
    outcome: null,
    failure: null,
    feeLamports: 0,
    slot: null,
    ...fields,
  };
}

/** Returns an ask to buy for 0.001 SOL. */
export function tradeAsk(fields: Partial<TradeAsk> = {}): TradeAsk {
  return {
    ...{ userId: 'user', wallet: 'wallet', address: 'coin', side: 'buy', lamports: 1_000_000n, tokens: null },
    ...{ slippageBps: 500, priorityMaxLamports: 0, tipLamports: 0 },
    ...fields,
  };
}

/** Returns an attempt of that ask, sent at time 0. */
export function sentAttempt(fields: Partial<SentAttempt> = {}): SentAttempt {
  const signed = { signature: 'signature', bytes: '', lastValidBlockHeight: 1_000, least: 1n };
  return { ...tradeAsk(), ...signed, orderId: 'order', firstSentAt: 0, ...fields };
}
