/** Time for which a mouse that approaches, a key or the wheel holds a list, ms. */
export const ATTENTION_MS = 1_500;

/**
 * Why rows keep their places: the user paused the list, a mouse is over it, a row has the focus, rows above are
 * scrolled out of sight, or it is used by touch, which shows no aim before it lands.
 */
export type HoldReason = 'paused' | 'over' | 'focus' | 'scrolled' | 'touch';

/** What keeps the rows of a list at their places. */
interface Holds {
  /** Time from which the rows may move, in the clock's ms; in the past when they may, infinite while a reason lasts. */
  until(): number;
  has(reason: HoldReason): boolean;
  /** Returns whether this changed the reasons. */
  set(reason: HoldReason, on: boolean): boolean;
  /** Holds for ATTENTION_MS from `now`. */
  attend(now: number): void;
  /** Forgets the last sign of attention. */
  relax(): void;
}

export function createHolds(): Holds {
  const reasons = new Set<HoldReason>();
  let attentionUntil = Number.NEGATIVE_INFINITY;
  return {
    until: () => (reasons.size > 0 ? Number.POSITIVE_INFINITY : attentionUntil),
    has: (reason) => reasons.has(reason),
    set(reason, on) {
      if (reasons.has(reason) === on) return false;
      if (on) reasons.add(reason);
      else reasons.delete(reason);
      return true;
    },
    attend(now) {
      attentionUntil = now + ATTENTION_MS;
    },
    relax() {
      attentionUntil = Number.NEGATIVE_INFINITY;
    },
  };
}
