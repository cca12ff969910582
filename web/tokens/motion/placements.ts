/** Time after its arrival at a place during which a row does not open, ms: too short to see it and to aim again. */
export const LANDING_MS = 450;
/** Time after a change of the trade at a place during which a press there trades nothing, ms. */
export const TRADE_LANDING_MS = 1_500;
/** Changes that are kept: more than a list makes in TRADE_LANDING_MS. */
const CHANGES_MAX = 32;

/** The rows of a list and their places. */
export interface Placement {
  rows: readonly string[];
  /** The choice that the rows belong to. */
  choice: string;
  /** Distance of the first row from the top of the page, px. */
  top: number;
  /** Height of a row, px. */
  height: number;
}

/** A row that has only just arrived at a place. */
export interface Landing {
  /** The row that was at the place before; null when the place was outside the list. */
  previous: string | null;
}

/** Remembers for a moment where the rows of a list were before a change of the rows or of the page moved them. */
export interface Placements {
  /** Takes the rows as they are now. Rows of another choice open at once: the user asked for them. */
  note(placement: Placement, now: number): void;
  /**
   * Returns whether the row `address` has arrived at `y`, px from the top of the page, less than `within` ms before `at`;
   * null when it has been there longer, or when the place is new.
   */
  landing(address: string, y: number, at: number, within?: number): Landing | null;
}

export function createPlacements(): Placements {
  let current: Placement | null = null;
  /** Earlier placements, oldest first, with the times when they ended. */
  let past: { placement: Placement; endedAt: number }[] = [];
  return {
    note(placement, now) {
      if (current === null || current.choice !== placement.choice) past = [];
      else if (!isSame(current, placement)) {
        past = [...past, { placement: current, endedAt: now }].slice(-CHANGES_MAX);
      }
      current = placement;
    },
    landing(address, y, at, within = LANDING_MS) {
      for (const { placement, endedAt } of past) {
        if (at - endedAt >= within) continue;
        const previous = rowAt(placement, y);
        if (previous === address) continue;
        const isNewPlace = previous === null && placement.top === current?.top && placement.height === current.height;
        if (!isNewPlace) return { previous };
      }
      return null;
    },
  };
}

function isSame(one: Placement, other: Placement): boolean {
  if (one.top !== other.top || one.height !== other.height) return false;
  if (one.rows === other.rows) return true;
  return one.rows.length === other.rows.length && one.rows.every((address, at) => address === other.rows[at]);
}

function rowAt({ rows, top, height }: Placement, y: number): string | null {
  return rows[Math.floor((y - top) / height)] ?? null;
}
