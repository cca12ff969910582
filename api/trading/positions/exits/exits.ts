import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../../common/time.ts';
import { exitDueAt, hasExits } from '../../../../common/trading/exits.ts';
import type { Market } from '../../../market/market.ts';
import { pause, withTimeout } from '../../../platform/resilience.ts';
import type { PositionRecord } from '../model.ts';
import type { OpenBook } from '../open-book.ts';
import type { PositionService } from '../service.ts';
import { createFireExits } from './fire.ts';
import type { Peaks } from './peaks.ts';
import { AGAIN_MS, type SellExit } from './sell-exit.ts';

/** Interval in which present prices are judged besides each new one, and fired exits are continued, ms. */
const ROUND_MS = 2 * SECOND;
/** Time after the start in which a fired exit waits for the figures of its token, ms. */
const MARKET_WAIT_MS = 30 * SECOND;
/** Pause after a failed step: the database is away. */
const OUTAGE_PAUSE = SECOND;
/** Least time between two rounds for exits by time, ms. */
const DUE_MS = 50;
/** Sales that are made at once. More would all be late together, and leave the database no room for others. */
const SALES_AT_ONCE = 64;
/** A sale that takes longer makes room for the next one, ms: it waits for its market, and keeps no other one waiting. */
const SALE_MS = 10 * SECOND;

export interface ExitsDeps {
  book: OpenBook;
  market: Pick<Market, 'onMoved' | 'liveCoin' | 'stepsSince'>;
  updateAll: PositionService['updateAll'];
  /** Sells by the stored exit of a position. */
  sell: SellExit;
  peaks: Peaks;
  isPaused(position: Pick<PositionRecord, 'userId'>): boolean;
  clock: Clock;
  log: Logger;
}

/**
 * Sells positions by their exits: judged on every price, in the order of the trades, and by the time; the first one that fires wins.
 * Neither risk nor budget nor a stop is asked, unless the user has paused exits with the stop.
 */
export function createPositionExits(deps: ExitsDeps) {
  const { book, market, peaks, isPaused, clock, log } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sales = createSales(deps, signal);
  const fire = createFireExits({ updateAll: deps.updateAll, onFired: sales.run, signal, log });
  let timer: NodeJS.Timeout | undefined;
  let dueTimer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;
  let startedAt = 0;

  function judge(position: PositionRecord, price: number | null, at: number): void {
    const peak = peaks.of(position);
    peaks.raise(position._id, price);
    if (isPaused(position)) return;
    if (position.exit !== null) sales.run(position);
    fire.judge(position, { price, at, peak });
  }

  /** Judges present prices, which may be older than the exits or than a restart. */
  function round(): void {
    const isLate = clock.now() - startedAt > MARKET_WAIT_MS;
    sales.prune();
    for (const address of book.addresses()) {
      const judged = book.of(address).filter(isJudged);
      const coin = judged.length > 0 ? market.liveCoin(address) : null;
      // Without a market nothing can be sold, which must not count as a failure.
      if (!coin?.isLive && !isLate) continue;
      for (const position of judged) judge(position, coin?.isLive ? coin.price : null, clock.now());
    }
    awaitNextDue();
  }

  /** Has the positions judged at their next exit by time, when that is before the next round. */
  function awaitNextDue(): void {
    clearTimeout(dueTimer);
    const now = clock.now();
    let next = now + ROUND_MS;
    for (const { exit, exits, openedAt } of book.all()) {
      const dueAt = exit === null ? exitDueAt(exits, openedAt.getTime()) : null;
      if (dueAt !== null && dueAt > now && dueAt < next) next = dueAt;
    }
    if (next === now + ROUND_MS) return;
    dueTimer = setTimeout(round, Math.max(DUE_MS, next - now));
    dueTimer.unref();
  }

  return {
    start(): void {
      startedAt = clock.now();
      peaks.start();
      unsubscribe ??= market.onMoved(({ steps }) => {
        for (const { address, price, at } of steps) {
          for (const position of book.of(address)) judge(position, price, at);
        }
      });
      timer ??= setInterval(round, ROUND_MS);
      timer.unref();
    },
    /** Judges the prices of a position that was opened, from its purchase until it was stored. */
    opened(position: PositionRecord): void {
      if (unsubscribe === undefined) return;
      const { token, openedAt } = position;
      for (const { price, at } of market.stepsSince(token.address, openedAt.getTime())) judge(position, price, at);
    },
    /** Resolves after the present steps. */
    async stop(): Promise<void> {
      unsubscribe?.();
      clearInterval(timer);
      clearTimeout(dueTimer);
      stopping.abort();
      await Promise.all([fire.settled(), sales.settled(), peaks.stop()]);
    },
  };
}

/** Returns whether a position has something to judge without a new price. */
function isJudged({ exit, exits, status }: PositionRecord): boolean {
  return status !== 'stuck' && (exit !== null || hasExits(exits));
}

/** Runs the sales of fired exits, one for each position, in the order in which they fired. */
function createSales(
  { book, sell, clock, log }: Pick<ExitsDeps, 'book' | 'sell' | 'clock' | 'log'>,
  signal: AbortSignal,
) {
  const running = new Map<string, Promise<void>>();
  const queue = new PQueue({ concurrency: SALES_AT_ONCE });
  /** When a stuck exit may be tried again, epoch ms. */
  const notBefore = new Map<string, number>();

  function run({ _id }: Pick<PositionRecord, '_id'>): void {
    const id = _id.toHexString();
    if (signal.aborted || running.has(id) || (notBefore.get(id) ?? 0) > clock.now()) return;
    const done = inTurn({ _id }).finally(() => {
      running.delete(id);
      // One that fired in the last moment of the sale before.
      const position = book.get(id);
      if (position?.exit && position.status !== 'stuck' && !notBefore.has(id)) run(position);
    });
    running.set(id, done);
  }

  async function inTurn(position: Pick<PositionRecord, '_id'>): Promise<void> {
    let sale = Promise.resolve();
    await queue.add(async () => {
      sale = selling(position);
      await withTimeout(sale, SALE_MS);
    });
    await sale;
  }

  /** Sells through outages: a fired exit is not given up. */
  async function selling({ _id }: Pick<PositionRecord, '_id'>): Promise<void> {
    const id = _id.toHexString();
    while (!signal.aborted) {
      try {
        const result = await sell(_id, signal);
        if (result === 'sold') notBefore.delete(id);
        else notBefore.set(id, clock.now() + AGAIN_MS[result]);
        return;
      } catch (error) {
        log.warn({ position: id, error }, 'exit failed, retrying');
        await pause(OUTAGE_PAUSE, signal);
      }
    }
  }

  return {
    run,
    prune() {
      for (const id of notBefore.keys()) if (!book.get(id)) notBefore.delete(id);
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}
