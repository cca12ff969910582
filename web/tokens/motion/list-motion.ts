import { createHolds, type HoldReason } from './holds.ts';

/** Least time between two changes that move rows, ms. */
export const SLIDE_EVERY_MS = 1_000;
/** Time after its arrival at a place during which a row does not open, ms: too short to see it and to aim again. */
export const LANDING_MS = 450;

export interface MotionView {
  shown: readonly string[];
  /** Number of tokens that are not shown because the list is held. */
  waiting: number;
  /** Number of changes so far that moved rows, except those the user asked for by another choice. */
  slides: number;
  /** Rows by which the last of them moved the first remaining row: positive downwards. */
  shift: number;
}

/** Monotonic clock and timer. `after` returns a function that cancels. */
export interface MotionClock {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** Decides when the rows of a live list change their places, so that the row aimed at is the row that opens. */
export interface ListMotion {
  view(): MotionView;
  subscribe(listener: () => void): () => void;
  /**
   * Takes the list as it is now. Another `choice` (filter, text, order) shows it at once, also while the list is held.
   */
  offer(addresses: readonly string[], choice: string): void;
  hold(reason: HoldReason, on: boolean): void;
  /** Reports an approaching mouse, a key or the wheel: holds the list for ATTENTION_MS. */
  attend(): void;
  /** Shows everything that waits, once; the holds continue. */
  release(): void;
  /**
   * Returns the row that was at the place of `address` until less than LANDING_MS before `at`; null when the row has
   * been there longer, or when the place is new.
   */
  landing(address: string, at: number): string | null;
  stop(): void;
}

const none: readonly string[] = [];

export function createListMotion(clock: MotionClock): ListMotion {
  let view: MotionView = { shown: none, waiting: 0, slides: 0, shift: 0 };
  let offered = none;
  let choice: string | null = null;
  const holds = createHolds();
  let slidAt = Number.NEGATIVE_INFINITY;
  /** Rows before the last slide. */
  let before = none;
  let cancel: (() => void) | null = null;
  const listeners = new Set<() => void>();

  function set(next: Partial<MotionView>): void {
    const changed = { ...view, ...next };
    if (changed.shown === view.shown && changed.waiting === view.waiting && changed.slides === view.slides) return;
    view = changed;
    for (const listener of listeners) listener();
  }

  function slide(now: number): void {
    before = view.shown;
    slidAt = now;
    set({ shown: offered, waiting: 0, slides: view.slides + 1, shift: shiftOf(before, offered) });
  }

  function settle(): void {
    cancel?.();
    cancel = null;
    if (startsWith(offered, view.shown)) {
      set({ shown: offered.length === view.shown.length ? view.shown : offered, waiting: 0 });
      return;
    }
    const now = clock.now();
    const due = Math.max(holds.until(), slidAt + SLIDE_EVERY_MS);
    if (now >= due) {
      slide(now);
      return;
    }
    const kept = append(view.shown, offered);
    set({ shown: kept.shown, waiting: now < holds.until() ? kept.waiting : 0 });
    if (Number.isFinite(due)) cancel = clock.after(due - now, settle);
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    offer(addresses, chosen) {
      if (addresses === offered && chosen === choice) return;
      offered = addresses;
      if (chosen !== choice) {
        choice = chosen;
        before = none;
        slidAt = Number.NEGATIVE_INFINITY;
        set({ shown: addresses, waiting: 0 });
      }
      settle();
    },
    hold(reason, on) {
      if (!holds.set(reason, on)) return;
      // The key or click that ends a pause is no sign of aiming.
      if (reason === 'paused' && !on) holds.relax();
      settle();
    },
    // A change that is already due asks again when its time comes.
    attend: () => holds.attend(clock.now()),
    release() {
      holds.relax();
      if (!startsWith(offered, view.shown)) slide(clock.now());
      settle();
    },
    landing(address, at) {
      const previous = at - slidAt < LANDING_MS ? before[view.shown.indexOf(address)] : undefined;
      return previous === undefined || previous === address ? null : previous;
    },
    stop: () => cancel?.(),
  };
}

function startsWith(rows: readonly string[], first: readonly string[]): boolean {
  return rows === first || (rows.length >= first.length && first.every((address, place) => rows[place] === address));
}

/** Adds the rows of `offered` after the last one that is shown, e.g. an older page; counts the others as waiting. */
function append(shown: readonly string[], offered: readonly string[]): { shown: readonly string[]; waiting: number } {
  const known = new Set(shown);
  const last = offered.findLastIndex((address) => known.has(address));
  const unknown = offered.filter((address) => !known.has(address)).length;
  const after = last < 0 ? none : offered.slice(last + 1);
  return { shown: after.length > 0 ? [...shown, ...after] : shown, waiting: unknown - after.length };
}

/** Returns by how many places the first row moved that both lists have; 0 without one. */
function shiftOf(from: readonly string[], to: readonly string[]): number {
  const places = new Map(to.map((address, place) => [address, place]));
  const first = from.findIndex((address) => places.has(address));
  return first < 0 ? 0 : (places.get(from[first] ?? '') ?? first) - first;
}
