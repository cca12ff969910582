import type { Types } from 'mongoose';
import { noExits } from '../../../../common/trading/account.ts';
import { peakAfter } from '../../../../common/trading/exits.ts';
import type { OpenTrade, OrderRecord } from '../../orders/model.ts';
import type { AppliedFill, HeldLot } from '../../positions/fill-book.ts';
import type { PositionRecord } from '../../positions/model.ts';
import { afterPart, heldLot, openedBy, planFill, soldTokens } from '../../positions/plan-fill.ts';

/** A position of a replay with what its exits have seen. */
export interface DeskPosition {
  record: PositionRecord;
  peakPrice: number;
  /** Whether a sale of it is open. */
  isSelling: boolean;
  /** When an exit that did not get through may be tried again, epoch ms; 0: at any time. */
  sellsAgainAt: number;
}

/** Creates positions in memory, by the rules of the stored ones. */
export function createDeskPositions() {
  const positions = new Map<string, DeskPosition>();
  const openByAddress = new Map<string, Set<DeskPosition>>();
  const open = () => [...openByAddress.values()].flatMap((some) => [...some]);
  const openOf = (address: string) => [...(openByAddress.get(address) ?? [])];

  function add(record: PositionRecord): DeskPosition {
    const position = { record, peakPrice: record.entryPrice, isSelling: false, sellsAgainAt: 0 };
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

  /** Returns the open positions of a wallet in a token, oldest first as the stored ones. */
  function ofHolding(wallet: string, address: string): PositionRecord[] {
    const records = openOf(address).flatMap(({ record }) => (record.wallet === wallet ? record : []));
    return records.toSorted((one, other) => (one._id.toHexString() < other._id.toHexString() ? -1 : 1));
  }

  return {
    /** Adds what an order that is over has moved. `at`: epoch ms. */
    apply(order: OrderRecord, at: number): AppliedFill {
      const fill = planFill(order, ofHolding(order.wallet, order.token.address), at);
      const [part] = fill.parts;
      if (!part) return notApplied;
      const known = positions.get(part.positionId.toHexString());
      if (known) set(known, afterPart(known.record, fill, part));
      const { record } = known ?? add(openedBy(fill, part, fill.exits ?? noExits));
      const { realisedLamports = 0, opened = false, closed = false } = record.last ?? {};
      const positionId = fill.hasFill ? record._id.toHexString() : null;
      return { positionId, realisedLamports, soldTokens: soldTokens([part]), opened, closed };
    },
    openOf,
    open,
    find: (id: Types.ObjectId) => positions.get(id.toHexString()) ?? null,
    all: () => [...positions.values()],
    /** Returns what a wallet holds of a token, after orders whose effect is in no position yet. */
    lot: (wallet: string, address: string, missing: readonly OpenTrade[] = []): HeldLot =>
      heldLot(ofHolding(wallet, address), missing),
  };
}

export type DeskPositions = ReturnType<typeof createDeskPositions>;

/** Effect of an order that moved nothing. */
export const notApplied: AppliedFill = {
  positionId: null,
  realisedLamports: 0,
  soldTokens: 0n,
  opened: false,
  closed: false,
};

/** Counts a price for a position's highest one. */
export function notePrice(position: DeskPosition, price: number | null): void {
  position.peakPrice = peakAfter(position.peakPrice, price);
}
