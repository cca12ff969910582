import { createHolds, type HoldReason } from './holds.ts';

/** Least time between two changes that move rows, ms. */
export const SLIDE_EVERY_MS = 1_000;

export interface MotionView {
  shown: readonly string[];
  /** The choice that `shown` belongs to. */
  choice: string;
  /** Number of tokens that are not shown because the list is held. */
  waiting: number;
  /** Whether more tokens wait than `waiting`: the list no longer reaches down to the rows shown. */
  moreWaiting: boolean;
  /** Whether rows left the list or changed places, and only `release` shows that: on touch. */
  behind: boolean;
  /** Number of changes so far that moved rows, except those the user asked for by another choice. */
  slides: number;
  /** Rows that the last of them moved the first remaining row: positive downwards. */
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
   * Takes the list as it is now. Another `choice` (filter, text, order) shows it at once, also while the list is held,
   * and so does a response to it: `responses`, the number of responses that the list is made from, grows.
   */
  offer(addresses: readonly string[], choice: string, responses?: number): void;
  hold(reason: HoldReason, on: boolean): void;
  /** Reports an approaching mouse, a key or the wheel: holds the list for ATTENTION_MS. */
  attend(): void;
  /** Shows everything that waits, once; the holds continue. */
  release(): void;
  stop(): void;
}

const none: readonly string[] = [];
/** The list is shown as it is. */
const current = { waiting: 0, moreWaiting: false, behind: false } satisfies Partial<MotionView>;

/** Keeps the view, and calls its listeners when it changes. */
function createView() {
  let view: MotionView = { shown: none, choice: '', ...current, slides: 0, shift: 0 };
  const listeners = new Set<() => void>();
  return {
    view: () => view,
    set(next: Partial<MotionView>): void {
      if (Object.entries(next).every(([name, value]) => Reflect.get(view, name) === value)) return;
      view = { ...view, ...next };
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function createListMotion(clock: MotionClock): ListMotion {
  const { view, set, subscribe } = createView();
  let offered = none;
  let choice: string | null = null;
  let responded = 0;
  const holds = createHolds();
  let slidAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;

  function slide(now: number): void {
    const before = view().shown;
    slidAt = now;
    set({ shown: offered, ...current, slides: view().slides + 1, shift: shiftOf(before, offered) });
  }

  function settle(): void {
    cancel?.();
    cancel = null;
    if (startsWith(offered, view().shown)) {
      set({ shown: offered.length === view().shown.length ? view().shown : offered, ...current });
      return;
    }
    const now = clock.now();
    const due = Math.max(holds.until(), slidAt + SLIDE_EVERY_MS);
    if (now >= due) {
      slide(now);
      return;
    }
    const { shown, ...wait } = append(view().shown, offered);
    // Rows that only left the end moved no other.
    const behind = holds.has('touch') && !startsWith(shown, offered);
    set(now < holds.until() ? { shown, ...wait, behind } : { shown, ...current });
    if (Number.isFinite(due)) cancel = clock.after(due - now, settle);
  }

  return {
    view,
    subscribe,
    offer(addresses, chosen, responses = 0) {
      const isResponse = chosen === choice && responses > responded;
      responded = responses;
      if (addresses === offered && chosen === choice && !isResponse) return;
      offered = addresses;
      if (chosen !== choice) {
        // Rows of the user's own choice open at once, and stay for as long as after any other change.
        if (choice !== null) slidAt = clock.now();
        choice = chosen;
        set({ shown: addresses, choice, ...current });
      } else if (isResponse && !startsWith(addresses, view().shown)) {
        // The choice itself has shown loaded rows, and the user may aim at them by now.
        slidAt = clock.now();
        set({ shown: addresses, ...current });
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
      if (!startsWith(offered, view().shown)) slide(clock.now());
      settle();
    },
    stop: () => cancel?.(),
  };
}

function startsWith(rows: readonly string[], first: readonly string[]): boolean {
  return rows === first || (rows.length >= first.length && first.every((address, place) => rows[place] === address));
}

/** Adds the rows of `offered` after the last one that is shown, e.g. an older page; counts the others as waiting. */
function append(
  shown: readonly string[],
  offered: readonly string[],
): Pick<MotionView, 'shown' | 'waiting' | 'moreWaiting'> {
  const known = new Set(shown);
  const last = offered.findLastIndex((address) => known.has(address));
  const unknown = offered.filter((address) => !known.has(address)).length;
  const after = last < 0 ? none : offered.slice(last + 1);
  const waiting = unknown - after.length;
  return {
    shown: after.length > 0 ? [...shown, ...after] : shown,
    waiting,
    moreWaiting: last < 0 && waiting > 0 && shown.length > 0,
  };
}

/** Returns by how many places the first row moved that both lists have; 0 without one. */
function shiftOf(from: readonly string[], to: readonly string[]): number {
  const places = new Map(to.map((address, place) => [address, place]));
  const first = from.findIndex((address) => places.has(address));
  return first < 0 ? 0 : (places.get(from[first] ?? '') ?? first) - first;
}
