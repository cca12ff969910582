import { Types } from 'mongoose';
import type { Clock } from '../../../common/time.ts';
import type { Exits } from '../../../common/trading/account.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { OrderRecord } from '../orders/model.ts';
import type { OrderStore } from '../orders/store.ts';
import type { AppliedFill, PositionBook } from './fill-book.ts';
import {
  type FillPart,
  type Holding,
  holdingKey,
  holdingOf,
  type PartResult,
  type PositionFillRecord,
  type PositionRecord,
} from './model.ts';
import { afterPart, heldLot, openedBy, planFill, soldTokens } from './plan-fill.ts';
import type { FillStore, PositionStore } from './store.ts';

export interface ApplyDeps {
  positions: PositionStore;
  fills: FillStore;
  accounts: Pick<TradingAccounts, 'read' | 'closePosition'>;
  orders: Pick<OrderStore, 'awaitsPurchase'>;
  /** Receives every position that was stored. */
  onStored(position: PositionRecord): void;
  clock: Clock;
}

/**
 * Creates the book. An order's effect is planned, stored under the order's id, and applied to its positions part by part; then it is
 * done. Each position remembers the last order applied to it with its result, which is stored with the order's effect before another
 * one is applied: the next call completes what a crash has interrupted, and nothing counts twice. A change that is lost to another
 * writer is dropped, and the next call reads again (O1).
 */
export function createFillBook(deps: ApplyDeps): Pick<PositionBook, 'apply' | 'lot'> {
  const { positions, fills, accounts, orders, clock } = deps;
  const exclusive = createKeyedMutex();
  const applyPart = createApplyPart(deps);

  /**
   * Completes an order's effect. `open`: the positions that it was planned with, when it was stored just now. Resolves with null when
   * another writer was faster with one of its positions.
   */
  async function finish(fill: PositionFillRecord, open: readonly PositionRecord[] | null): Promise<AppliedFill | null> {
    const results: PartResult[] = [];
    for (const [index, part] of fill.parts.entries()) {
      const result = part.result ?? (await applyPart(fill, index, open));
      if (result === null) return null;
      if (result.closed && index > 0) {
        // The order's own settlement frees the place of its first position.
        await accounts.closePosition(fill.userId.toHexString(), fill.mode, part.positionId.toHexString());
      }
      results.push(result);
    }
    const realisedLamports = results.reduce((sum, result) => sum + result.realisedLamports, 0);
    await fills.finish(fill._id, realisedLamports, results);
    const parts = fill.parts.map((part, index) => ({ ...part, result: results[index] ?? null }));
    return appliedOf({ ...fill, parts, realisedLamports });
  }

  /** Returns the open positions of a holding after the effects that are not done; null when another writer was faster with one. */
  async function openPositions(holding: Holding): Promise<PositionRecord[] | null> {
    const [unfinished, open] = await Promise.all([fills.unfinished(holding), positions.ofHolding(holding)]);
    if (unfinished.length === 0) return open;
    for (const fill of unfinished) if ((await finish(fill, null)) === null) return null;
    return positions.ofHolding(holding);
  }

  return {
    apply(order: OrderRecord) {
      const holding = holdingOf(order);
      return exclusive(holdingKey(holding), async () => {
        const [known, open] = await Promise.all([fills.find(order._id), openPositions(holding)]);
        if (known?.done) return appliedOf(known);
        if (open === null) return null;
        if (known) {
          const present = await required(fills, order);
          return present.done ? appliedOf(present) : null;
        }
        // A wallet on a chain may sell tokens whose purchase is undecided: applied before it, the sale would find too few of them.
        if (sellsMoreThan(order, open) && (await orders.awaitsPurchase(order))) return null;
        const fill = planFill(order, open, clock.now());
        return (await fills.insert(fill)) ? finish(fill, open) : null;
      });
    },
    lot({ userId, ...at }, open) {
      const holding = { userId: new Types.ObjectId(userId), ...at };
      return exclusive(holdingKey(holding), async () => {
        const [held, orders] = await Promise.all([openPositions(holding), open()]);
        if (held === null) throw new Error('another process changes the positions of this wallet');
        const confirmed = orders.filter(({ fill }) => fill !== null);
        const known = await Promise.all(confirmed.map(({ _id }) => fills.find(_id)));
        const missing = confirmed.filter((_, index) => !known[index]?.done);
        return heldLot(held, missing);
      });
    },
  };
}

/** Returns whether an order has sold more than the open positions of its holding have. */
function sellsMoreThan({ side, fill }: OrderRecord, open: readonly PositionRecord[]): boolean {
  return side === 'sell' && fill !== null && BigInt(fill.tokens) > heldLot(open, []).tokens;
}

/**
 * Creates the function that applies one part of an order's effect to its position, unless it is applied already. It resolves with
 * null when another writer was faster.
 */
function createApplyPart(
  deps: ApplyDeps,
): (fill: PositionFillRecord, index: number, open: readonly PositionRecord[] | null) => Promise<PartResult | null> {
  const { positions, fills, accounts } = deps;

  /** Writes the position of a part, unless another writer was faster (null). */
  async function written(
    fill: PositionFillRecord,
    part: FillPart,
    position: PositionRecord | null,
  ): Promise<PositionRecord | null> {
    if (part.type === 'purchase' && !position?.open) {
      const opened = position === null ? openedBy(fill, part, await exitsOf(fill)) : null;
      if (opened && (await positions.insert(opened))) return opened;
      await retarget(fill, part);
      return null;
    }
    if (position === null) throw new Error('a position is gone');
    if (position.last) await fills.setResult(position.last.orderId, position._id, resultOf(position.last));
    return positions.swap(position, afterPart(position, fill, part));
  }

  /** Has a purchase go to the position that is open now, or open its own. */
  async function retarget(fill: PositionFillRecord, part: FillPart): Promise<void> {
    const open = (await positions.ofHolding(fill)).find(({ origin }) => origin === fill.origin);
    await fills.retarget(fill._id, part, open?._id ?? fill._id);
  }

  /** Returns the exits that the order names; those of the user now, when it names none. */
  async function exitsOf({ userId, exits }: PositionFillRecord): Promise<Exits> {
    return exits ?? (await accounts.read(userId.toHexString())).defaults.exits;
  }

  return async (fill, index, open) => {
    const part = fill.parts[index];
    if (!part) throw new Error('a part of an effect is gone');
    // Without the positions of its plan, the position is read first: a part that was applied before is found in it, or with the order.
    const position = open
      ? (open.find(({ _id }) => _id.equals(part.positionId)) ?? null)
      : await positions.find(part.positionId);
    if (position?.last?.orderId.equals(fill._id)) return resultOf(position.last);
    const present = open ? part : (await required(fills, fill)).parts[index];
    if (present?.result) return present.result;
    if (!present?.positionId.equals(part.positionId)) return null;
    const stored = await written(fill, part, position);
    if (!stored?.last) return null;
    deps.onStored(stored);
    return resultOf(stored.last);
  };
}

function resultOf({ orderId: _, ...result }: NonNullable<PositionRecord['last']>): PartResult {
  return result;
}

async function required(fills: FillStore, { _id }: Pick<PositionFillRecord, '_id'>): Promise<PositionFillRecord> {
  const fill = await fills.find(_id);
  if (!fill) throw new Error('the effect of an order is gone');
  return fill;
}

function appliedOf({
  hasFill,
  parts,
  realisedLamports,
}: Pick<PositionFillRecord, 'hasFill' | 'parts' | 'realisedLamports'>): AppliedFill {
  const first = hasFill ? parts[0] : undefined;
  return {
    positionId: first?.positionId.toHexString() ?? null,
    realisedLamports,
    soldTokens: soldTokens(parts),
    opened: first?.result?.opened ?? false,
    closed: first?.result?.closed ?? false,
  };
}
