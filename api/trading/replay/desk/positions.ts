import type { Types } from 'mongoose';
import { type Exits, noExits } from '../../../../common/trading/account.ts';
import { type ExitState, exitsFrom, peakAfter } from '../../../../common/trading/exits.ts';
import type { OpenTrade } from '../../orders/order-fills.ts';
import type { OrderRecord } from '../../orders/record.ts';
import type { AppliedFill, HeldLot } from '../../positions/fill-book.ts';
import { heldLot } from '../../positions/fills/held-lot.ts';
import { planFill } from '../../positions/fills/plan-fill.ts';
import { afterMoved, afterPart, openedBy } from '../../positions/fills/position-after.ts';
import type { PositionFillRecord, PositionRecord } from '../../positions/record.ts';
import type { TapePosition } from '../../tape/format.ts';

/** A position of a replay with what its exits have seen. */
export interface DeskPosition {
  record: PositionRecord;
  peakPrice: number;
  /** Rises (percent) of the steps that have fired, of a recorded plan; those of an own plan are in `record`, as live. */
  stepsDone: number[];
  /** Whether a sale of it is out. */
  isSelling: boolean;
  /** When an exit of an own plan that did not get through may be tried again, epoch ms; 0: at any time. */
  sellsAgainAt: number;
}

/** Positions in memory, by the rules of the stored ones. */
export interface DeskPositions {
  /** Adds what an order that is over has moved. `at`: epoch ms. */
  apply(order: OrderRecord, at: number): AppliedFill;
  /** The same for an order whose effect is known. */
  applyFill(fill: PositionFillRecord): AppliedFill;
  /** Closes all open positions without a sale. `at`: epoch ms. */
  drop(at: number): void;
  /** Takes what the exits of open positions have seen before. */
  restore(states: readonly TapePosition[]): void;
  openOf(address: string): DeskPosition[];
  open(): DeskPosition[];
  find(id: Types.ObjectId): DeskPosition | null;
  all(): DeskPosition[];
  /** Returns what a wallet holds of a token, over all origins, after orders whose effect is in no position yet. */
  lot(wallet: string, address: string, missing?: readonly OpenTrade[]): HeldLot;
}

/** `defaultExits`: of positions whose order names none. */
export function createDeskPositions(defaultExits: Exits = noExits): DeskPositions {
  const positions = new Map<string, DeskPosition>();
  const openByAddress = new Map<string, Set<DeskPosition>>();
  const open = () => [...openByAddress.values()].flatMap((some) => [...some]);
  const openOf = (address: string) => [...(openByAddress.get(address) ?? [])];

  function add(record: PositionRecord): DeskPosition {
    const position = { record, peakPrice: record.entryPrice, stepsDone: [], isSelling: false, sellsAgainAt: 0 };
    positions.set(record._id.toHexString(), position);
    const open = openByAddress.get(record.token.address) ?? new Set();
    openByAddress.set(record.token.address, open.add(position));
    return position;
  }

  function set(position: DeskPosition, record: PositionRecord): void {
    position.record = record;
    if (record.open) return;
    const open = openByAddress.get(record.token.address);
    open?.delete(position);
    if (open?.size === 0) openByAddress.delete(record.token.address);
  }

  function applyFill(fill: PositionFillRecord): AppliedFill {
    let first: AppliedFill | null = null;
    for (const part of fill.parts) {
      const known = positions.get(part.positionId.toHexString());
      if (known) set(known, afterPart(known.record, fill, part));
      // A sale of a position that is not followed here.
      else if (part.type !== 'purchase') continue;
      const { record } = known ?? add(openedBy(fill, part, fill.exits ?? defaultExits));
      const { realisedLamports = 0, opened = false, closed = false } = record.last ?? {};
      if (fill.hasFill) first ??= { positionId: record._id.toHexString(), realisedLamports, opened, closed };
      else first ??= { positionId: null, realisedLamports, opened: false, closed: false };
    }
    return first ?? { positionId: null, realisedLamports: 0, opened: false, closed: false };
  }

  /** Returns the open positions of a wallet in a token, oldest first as the stored ones. */
  function ofHolding(wallet: string, address: string): PositionRecord[] {
    const records = openOf(address).flatMap(({ record }) => (record.wallet === wallet ? record : []));
    return records.toSorted((one, other) => (one._id.toHexString() < other._id.toHexString() ? -1 : 1));
  }

  return {
    apply: (order, at) => applyFill(planFill(order, ofHolding(order.wallet, order.token.address), at)),
    applyFill,
    drop(at) {
      for (const position of open()) {
        const { record } = position;
        set(position, { ...afterMoved(record, BigInt(record.tokens), at), holdsPlace: false });
      }
    },
    restore(states) {
      for (const { id, peakPrice, stepsDone, isSelling } of states) {
        const position = positions.get(id);
        if (position) Object.assign(position, { peakPrice, stepsDone: [...stepsDone], isSelling });
      }
    },
    openOf,
    open,
    find: (id) => positions.get(id.toHexString()) ?? null,
    all: () => [...positions.values()],
    lot: (wallet, address, missing = []) => heldLot(ofHolding(wallet, address), missing),
  };
}

/** Returns the facts that a position's exits depend on. */
export function exitStateOf({ record, peakPrice, stepsDone }: DeskPosition): ExitState {
  return { entryPrice: record.entryPrice, peakPrice, openedAt: record.openedAt.getTime(), stepsDone };
}

/** Returns the exits of a position. */
export function exitsOf({ record }: DeskPosition): Exits {
  return exitsFrom(record.exits);
}

/** Counts a price for a position's highest one. */
export function notePrice(position: DeskPosition, price: number | null): void {
  position.peakPrice = peakAfter(position.peakPrice, price);
}
