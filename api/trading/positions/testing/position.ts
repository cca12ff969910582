import { Types } from 'mongoose';
import { noExits } from '../../../../common/trading/account.ts';
import { emptyLot } from '../../../../common/trading/lots.ts';
import { lotRecord, type PositionRecord } from '../model.ts';
import { AT, filledOrder } from './orders.ts';

/** An open position of one token that one SOL was paid for. */
export function openPosition(userId: Types.ObjectId): PositionRecord {
  const { mode, cluster, wallet, token } = filledOrder(userId, 'buy', 1);
  const paid = { costLamports: 1_000_000_000, paidLamports: 1_000_000_000, quoteLamports: 1_000_000_000 };
  return {
    _id: new Types.ObjectId(),
    userId,
    mode,
    cluster,
    wallet,
    token,
    figures: null,
    origin: 'manual',
    originName: null,
    status: 'open',
    open: true,
    ...lotRecord({ ...emptyLot, ...{ tokens: 1_000_000n, boughtTokens: 1_000_000n, entryPrice: 1 }, ...paid }),
    exits: noExits,
    peakPrice: null,
    stepsDone: [],
    exit: null,
    exitSeq: 0,
    last: null,
    holdsPlace: false,
    openedAt: new Date(AT),
    closedAt: null,
    version: 1,
  };
}
