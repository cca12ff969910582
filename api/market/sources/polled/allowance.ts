/** Credits used of a month's allowance, as stored between two starts. */
export interface Usage {
  /** Calendar month in UTC, such as `2026-11`. */
  month: string;
  used: number;
  /** Time of the last change, epoch ms. */
  at: number;
}

/** Credits that a plan includes a month, handed out evenly over the rest of the month. */
export interface Allowance {
  /** Returns ms until this many credits can be taken; 0: now. Never later than the next month. */
  readyIn(credits: number): number;
  /** Whether the month's allowance still contains this many credits. */
  includes(credits: number): boolean;
  take(credits: number): void;
  /** Continues with the usage of an earlier start. One of an earlier month has no effect. */
  restore(usage: Usage): void;
  /** Starts over with a full allowance, as of another account. */
  reset(): void;
  usage(): Usage;
  /** `resetsAt`: epoch ms. */
  read(): { limit: number; left: number; resetsAt: number };
}

/**
 * Creates a bucket that holds `burst` credits at most. It fills so that everything left is handed out by the end of the month.
 * Billing periods of accounts are unknown, so a period is a calendar month in UTC. `now`: epoch ms. Not rate-limiter-flexible,
 * whose rates are constant: this one depends on the credits and the time that the month still has.
 */
export function createAllowance(perMonth: number, burst: number, now: () => number): Allowance {
  let month = monthOf(now());
  let used = 0;
  /** Credits in the bucket at the time `at`. */
  let level = burst;
  let at = now();

  /** Returns the credits that drop into the bucket in one ms. */
  function rate(): number {
    return Math.max(0, perMonth - used - level) / Math.max(1, monthEnd(at) - at);
  }

  function advance(): void {
    const time = now();
    const present = monthOf(time);
    if (present > month) start(present, time);
    // A clock that was set back fills nothing.
    level = Math.min(burst, level + Math.max(0, time - at) * rate());
    at = time;
  }

  function start(present: string, time: number): void {
    month = present;
    used = 0;
    level = Math.min(burst, perMonth);
    at = time;
  }

  return {
    readyIn(credits) {
      advance();
      if (level >= credits) return 0;
      const untilNextMonth = Math.max(1, monthEnd(at) - at);
      if (perMonth - used < credits) return untilNextMonth;
      return Math.min(untilNextMonth, Math.max(1, Math.ceil((credits - level) / rate())));
    },
    includes(credits) {
      advance();
      return perMonth - used >= credits;
    },
    take(credits) {
      advance();
      used += credits;
      level -= credits;
    },
    restore(usage) {
      advance();
      if (usage.month !== month) return;
      used = usage.used;
      level = 0;
      at = Math.min(at, usage.at);
      advance();
    },
    reset() {
      start(monthOf(now()), now());
    },
    usage: () => ({ month, used, at }),
    read() {
      advance();
      return { limit: perMonth, left: Math.max(0, perMonth - used), resetsAt: monthEnd(at) };
    },
  };
}

function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** Returns the end of the month (UTC) that a time is in, epoch ms. */
export function monthEnd(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
