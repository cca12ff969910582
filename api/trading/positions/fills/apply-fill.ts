import { Types } from 'mongoose';
import type { Clock } from '../../../../common/time.ts';
import type { Exits } from '../../../../common/trading/account.ts';
import { exitsFrom } from '../../../../common/trading/exits.ts';
import { createKeyedMutex } from '../../../platform/keyed-mutex.ts';
import type { TradingAccounts } from '../../accounts/service.ts';
import type { OrderRecord } from '../../orders/record.ts';
import type { OrderStore } from '../../orders/store.ts';
import type { AppliedFill, PositionBook } from '../fill-book.ts';
import {
  type FillPart,
  type Holding,
  holdingKey,
  holdingOf,
  type PartResult,
  type PositionFillRecord,
  type PositionRecord,
} from '../record.ts';
import type { PositionStore } from '../store.ts';
import type { FillStore } from './fill-store.ts';
import { heldLot } from './held-lot.ts';
import { planFill } from './plan-fill.ts';
import { afterPart, openedBy } from './position-after.ts';

export interface ApplyDeps {
  positions: PositionStore;
  fills: FillStore;
  accounts: Pick<TradingAccounts, 'read' | 'closePosition'>;
  orders: Pick<OrderStore, 'awaitsPurchase'>;
  /** Receives every position that was stored. */
  onStored(position: PositionRecord): void;
  clock: Clock;
}

/** Each lost try means that another change of the same position succeeded. */
const TRIES = 1_000;

/**
 * Creates the book. An order's effect is stored first, with the positions it goes to. Each position remembers the last order
 * applied to it with its result, which is stored with the order's effect before another one is applied: whatever a crash
 * interrupts, the next call completes it, and nothing counts twice.
 */
export function createFillBook(deps: ApplyDeps): Pick<PositionBook, 'apply' | 'lot'> {
  const { positions, fills, accounts, orders, clock } = deps;
  const exclusive = createKeyedMutex();
  const applyPart = createApplyPart(deps);

  /** Completes an order's effect. `open`: the positions that it was planned with, when it was stored just now. */
  async function finish(fill: PositionFillRecord, open: readonly PositionRecord[] | null): Promise<AppliedFill> {
    const parts: AppliedPart[] = [];
    for (const [index, { positionId, result }] of fill.parts.entries()) {
      const applied = result ? { positionId, result } : await applyPart(fill, index, open);
      if (applied.result.closed && index > 0) {
        // The order's own settlement frees the place of its first position.
        await accounts.closePosition(fill.userId.toHexString(), fill.mode, applied.positionId.toHexString());
      }
      parts.push(applied);
    }
    const realisedLamports = parts.reduce((sum, { result }) => sum + result.realisedLamports, 0);
    await fills.finish(
      fill._id,
      realisedLamports,
      parts.map(({ result }) => result),
    );
    return appliedOf({ ...fill, parts, realisedLamports });
  }

  /** Returns the open positions of a holding after the effects that a crash has left. */
  async function openPositions(holding: Holding): Promise<PositionRecord[]> {
    const [unfinished, open] = await Promise.all([fills.unfinished(holding), positions.ofHolding(holding)]);
    if (unfinished.length === 0) return open;
    for (const fill of unfinished) await finish(fill, null);
    return positions.ofHolding(holding);
  }

  return {
    apply(order: OrderRecord) {
      const holding = holdingOf(order);
      return exclusive(holdingKey(holding), async () => {
        const [known, open] = await Promise.all([fills.find(order._id), openPositions(holding)]);
        if (known?.done) return appliedOf(known);
        if (known) return appliedOf(await required(fills, order));
        // A wallet on a chain may sell tokens whose purchase is undecided: applied before it, the sale would find too few of them.
        if (sellsMoreThan(order, open) && (await orders.awaitsPurchase(order))) return null;
        const fill = planFill(order, open, clock.now());
        return (await fills.insert(fill)) ? finish(fill, open) : finish(await required(fills, order), null);
      });
    },
    lot({ userId, ...at }, open) {
      const holding = { userId: new Types.ObjectId(userId), ...at };
      return exclusive(holdingKey(holding), async () => {
        const [held, orders] = await Promise.all([openPositions(holding), open()]);
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

/** A part of an order's effect that is in its position. */
type AppliedPart = Pick<FillPart, 'positionId'> & { result: PartResult };

/** Creates the function that applies one part of an order's effect to its position, unless it is applied already. */
function createApplyPart(
  deps: ApplyDeps,
): (fill: PositionFillRecord, index: number, open: readonly PositionRecord[] | null) => Promise<AppliedPart> {
  const { positions, fills, accounts } = deps;

  /** Writes one position, if nothing else does. Resolves with the stored one, or null when it has to be read again. */
  async function tryPart(
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
    return exits ?? exitsFrom((await accounts.read(userId.toHexString())).defaults.exits);
  }

  function applied(position: PositionRecord | null): AppliedPart | null {
    if (!position?.last) return null;
    deps.onStored(position);
    return { positionId: position._id, result: resultOf(position.last) };
  }

  /** Applies a part without reading it again: where another process was faster, the write changes nothing, and it is read. */
  async function applyFirst(fill: PositionFillRecord, index: number, open: readonly PositionRecord[]) {
    const part = fill.parts[index];
    if (!part) return null;
    const position = open.find(({ _id }) => _id.equals(part.positionId)) ?? null;
    return applied(await tryPart(fill, part, position));
  }

  async function applyAsRead(fill: PositionFillRecord, index: number): Promise<AppliedPart> {
    let part = fill.parts[index];
    for (let tries = 0; tries < TRIES && part; tries += 1) {
      // The position is read first: an effect that was applied before is then found in it, or with the order.
      const position = await positions.find(part.positionId);
      if (position?.last?.orderId.equals(fill._id)) {
        return { positionId: position._id, result: resultOf(position.last) };
      }
      const present: FillPart | undefined = (await required(fills, fill)).parts[index];
      if (present?.result) return { positionId: present.positionId, result: present.result };
      const isMoved = !present?.positionId.equals(part.positionId);
      const stored = applied(isMoved ? null : await tryPart(fill, part, position));
      if (stored) return stored;
      part = isMoved ? present : (await required(fills, fill)).parts[index];
    }
    throw new Error(part ? 'a position changes too fast' : 'a part of an effect is gone');
  }

  return async (fill, index, open) => (open && (await applyFirst(fill, index, open))) ?? applyAsRead(fill, index);
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
}: Pick<PositionFillRecord, 'hasFill' | 'realisedLamports'> & {
  parts: readonly Pick<FillPart, 'positionId' | 'result'>[];
}): AppliedFill {
  const first = hasFill ? parts[0] : undefined;
  return {
    positionId: first?.positionId.toHexString() ?? null,
    realisedLamports,
    opened: first?.result?.opened ?? false,
    closed: first?.result?.closed ?? false,
  };
}
