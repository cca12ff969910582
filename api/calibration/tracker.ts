import { CALIBRATION_AGES, MIN_CASE_LIQUIDITY, SETTLED_AFTER } from '../../common/calibration/rules.ts';
import { SECOND } from '../../common/time.ts';
import type { DomainEvents } from '../events/events.ts';
import type { CoinState, LeftOutCase, LeftOutReason, OpenCase } from './case.ts';

/** Coins followed at once; about six times the launches of two hours. Further ones are not followed. */
const MAX_COINS = 30_000;
/** Greatest delay of a snapshot: this share of the age, at least `LEAST_DELAY` ms. A later one would describe another age. */
const MAX_DELAY_SHARE = 0.1;
const LEAST_DELAY = 5 * SECOND;
/** Age up to which a coin is followed from its first observation on, ms. */
export const OLDEST_FOLLOWED = latestAt(CALIBRATION_AGES[3]);

/** A coin with an open case, or whose age will reach a recorded age or has just reached the last one. */
interface FollowedCoin {
  state: CoinState;
  /** Place of its next age in `CALIBRATION_AGES`. */
  next: number;
  /** Time of its next snapshot or settlement, epoch ms. */
  dueAt: number;
  /** In the order in which they settle. */
  open: OpenCase[];
}

/** The cases whose hour ended in a round, and the snapshots that gave no case. */
export interface Round {
  ended: OpenCase[];
  leftOut: LeftOutCase[];
}

/** Follows coins from their creation on: their state at the recorded ages, and the extremes of the hour after each. In memory only. */
export type Tracker = ReturnType<typeof createTracker>;

/** The followed coins, and the cases to write. */
interface State {
  readonly rulesVersion: number;
  readonly coins: Map<string, FollowedCoin>;
  changed: Set<OpenCase>;
  openCases: number;
  /** Snapshots that were due by then are an earlier run's, epoch ms. */
  resumedAt: number;
}

export function createTracker(rulesVersion: number) {
  const state: State = { rulesVersion, coins: new Map(), changed: new Set(), openCases: 0, resumedAt: 0 };
  const { coins } = state;
  return {
    /** Number of cases whose hour is running. */
    get openCases(): number {
      return state.openCases;
    },
    /** Takes no snapshot that was due at `at` (epoch ms) or before, because an earlier run has taken it. */
    resume(at: number): void {
      state.resumedAt = at;
    },
    /** Takes over the present state of a coin. A coin beyond the recorded ages without an open case is ignored. */
    update: (coin: CoinState, now: number): void => update(state, coin, now),
    /** Takes over a case of an earlier run; `state` is the present state of its coin. */
    restore: (open: OpenCase, coin: CoinState): void => restore(state, open, coin),
    /** Takes no further snapshot of a coin at the age of a closed case of an earlier run, nor at a lower one. */
    skip(closed: OpenCase): void {
      const coin = coins.get(closed.address);
      if (coin === undefined) return;
      coin.next = Math.max(coin.next, placeAfter(closed.age));
      schedule(coin);
    },
    /** Opens and ends everything that is due. */
    round(now: number): Round {
      const round: Round = { ended: [], leftOut: [] };
      for (const coin of coins.values()) if (coin.dueAt <= now) advance(state, coin, now, round);
      return round;
    },
    /** Closes all cases without an outcome, because part of their hour was not observed. Returns them. */
    interrupt(): OpenCase[] {
      const interrupted: OpenCase[] = [];
      for (const coin of coins.values()) {
        interrupted.push(...coin.open.splice(0));
        schedule(coin);
      }
      state.changed = new Set();
      state.openCases = 0;
      return interrupted;
    },
    /** Forgets removed coins with their cases. */
    remove(removed: DomainEvents['token-removed']): void {
      const gone = 'all' in removed ? [...coins.values()] : removed.addresses.flatMap((one) => coins.get(one) ?? []);
      for (const coin of gone) drop(state, coin);
    },
    /** Returns the cases that are new or changed since the last call. */
    takeChanged(): OpenCase[] {
      const taken = [...state.changed];
      state.changed = new Set();
      return taken;
    },
    /** Marks cases as changed again after a failed write. Cases that ended meanwhile are left out. */
    restoreChanged(cases: readonly OpenCase[]): void {
      for (const open of cases) if (coins.get(open.address)?.open.includes(open) === true) state.changed.add(open);
    },
  };
}

function update(state: State, present: CoinState, now: number): void {
  const { coins, changed } = state;
  const known = coins.get(present.address);
  if (known !== undefined) {
    known.state = present;
    for (const open of known.open) if (widen(open, present)) changed.add(open);
    return;
  }
  if (now - present.createdAt > OLDEST_FOLLOWED || coins.size >= MAX_COINS) return;
  schedule(follow(state, present));
}

/** Begins to follow a coin, from the first age that it had not reached when an earlier run ended. */
function follow({ coins, resumedAt }: State, present: CoinState): FollowedCoin {
  const coin: FollowedCoin = { state: present, next: placeAfter(resumedAt - present.createdAt), dueAt: 0, open: [] };
  coins.set(present.address, coin);
  return coin;
}

function restore(state: State, open: OpenCase, present: CoinState): void {
  const coin = state.coins.get(open.address) ?? follow(state, present);
  coin.next = Math.max(coin.next, placeAfter(open.age));
  coin.open.push(open);
  coin.open.sort((a, b) => a.settlesAt - b.settlesAt);
  state.openCases += 1;
  if (widen(open, present)) state.changed.add(open);
  schedule(coin);
}

/** Ends the cases of a coin that are due, and takes the snapshots that are. */
function advance(state: State, coin: FollowedCoin, now: number, round: Round): void {
  const running = coin.open.findIndex(({ settlesAt }) => now < settlesAt);
  for (const open of coin.open.splice(0, running < 0 ? coin.open.length : running)) {
    state.changed.delete(open);
    state.openCases -= 1;
    round.ended.push(open);
  }
  const { createdAt } = coin.state;
  for (const age of CALIBRATION_AGES.slice(coin.next)) {
    if (now < createdAt + age) break;
    coin.next += 1;
    if (now <= createdAt + latestAt(age)) snapshot(state, coin, { age, takenAt: now }, round);
  }
  const isDone = coin.next >= CALIBRATION_AGES.length && coin.open.length === 0;
  if (isDone && now > createdAt + OLDEST_FOLLOWED) drop(state, coin);
  else schedule(coin);
}

function snapshot(
  state: State,
  { state: present, open }: FollowedCoin,
  { age, takenAt }: { age: number; takenAt: number },
  round: Round,
): void {
  const { rulesVersion } = state;
  const reason = reasonAgainst(present);
  if (reason !== null) {
    round.leftOut.push({ market: present.market, rulesVersion, age, takenAt, reason });
    return;
  }
  const opened = openCase(present, { rulesVersion, age, takenAt });
  open.push(opened);
  state.changed.add(opened);
  state.openCases += 1;
}

function drop(state: State, coin: FollowedCoin): void {
  state.coins.delete(coin.state.address);
  for (const open of coin.open) state.changed.delete(open);
  state.openCases -= coin.open.length;
}

/** Returns the fields that name the case. */
export function identityOf({ market, rulesVersion, age, takenAt }: OpenCase): Omit<LeftOutCase, 'reason'> {
  return { market, rulesVersion, age, takenAt };
}

function openCase(
  { createdAt, ...state }: CoinState,
  { rulesVersion, age, takenAt }: Pick<OpenCase, 'rulesVersion' | 'age' | 'takenAt'>,
): OpenCase {
  const liquidity = state.liquidity ?? 0;
  return {
    ...state,
    _id: `${state.address}:${age}`,
    rulesVersion,
    age,
    takenAt,
    settlesAt: takenAt + SETTLED_AFTER,
    liquidity,
    lowestLiquidity: liquidity,
    highestPrice: state.price,
    graduated: false,
  };
}

function reasonAgainst({ liquidity, complete }: CoinState): LeftOutReason | null {
  if (!complete) return 'incomplete';
  return liquidity === null || liquidity < MIN_CASE_LIQUIDITY ? 'small' : null;
}

function schedule(coin: FollowedCoin): void {
  const age = CALIBRATION_AGES[coin.next];
  const snapshotAt = age === undefined ? Number.POSITIVE_INFINITY : coin.state.createdAt + age;
  const settlesAt = coin.open[0]?.settlesAt ?? Number.POSITIVE_INFINITY;
  const dueAt = Math.min(snapshotAt, settlesAt);
  // A coin with nothing left is kept while an update could make it followed again, which would repeat its last snapshot.
  coin.dueAt = Number.isFinite(dueAt) ? dueAt : coin.state.createdAt + OLDEST_FOLLOWED + 1;
}

/** Returns the place of the first recorded age above `age`, ms; the number of ages when there is none. */
function placeAfter(age: number): number {
  const place = CALIBRATION_AGES.findIndex((recorded) => recorded > age);
  return place < 0 ? CALIBRATION_AGES.length : place;
}

/** Returns the latest age, ms, for taking the snapshot of an age. */
function latestAt(age: number): number {
  return age + Math.max(LEAST_DELAY, age * MAX_DELAY_SHARE);
}

/** Widens the extremes of a case by the present state of its coin. Returns true when the case changed. */
function widen(open: OpenCase, { liquidity, price, stage, complete }: CoinState): boolean {
  let changed = false;
  if (liquidity !== null && liquidity < open.lowestLiquidity) {
    open.lowestLiquidity = liquidity;
    changed = true;
  }
  if (price !== null && open.highestPrice !== null && price > open.highestPrice) {
    open.highestPrice = price;
    changed = true;
  }
  if (!open.graduated && open.stage === 'curve' && stage !== 'curve') {
    open.graduated = true;
    changed = true;
  }
  if (open.complete && !complete) {
    open.complete = false;
    changed = true;
  }
  return changed;
}
