import type { TradingMode } from '../../../common/trading/account.ts';
import type { Orders } from '../orders/store.ts';
import type { PositionBook, SellablePosition } from '../positions/fill-book.ts';
import type { StoppedPosition, StopRecord } from './model.ts';

/** Where positions and purchases are read. */
export interface StoppedDeps {
  orders: Pick<Orders, 'find'>;
  positions: Pick<PositionBook, 'sellable'>;
}

/** Returns the open positions of a user as a report begins with them, largest first. */
export async function stoppedPositions(
  { positions }: StoppedDeps,
  userId: string,
  modes: readonly TradingMode[],
): Promise<StoppedPosition[]> {
  const open = (await positions.sellable(userId)).filter(({ mode }) => modes.includes(mode));
  const largestFirst = (one: SellablePosition, other: SellablePosition) => other.lamports - one.lamports;
  return open.toSorted(largestFirst).map(({ id, mode, cluster, wallet, token, tokens }) => ({
    positionId: id,
    mode,
    cluster,
    wallet,
    token,
    tokens: String(tokens),
    orderId: null,
    outcome: 'waiting',
    lamports: null,
    failure: null,
  }));
}

/** Returns whether the sale of a position is not over. */
export function isSelling({ outcome }: StoppedPosition): boolean {
  return outcome === 'waiting' || outcome === 'unknown';
}

/** Returns the positions of a report and the positions to be sold now; a sale that has ended is repeated. */
export function mergedPositions(
  known: readonly StoppedPosition[],
  wanted: readonly StoppedPosition[],
): StoppedPosition[] {
  const merged = new Map(known.map((position) => [position.positionId, position]));
  for (const position of wanted) {
    const before = merged.get(position.positionId);
    merged.set(position.positionId, before ? { ...position, repeats: (before.repeats ?? 0) + 1 } : position);
  }
  return [...merged.values()];
}

/** Purchases that were out at a stop, or in no position yet. */
interface OutPurchases {
  /** Whether one of them still is. */
  isOut: boolean;
  /** Positions of orders that have landed since, hexadecimal ids. */
  positionIds: ReadonlySet<string>;
}

/** Returns what became of the purchases of a report. */
export async function purchasesOf({ orders }: StoppedDeps, { out }: StopRecord): Promise<OutPurchases> {
  const found = await Promise.all(out.map((id) => orders.find(id)));
  const over = found.filter((order) => order?.open === false);
  return {
    isOut: found.some((order) => order?.open === true),
    positionIds: new Set(over.flatMap((order) => order?.positionId?.toHexString() ?? [])),
  };
}

/**
 * Returns the positions that purchases have changed since the stop, and that are to be sold. A purchase after the stop is no part of
 * it. A sale that has failed is repeated once a purchase has added to its position.
 */
export async function landedPositions(
  deps: StoppedDeps,
  { userId, sells, modes, positions }: StopRecord,
  { positionIds }: OutPurchases,
): Promise<StoppedPosition[]> {
  if (!sells || positionIds.size === 0) return [];
  const open = await stoppedPositions(deps, userId.toHexString(), modes);
  const isFailed = (one: StoppedPosition) =>
    positions.some(
      ({ positionId, outcome, tokens }) =>
        positionId === one.positionId && outcome === 'failed' && tokens === one.tokens,
    );
  const landed = open.filter((position) => positionIds.has(position.positionId) && !isFailed(position));
  return unsold(positions, landed);
}

/** Returns the positions whose sale is not on its way. What one that was sold has now was bought since. */
export function unsold(known: readonly StoppedPosition[], wanted: readonly StoppedPosition[]): StoppedPosition[] {
  const selling = new Set(known.filter(isSelling).map(({ positionId }) => positionId));
  return wanted.filter(({ positionId }) => !selling.has(positionId));
}
