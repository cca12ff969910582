import { Types } from 'mongoose';
import { noExits } from '../../../../common/trading/account.ts';
import type { PositionRecord } from '../record.ts';
import { AT, filledOrder } from './orders.ts';

/** An open position of one token that one SOL was paid for. */
export function openPosition(userId: Types.ObjectId): PositionRecord {
  const { mode, cluster, wallet, token } = filledOrder(userId, 'buy', 1);
  return {
    _id: new Types.ObjectId(),
    userId,
    mode,
    cluster,
    wallet,
    token,
    origin: 'manual',
    originName: null,
    status: 'open',
    open: true,
    tokens: '1000000',
    boughtTokens: '1000000',
    soldTokens: '0',
    movedTokens: '0',
    costLamports: 1_000_000_000,
    paidLamports: 1_000_000_000,
    proceedsLamports: 0,
    realisedLamports: 0,
    movedCostLamports: 0,
    feesLamports: 0,
    rentLamports: 0,
    quoteLamports: 1_000_000_000,
    entryPrice: 1,
    exits: noExits,
    exit: null,
    exitSeq: 0,
    last: null,
    holdsPlace: false,
    openedAt: new Date(AT),
    closedAt: null,
    version: 1,
  };
}
