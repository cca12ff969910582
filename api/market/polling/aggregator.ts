import type { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { SystemStatus } from '../../../common/admin/model.ts';
import { counted } from '../../../common/counted.ts';
import { PublicError } from '../../../common/errors.ts';
import { NO_POLLED_SOURCE, sourceLabels } from '../../../common/sources/model.ts';
import { type Clock, isoOrNull } from '../../../common/time.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { Runs, Starter } from '../../runs/service.ts';
import type { SourceName } from '../../tokens/record.ts';
import { RequestError } from '../sources/polled/request-error.ts';
import type { Source } from '../sources/source.ts';
import { type PollingSource, type PollTask, runPolls } from './poll-run.ts';

/** Time between two scheduled runs, ms. */
export const AGGREGATOR_INTERVAL = 5 * 60_000;
/** Known tokens that one run chooses from; the limits of all sources together allow far fewer. */
const CANDIDATES = 1_000;

/** Time before a source is polled about the same token again, ms, so that other tokens get their turn. */
const PAUSE = 20 * 60_000;
/** Pairs of source and token remembered meanwhile, about 5,000 a source. */
const MAX_POLLED = 40_000;

/** Failures before a request was sent. */
const notSent: ReadonlySet<string> = new Set(['circuit-open', 'no-key', 'allowance-paced', 'allowance-spent']);

/** Response to a request for a run. `started` is false without a polling source. */
export interface RunStart {
  message: string;
  started: boolean;
}

export type Aggregator = ReturnType<typeof createAggregator>;

export interface AggregatorDeps {
  sources: readonly Source[];
  market: {
    /** Returns addresses of tokens worth polling, most wanted first. */
    pollCandidates(limit: number): string[];
    /** Returns the number of tokens that this source was the first to report, since the start. */
    firstSeenBy(source: string): number;
    /** Resolves when the observations handed over so far are merged. */
    merged(): Promise<void>;
  };
  runs: Pick<Runs, 'begin' | 'isRunning'>;
  clock: Clock;
  log: Logger;
}

/** Times (epoch ms) and result of the runs. */
interface RunTimes {
  nextRunAt: number | null;
  lastRunAt: number | null;
  lastScanAt: number | null;
  lastResult: string | null;
}

/** Polls data services for new and known tokens: every five minutes, and at an administrator's request. */
export function createAggregator(deps: AggregatorDeps) {
  const { market, runs, clock } = deps;
  const log = deps.log.child({ part: 'aggregator' });
  const sources = deps.sources.flatMap(asPolling);
  const recentlyPolled: RecentlyPolled = createGrowingCache(MAX_POLLED, {
    ttl: PAUSE - 1,
    ttlResolution: 0,
    perf: clock,
  });
  const times: RunTimes = { nextRunAt: null, lastRunAt: null, lastScanAt: null, lastResult: null };
  let timer: NodeJS.Timeout | undefined;

  const found = () => sources.reduce((sum, { name }) => sum + market.firstSeenBy(name), 0);
  const onFailure = (source: string, failure: string) => log.warn({ source, failure }, 'poll failed');
  const pollDeps = { merged: market.merged, found, onFailure };
  const planRun = () => planOf(sources, () => market.pollCandidates(CANDIDATES), recentlyPolled);

  /** Requests new tokens. Resolves once started. Throws `PublicError('already-running')`. */
  async function scan(by: Starter): Promise<RunStart> {
    const count = sources.filter(({ poller }) => poller.fetchListings !== null).length;
    if (count === 0) return { message: NO_POLLED_SOURCE, started: false };
    await runs.begin('force-aggregator-scan', by, (progress, signal) => {
      const { listings, waiting } = planRun();
      return runPolls([listings], { ...pollDeps, waiting }, progress, signal).finally(() => {
        times.lastScanAt = clock.now();
      });
    });
    return { message: `Requesting new tokens from ${counted(count, 'source')}.`, started: true };
  }

  /** Requests new tokens and figures of known ones. Resolves once started. Throws `PublicError('already-running')`. */
  async function aggregate(by: Starter): Promise<RunStart> {
    if (sources.length === 0) return { message: NO_POLLED_SOURCE, started: false };
    await runs.begin('run-multi-source-aggregator', by, async (progress, signal) => {
      const record = (result: string) => {
        times.lastRunAt = times.lastScanAt = clock.now();
        times.lastResult = result;
      };
      try {
        const { listings, quotes, waiting } = planRun();
        const result = await runPolls([listings, quotes], { ...pollDeps, waiting }, progress, signal);
        record(result.message);
        return result;
      } catch (error) {
        if (error instanceof PublicError) record(error.message);
        throw error;
      }
    });
    return { message: `Requesting new and known tokens from ${counted(sources.length, 'source')}.`, started: true };
  }

  function schedule(after: number): void {
    times.nextRunAt = clock.now() + after;
    timer = setTimeout(() => {
      schedule(AGGREGATOR_INTERVAL);
      aggregate('schedule').catch((error: unknown) => {
        // Another run or a removal is in progress: the next scheduled run follows anyway.
        if (!(error instanceof PublicError)) log.error({ error }, 'scheduled run failed to start');
      });
    }, after);
    timer.unref();
  }

  return {
    scan,
    aggregate,
    /** Starts a run now and every five minutes. Without a polling source it never runs. */
    start() {
      if (sources.length > 0 && timer === undefined) schedule(0);
    },
    /** Starts no further runs. The present one is ended by `runs`. */
    stop() {
      clearTimeout(timer);
      times.nextRunAt = null;
    },
    status: () => aggregatorStatus(times, runs),
    scanner: () => scannerStatus(times, runs, { isOff: sources.length === 0, found: found() }),
  };
}

function aggregatorStatus(times: RunTimes, runs: AggregatorDeps['runs']): SystemStatus['aggregator'] {
  return {
    running: runs.isRunning('run-multi-source-aggregator'),
    intervalMs: AGGREGATOR_INTERVAL,
    lastRunAt: isoOrNull(times.lastRunAt),
    nextRunAt: isoOrNull(times.nextRunAt),
    lastResult: times.lastResult,
  };
}

function scannerStatus(
  times: RunTimes,
  runs: AggregatorDeps['runs'],
  { isOff, found }: { isOff: boolean; found: number },
): SystemStatus['chainScanner'] {
  const isRunning = runs.isRunning('force-aggregator-scan') || runs.isRunning('run-multi-source-aggregator');
  return {
    state: isOff ? 'off' : isRunning ? 'running' : 'idle',
    intervalMs: AGGREGATOR_INTERVAL,
    lastRunAt: isoOrNull(times.lastScanAt),
    nextRunAt: isoOrNull(times.nextRunAt),
    found,
  };
}

function asPolling({ name, poller }: Source): PollingSource[] {
  const known = Object.entries(sourceLabels).find(([key]) => key === name);
  return poller === undefined || known === undefined ? [] : [{ name: name as SourceName, label: known[1], poller }];
}

/** Returns the steps of one run. A source that waits for its monthly allowance takes no part in it. */
function planOf(
  sources: readonly PollingSource[],
  candidates: () => readonly string[],
  recentlyPolled: RecentlyPolled,
) {
  const ready = sources.filter(({ poller }) => poller.isPaced?.() !== true);
  return {
    waiting: sources.filter((source) => !ready.includes(source)).map(({ label }) => label),
    listings: () => ready.flatMap((source) => taskOf(source, source.poller.fetchListings)),
    quotes: () => quoteTasks(ready, candidates(), recentlyPolled),
  };
}

/** Pairs of source and token, by `pairOf`. */
type RecentlyPolled = LRUCache<string, true>;

const pairOf = (source: string, address: string) => `${source} ${address}`;

function taskOf({ label }: PollingSource, request: (() => Promise<number>) | null): PollTask[] {
  return request === null ? [] : [{ label, request }];
}

/** Returns a request to each source about the candidates that it was not polled about recently. */
function quoteTasks(
  sources: readonly PollingSource[],
  candidates: readonly string[],
  recentlyPolled: RecentlyPolled,
): PollTask[] {
  return sources.flatMap((source) => {
    const { fetchQuotes, maxPerRun } = source.poller;
    const due = candidates.filter((address) => !recentlyPolled.has(pairOf(source.name, address)));
    const wanted = due.slice(0, maxPerRun);
    if (fetchQuotes === null || wanted.length === 0) return [];
    const pairs = wanted.map((address) => pairOf(source.name, address));
    for (const pair of pairs) recentlyPolled.set(pair, true);
    return taskOf(source, () =>
      fetchQuotes(wanted).catch((error: unknown) => {
        // Nothing was sent. After other failures, which one of these tokens may cause, the next tokens get their turn.
        if (error instanceof RequestError && notSent.has(error.code))
          for (const pair of pairs) recentlyPolled.delete(pair);
        throw error;
      }),
    );
  });
}
