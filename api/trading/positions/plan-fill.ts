import type { Types } from 'mongoose';
import type { Exits } from '../../../common/trading/account.ts';
import { noExtraCosts } from '../../../common/trading/fills.ts';
import {
  afterCharge,
  afterMove,
  afterPurchase,
  afterSale,
  emptyLot,
  feesOf,
  type Lot,
  type LotTrade,
  partOfTrade,
} from '../../../common/trading/lots.ts';
import { type FillCosts, isAutomatic } from '../../../common/trading/order.ts';
import type { OpenTrade, OrderRecord } from '../orders/model.ts';
import { dueAtOf, feesLost } from '../orders/terms.ts';
import type { HeldLot } from './fill-book.ts';
import { type FillPart, lotOf, lotRecord, type PositionFillRecord, type PositionRecord } from './model.ts';

const noCosts: FillCosts = { ...noExtraCosts, launchpadFeeLamports: 0 };
const nothing: LotTrade = { tokens: 0n, lamports: 0, costs: noCosts, price: 0, lostFeesLamports: 0 };

/** Returns who bought: `manual`, or the kind and id of the plan that is in the order's key (`buy:<plan>:<address>`). */
function originOf({ cause, key }: Pick<OrderRecord, 'cause' | 'key'>): string {
  return isAutomatic(cause) ? `${cause.kind}:${key.split(':')[1] ?? ''}` : 'manual';
}

/** Returns everything that an order has moved; without a fill, what its attempts have cost. */
function tradeOf(order: OrderRecord): LotTrade {
  const { fill } = order;
  const lostFeesLamports = feesLost(order);
  if (fill === null) return { ...nothing, lostFeesLamports };
  const { tokens, lamports, costs, price } = fill;
  return { tokens: BigInt(tokens), lamports, costs, price, lostFeesLamports };
}

/** Returns when an order had its effect, epoch ms: without a fill on paper, when its last attempt fell due. `now`: for one without an end. */
function effectAt({ fill, attempts, times }: Pick<OrderRecord, 'fill' | 'attempts' | 'times'>, now: number): number {
  const last = attempts.at(-1);
  return fill?.at ?? (last && dueAtOf(last)) ?? times.decided ?? now;
}

/** Returns the effect of an order on the open positions of its wallet and token. `now`: epoch ms. */
export function planFill(order: OrderRecord, open: readonly PositionRecord[], now: number): PositionFillRecord {
  const { _id, userId, mode, wallet, token, cluster, side, cause, fill } = order;
  const origin = originOf(order);
  const trade = tradeOf(order);
  const known = open.find((position) => position.origin === origin);
  return {
    _id,
    userId,
    mode,
    wallet,
    address: token.address,
    side,
    cluster,
    token,
    origin,
    originName: origin === 'manual' ? null : cause.name,
    exits: order.exits ?? null,
    hasFill: fill !== null,
    feesLamports: feesOf(trade),
    realisedLamports: 0,
    parts: fill === null ? chargeParts(order, trade, open) : tradeParts(order, trade, open, known?._id ?? _id),
    done: false,
    at: new Date(effectAt(order, now)),
  };
}

function tradeParts(
  order: OrderRecord,
  trade: LotTrade,
  open: readonly PositionRecord[],
  bought: Types.ObjectId,
): FillPart[] {
  return order.side === 'buy' ? [partOf(bought, 'purchase', trade)] : saleParts(order, trade, open);
}

/** Returns the base units that the parts of an effect take from positions by a sale. */
export function soldTokens(parts: readonly FillPart[]): bigint {
  return parts.reduce((sum, { type, trade }) => (type === 'sale' ? sum + BigInt(trade.tokens) : sum), 0n);
}

/**
 * Spreads a sale over positions: the one that the order names, then positions bought by hand, then the oldest. The account of
 * the token stays while one of them has tokens, so the rent of closed positions goes to one that stays open.
 */
function saleParts(order: OrderRecord, trade: LotTrade, open: readonly PositionRecord[]): FillPart[] {
  const parts: FillPart[] = [];
  const inOrder = bySaleOrder(order, open);
  const heir = lastOf(inOrder, trade.tokens);
  let sold = 0n;
  let rent = trade.costs.returnedRentLamports;
  let inherited = 0;
  for (const position of inOrder) {
    if (sold === trade.tokens) break;
    const held = BigInt(position.tokens);
    const end = trade.tokens - sold < held ? trade.tokens : sold + held;
    const part = partOfTrade(trade, sold, end);
    const returned = Math.min(rent, position.rentLamports);
    rent -= returned;
    const left = heir && end - sold === held ? position.rentLamports - returned : 0;
    inherited += left;
    // An order has one part for each position.
    const accountRentLamports = position === heir ? inherited : 0;
    const rents = { accountRentLamports, returnedRentLamports: returned + left };
    parts.push(partOf(position._id, 'sale', withCosts(part, rents)));
    if (position === heir) inherited = 0;
    sold = end;
  }
  if (heir && inherited > 0) {
    parts.push(partOf(heir._id, 'charge', withCosts(nothing, { accountRentLamports: inherited })));
  }
  return parts;
}

/** Returns the last position in the order of sale when a sale of this number of tokens leaves it open; else null. */
function lastOf(inOrder: readonly PositionRecord[], sold: bigint): PositionRecord | null {
  const held = inOrder.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n);
  return sold < held ? (inOrder.at(-1) ?? null) : null;
}

const withCosts = (trade: LotTrade, costs: Partial<FillCosts>): LotTrade => ({
  ...trade,
  costs: { ...trade.costs, ...costs },
});

function bySaleOrder(order: OrderRecord, open: readonly PositionRecord[]): PositionRecord[] {
  const rank = ({ _id, origin }: PositionRecord) => {
    if (order.positionId?.equals(_id)) return 0;
    return origin === 'manual' ? 1 : 2;
  };
  return open.toSorted((one, other) => rank(one) - rank(other));
}

/** Charges failed attempts to the position that they were for; without one they are only counted. */
function chargeParts(order: OrderRecord, trade: LotTrade, open: readonly PositionRecord[]): FillPart[] {
  if (trade.lostFeesLamports === 0) return [];
  const origin = originOf(order);
  const target =
    order.side === 'buy' ? open.find((position) => position.origin === origin) : bySaleOrder(order, open)[0];
  return target ? [partOf(target._id, 'charge', trade)] : [];
}

function partOf(positionId: Types.ObjectId, type: FillPart['type'], trade: LotTrade): FillPart {
  return { positionId, type, trade: { ...trade, tokens: String(trade.tokens) }, result: null };
}

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

const nothingHeld: HeldLot = { tokens: 0n, quoteLamports: 0, rentLamports: 0 };

/** Returns the lot of open positions after fills that are in none of them yet. */
export function heldLot(
  positions: readonly Pick<PositionRecord, 'tokens' | 'quoteLamports' | 'rentLamports'>[],
  missing: readonly Pick<OpenTrade, 'side' | 'fill'>[],
): HeldLot {
  const applied = positions.reduce<HeldLot>(
    (sum, { tokens, quoteLamports, rentLamports }) => ({
      tokens: sum.tokens + BigInt(tokens),
      quoteLamports: sum.quoteLamports + quoteLamports,
      rentLamports: sum.rentLamports + rentLamports,
    }),
    nothingHeld,
  );
  return missing.toSorted((one, other) => (one.fill?.at ?? 0) - (other.fill?.at ?? 0)).reduce(afterFill, applied);
}

function afterFill(lot: HeldLot, { side, fill }: Pick<OpenTrade, 'side' | 'fill'>): HeldLot {
  if (fill === null) return lot;
  const { lamports, costs } = fill;
  const fee = costs.launchpadFeeLamports ?? 0;
  if (side === 'buy') {
    return {
      tokens: lot.tokens + BigInt(fill.tokens),
      quoteLamports: lot.quoteLamports + lamports - fee,
      rentLamports: lot.rentLamports + costs.accountRentLamports,
    };
  }
  const tokens = lot.tokens - BigInt(fill.tokens);
  // A position that is closed leaves nothing behind.
  return tokens > 0n ? { ...lot, tokens, quoteLamports: lot.quoteLamports - lamports - fee } : nothingHeld;
}
