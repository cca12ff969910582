import type { Exits } from '../../../../common/trading/account.ts';
import {
  afterCharge,
  afterMove,
  afterPurchase,
  afterSale,
  emptyLot,
  type Lot,
} from '../../../../common/trading/lots.ts';
import { type FillPart, lotOf, lotRecord, type PositionFillRecord, type PositionRecord } from '../record.ts';

function lotAfter(lot: Lot, { side }: PositionFillRecord, { type, trade }: FillPart): Lot {
  const moved = { ...trade, tokens: BigInt(trade.tokens) };
  switch (type) {
    case 'purchase':
      return afterPurchase(lot, moved);
    case 'sale':
      return afterSale(lot, moved);
    case 'charge':
      return afterCharge(lot, side, moved);
  }
}

/** Returns a position after its part of an order. */
export function afterPart(position: PositionRecord, fill: PositionFillRecord, part: FillPart): PositionRecord {
  const before = lotOf(position);
  const after = lotAfter(before, fill, part);
  const closed = position.open && after.tokens === 0n;
  // A purchase has realised nothing.
  const realisedLamports = after.realisedLamports - before.realisedLamports;
  // A sale by hand is over, and something is left.
  const status = position.status === 'closing' && position.exit === null ? 'open' : position.status;
  return {
    ...position,
    ...lotRecord(after),
    status,
    ...(closed ? { status: 'closed' as const, open: false, closedAt: fill.at } : {}),
    last: { orderId: fill._id, realisedLamports, opened: false, closed },
  };
}

/** Returns the position that a purchase opens. */
export function openedBy(fill: PositionFillRecord, part: FillPart, exits: Exits): PositionRecord {
  const { userId, mode, cluster, wallet, token, origin, originName, at } = fill;
  return {
    _id: part.positionId,
    userId,
    mode,
    cluster,
    wallet,
    token,
    figures: null,
    origin,
    originName,
    status: 'open',
    open: true,
    ...lotRecord(lotAfter(emptyLot, fill, part)),
    exits,
    peakPrice: null,
    stepsDone: [],
    exit: null,
    exitSeq: 0,
    last: { orderId: fill._id, realisedLamports: 0, opened: true, closed: false },
    holdsPlace: false,
    openedAt: at,
    closedAt: null,
    version: 1,
  };
}

/** Returns a position after tokens left its wallet by another way than a sale. `now`: epoch ms. */
export function afterMoved(position: PositionRecord, tokens: bigint, now: number): PositionRecord {
  const lot = afterMove(lotOf(position), tokens);
  const next = { ...position, ...lotRecord(lot) };
  if (lot.tokens > 0n) return next;
  return { ...next, status: 'closed', open: false, holdsPlace: true, closedAt: new Date(now) };
}
