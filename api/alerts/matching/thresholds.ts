/** What a token shows: risk in percent 0–100, liquidity in SOL. */
export interface Point {
  risk: number;
  liquidity: number;
}

/** What a user wants: risk below `maxRisk`, percent, and at least `minLiquidity`, SOL. */
export interface Threshold {
  maxRisk: number;
  minLiquidity: number;
}

/**
 * Who could match, in order of what they want: so that a token that moves asks only those whose threshold lies between
 * where it was and where it is now. Users are small whole numbers.
 */
export interface Thresholds {
  /** Null: this user wants nothing. */
  set(user: number, threshold: Threshold | null): void;
  get(user: number): Threshold | undefined;
  /**
   * Visits everyone whom `now` satisfies, but of those whom `before` satisfied already none, or not all. `before` null: nobody
   * was asked yet.
   */
  reached(now: Point, before: Point | null, visit: (user: number) => void): void;
}

export function createThresholds(): Thresholds {
  const wanted = new Map<number, Threshold>();
  const byLiquidity = createSorted();
  const byRisk = createSorted();

  return {
    get: (user) => wanted.get(user),
    set(user, threshold) {
      const before = wanted.get(user);
      if (before) {
        byLiquidity.remove(before.minLiquidity, user);
        byRisk.remove(before.maxRisk, user);
        wanted.delete(user);
      }
      if (!threshold) return;
      wanted.set(user, threshold);
      byLiquidity.add(threshold.minLiquidity, user);
      byRisk.add(threshold.maxRisk, user);
    },
    reached(now, before, visit) {
      const satisfied = (user: number) => {
        const threshold = wanted.get(user);
        if (threshold && satisfies(now, threshold)) visit(user);
      };
      // Those who wait for more liquidity than there was …
      byLiquidity.between(before?.liquidity ?? Number.NEGATIVE_INFINITY, now.liquidity, satisfied);
      if (!before || now.risk >= before.risk) return;
      // … and those who wait for less risk: theirs is at most what the risk was. Who was visited above is not visited again.
      byRisk.between(now.risk, before.risk, (user) => {
        if ((wanted.get(user)?.minLiquidity ?? 0) <= before.liquidity) satisfied(user);
      });
    },
  };
}

export function satisfies({ risk, liquidity }: Point, { maxRisk, minLiquidity }: Threshold): boolean {
  return risk < maxRisk && liquidity >= minLiquidity;
}

/** True when whoever `now` satisfies was satisfied by `before`: what every trade asks, so that most of them ask nobody. */
export function saysNothingNew(now: Point, before: Point): boolean {
  return now.risk >= before.risk && now.liquidity <= before.liquidity;
}

/** Users in order of a value. Ten thousand are moved in microseconds, and settings change far less often than prices. */
function createSorted() {
  const values: number[] = [];
  const users: number[] = [];

  /** The first place whose value is more than `value`. */
  function after(value: number): number {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[middle] ?? Number.POSITIVE_INFINITY) > value) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    add(value: number, user: number) {
      const place = after(value);
      values.splice(place, 0, value);
      users.splice(place, 0, user);
    },
    remove(value: number, user: number) {
      const place = users.lastIndexOf(user, after(value) - 1);
      if (place < 0) return;
      values.splice(place, 1);
      users.splice(place, 1);
    },
    /** Values above `low`, up to and including `high`. */
    between(low: number, high: number, visit: (user: number) => void) {
      const end = after(high);
      for (let place = after(low); place < end; place += 1) {
        const user = users[place];
        if (user !== undefined) visit(user);
      }
    },
  };
}
