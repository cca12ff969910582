/** Point in the stream after which transactions may be missing. */
export interface ResumePoint {
  signature: string;
  /** Bounds the search by slot when the node does not know `signature`; null when unknown. */
  slot: number | null;
  /** As `slot`, by block time in epoch ms. */
  at: number | null;
}

/** Tracks the point to resume from after a lost connection. */
export type ResumeCursor = ReturnType<typeof createResumeCursor>;

/**
 * The point is the first transaction of the slot before the newest: the newest slot may be incomplete, and the overlap costs
 * little because known signatures are skipped.
 */
export function createResumeCursor() {
  let previous: ResumePoint | null = null;
  let newest: (ResumePoint & { slot: number }) | null = null;
  let subscription: { firstSlot: number | null } = { firstSlot: null };
  return {
    add(signature: string, slot: number): void {
      subscription.firstSlot ??= slot;
      if (newest !== null && slot <= newest.slot) return;
      previous = newest;
      newest = { signature, slot, at: null };
    },
    /** Returns the point to resume from; null before the first transaction. */
    point: (): ResumePoint | null => previous ?? newest,
    /** Marks a new subscription. Returns a getter of its first slot, null until it has received one. */
    subscribed(): () => number | null {
      const current: typeof subscription = { firstSlot: null };
      subscription = current;
      return () => current.firstSlot;
    },
  };
}
