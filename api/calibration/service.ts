import type { Logger } from 'pino';
import type {
  CalibrationMarket,
  CalibrationReport,
  CaseCounts,
  TokenCalibration,
} from '../../common/calibration/model.ts';
import { ageReports, type ComparedToken, compareToken } from '../../common/calibration/report.ts';
import { type Clock, MINUTE, SECOND } from '../../common/time.ts';
import type { EventSource } from '../events/bus.ts';
import type { DomainEvents } from '../events/events.ts';
import { coinState, type LeftOutReason, type OpenCase } from './case.ts';
import { createDayCounts, type DayCounts } from './day-counts.ts';
import type { CalibrationStore } from './store.ts';
import { createTracker, identityOf, OLDEST_FOLLOWED, type Tracker } from './tracker.ts';

/** Rounds between two writes. A crash loses the extremes of this many seconds. */
const ROUNDS_PER_WRITE = 30;
/**
 * Longest time without a round, ms, after which the open cases still count. The sources read missed trades afterwards, so the
 * figures after the gap are right; only a loss and recovery within it would stay unseen.
 */
const LONGEST_GAP = 2 * MINUTE;

/** Records what the verdict said about each coin and what happened then, and reports how often it was right. */
export type Calibration = ReturnType<typeof createCalibration>;

export interface CalibrationDeps {
  store: CalibrationStore;
  bus: EventSource;
  /** Version of the risk rules that new cases are recorded with. */
  rulesVersion: number;
  clock: Clock;
  log: Logger;
}

/** Parts and state of the service. */
interface State extends CalibrationDeps {
  tracker: Tracker;
  counts: DayCounts;
  /** Ids of stored cases that are no longer open. */
  closed: Set<string>;
  roundAt: number;
  rounds: number;
  /** Ends when the writes so far have ended. */
  writing: Promise<void>;
}

export function createCalibration(deps: CalibrationDeps) {
  const { bus, clock, rulesVersion } = deps;
  const state: State = {
    ...deps,
    log: deps.log.child({ part: 'calibration' }),
    tracker: createTracker(rulesVersion),
    counts: createDayCounts(),
    closed: new Set(),
    roundAt: clock.now(),
    rounds: 0,
    writing: Promise.resolve(),
  };
  const unsubscribe: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Continues the cases of an earlier run, and begins to record. */
    async start(): Promise<void> {
      await restore(state);
      unsubscribe.push(
        bus.on('token-changed', (event) => onTokensChanged(state, event)),
        bus.on('token-removed', (removed) => onTokensRemoved(state, removed)),
      );
      timer = setInterval(() => tick(state), SECOND);
      timer.unref();
    },
    /** Resolves when everything is stored, or storing failed. */
    async stop(): Promise<void> {
      clearInterval(timer);
      for (const end of unsubscribe.splice(0)) end();
      write(state);
      await state.writing;
    },
    /** Opens and settles the cases that are due, and writes now and then. Runs every second after the start. */
    tick: (): void => tick(state),
    report(market: CalibrationMarket): CalibrationReport {
      return {
        at: new Date(clock.now()).toISOString(),
        market,
        rulesVersion,
        since: state.counts.since(market, rulesVersion),
        pending: state.tracker.openCases,
        leftOut: state.counts.leftOut(market, rulesVersion),
        ages: ageReports(state.counts.totals(market, rulesVersion)),
      };
    },
    /** Returns the counts behind the report, of every version of the rules, oldest day first. */
    counts: (market: CalibrationMarket): CaseCounts[] => state.counts.rows(market),
    compare(token: ComparedToken): TokenCalibration {
      const totals = token.market === null ? [] : state.counts.totals(token.market, rulesVersion);
      return compareToken(token, rulesVersion, totals);
    },
  };
}

/** Loads counts and open cases. Cases of a longer gap, and of removed coins, come to nothing. */
async function restore(state: State): Promise<void> {
  const { store, tracker, counts, closed, clock } = state;
  const stored = await store.load();
  const now = clock.now();
  counts.load(stored.days);
  counts.expire(now);
  const isInterrupted = stored.aliveAt === null || now - stored.aliveAt > LONGEST_GAP;
  const addresses = isInterrupted ? [] : stored.cases.map(({ address }) => address);
  const coins = await store.coins(now - OLDEST_FOLLOWED, addresses);
  tracker.resume(stored.aliveAt ?? now);
  for (const coin of coins) tracker.update(coin, now);
  const coinsByAddress = new Map(coins.map((coin) => [coin.address, coin]));
  for (const open of stored.cases) {
    const coin = coinsByAddress.get(open.address);
    const isCounted = counts.isCounted(open);
    if (isCounted || isInterrupted) tracker.skip(open);
    if (isCounted) closed.add(open._id);
    else if (isInterrupted) leaveOut(state, open, 'interrupted');
    else if (coin === undefined) closed.add(open._id);
    else tracker.restore(open, coin);
  }
  state.roundAt = now;
}

function onTokensChanged({ tracker }: State, { at, changes }: DomainEvents['token-changed']): void {
  for (const { token, isComplete } of changes) {
    const coin = coinState(token, isComplete);
    if (coin !== null) tracker.update(coin, at);
  }
}

function onTokensRemoved(state: State, removed: DomainEvents['token-removed']): void {
  state.tracker.remove(removed);
  // After the write in progress, which may contain their cases.
  state.writing = state.writing
    .then(() => state.store.removeCases(removed))
    .catch((error: unknown) => state.log.warn({ error }, 'cases of removed tokens not deleted, they expire'));
}

function tick(state: State): void {
  const { tracker, counts, clock } = state;
  const now = clock.now();
  if (now - state.roundAt > LONGEST_GAP) {
    for (const open of tracker.interrupt()) leaveOut(state, open, 'interrupted');
  }
  state.roundAt = now;
  const { ended, leftOut } = tracker.round(now);
  for (const open of ended) {
    if (!open.complete) {
      leaveOut(state, open, 'incomplete');
      continue;
    }
    counts.settle(open, now);
    state.closed.add(open._id);
  }
  for (const snapshot of leftOut) counts.leaveOut(snapshot);
  state.rounds += 1;
  if (state.rounds % ROUNDS_PER_WRITE === 0) write(state);
}

function leaveOut({ counts, closed }: State, open: OpenCase, reason: LeftOutReason): void {
  counts.leaveOut({ ...identityOf(open), reason });
  closed.add(open._id);
}

/** Starts to write the changes, after the writes in progress. A failed write is repeated with the next one. */
function write(state: State): void {
  state.writing = state.writing.then(() => writeNow(state));
}

async function writeNow(state: State): Promise<void> {
  const { store, tracker, counts, clock, log, roundAt: aliveAt } = state;
  counts.expire(clock.now());
  const days = counts.takeChanged();
  const cases = tracker.takeChanged();
  const closed = [...state.closed];
  state.closed.clear();
  try {
    await store.write({ days, cases, closed, aliveAt });
  } catch (error) {
    counts.restoreChanged(days);
    tracker.restoreChanged(cases);
    for (const id of closed) state.closed.add(id);
    log.warn({ error }, 'calibration not stored, retrying');
  }
}
