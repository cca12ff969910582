/** Time at which a limit of an account may end, or a refused order is asked for again, epoch ms. */
export interface Timer {
  at: number;
  of: 'user' | 'refusal';
  /** User id, or key of the order. */
  id: string;
}

/** Timers in the order of their time, whatever the order in which they were added. The same timer is kept once. */
export interface Timers {
  /** Epoch ms; Infinity without timers. */
  readonly nextAt: number;
  add(timer: Timer): void;
  /** Removes and returns the next timer that is due by `at` (epoch ms); undefined without one. */
  takeDue(at: number): Timer | undefined;
}

export function createTimers(): Timers {
  /** The next one last. */
  const timers: Timer[] = [];
  return {
    get nextAt() {
      return timers.at(-1)?.at ?? Number.POSITIVE_INFINITY;
    },
    add(timer) {
      let low = 0;
      let high = timers.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const other = timers[middle];
        if (other && isLater(other, timer)) low = middle + 1;
        else high = middle;
      }
      const known = timers[low];
      if (known && !isLater(timer, known)) return;
      timers.splice(low, 0, timer);
    },
    takeDue: (at) => ((timers.at(-1)?.at ?? Number.POSITIVE_INFINITY) <= at ? timers.pop() : undefined),
  };
}

function isLater(one: Timer, other: Timer): boolean {
  if (one.at !== other.at) return one.at > other.at;
  return one.of === other.of ? one.id > other.id : one.of > other.of;
}
