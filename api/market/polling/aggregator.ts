import type { Logger } from 'pino';
import type { SystemStatus } from '../../../common/admin/model.ts';
import { PublicError } from '../../../common/errors.ts';
import { sourceLabels } from '../../../common/sources/model.ts';
import type { Clock } from '../../../common/time.ts';
import { isoOrNull } from '../../platform/iso.ts';
import type { Progress, Runs, Starter } from '../../runs/service.ts';
import type { SourceName } from '../sources/observation.ts';
import { RequestError } from '../sources/polled/request-error.ts';
import type { Poller, Source } from '../sources/source.ts';
import { AskedLately } from './recently-polled.ts';

/** Between two scheduled runs, ms. */
export const AGGREGATOR_INTERVAL = 5 * 60_000;
/** Known tokens that one run chooses from: far more than all limits together allow to be asked about. */
const CANDIDATES = 1_000;

const NOBODY = 'No polling source is in MARKET, so there is nobody to ask. Add for example jupiter or dexscreener.';

/** Failures before a source was asked anything. */
const unasked: ReadonlySet<string> = new Set(['circuit-open', 'no-key']);

/** What is answered to whoever wants it done. `started` is false when there is nobody to ask. */
interface Asked {
  message: string;
  started: boolean;
}

/** Asks the polling sources, for new tokens and about known ones: every five minutes, and when an administrator wants it. */
export interface Aggregator {
  /** Asks for new tokens. Resolves once it has begun. `already-running` */
  scan(by: Starter): Promise<Asked>;
  /** Asks for new tokens and about known ones. Resolves once it has begun. `already-running` */
  aggregate(by: Starter): Promise<Asked>;
  /** Runs now, and from then on every five minutes. Without a polling source nothing ever runs. */
  start(): void;
  /** Runs nothing more. What is under way is ended by the runs. */
  stop(): void;
  status(): SystemStatus['aggregator'];
  scanner(): SystemStatus['chainScanner'];
}

export interface AggregatorDeps {
  sources: readonly Source[];
  market: {
    /** Addresses of known tokens that others could tell more of, the most wanted first. */
    worthAsking(limit: number): string[];
    /** Tokens that this source was the first to tell of, since the start. */
    firstToldBy(source: string): number;
    /** Resolves once what was told before is merged. */
    merged(): Promise<void>;
  };
  runs: Pick<Runs, 'begin' | 'isRunning'>;
  clock: Clock;
  log: Logger;
}

interface PollingSource {
  name: SourceName;
  label: string;
  poller: Poller;
}

/** What came of asking one source. */
interface Outcome {
  label: string;
  told: number;
  /** Why it was not asked to the end; null when it was. */
  failure: string | null;
}

export function createAggregator(deps: AggregatorDeps): Aggregator {
  const { market, runs, clock } = deps;
  const log = deps.log.child({ part: 'aggregator' });
  const sources = deps.sources.flatMap(asPolling);
  const asked = new AskedLately(clock);
  let timer: NodeJS.Timeout | undefined;
  let nextRunAt: number | null = null;
  let lastRunAt: number | null = null;
  let lastScanAt: number | null = null;
  let lastResult: string | null = null;

  const isScanning = () => runs.isRunning('force-aggregator-scan');
  const isAggregating = () => runs.isRunning('run-multi-source-aggregator');
  const found = () => sources.reduce((sum, { name }) => sum + market.firstToldBy(name), 0);

  /** Asks in steps, each of them all sources at once. */
  async function work(
    steps: readonly (() => Task[])[],
    progress: Progress,
  ): Promise<{ message: string; nobody: boolean }> {
    const before = found();
    const outcomes: Outcome[] = [];
    for (const step of steps) {
      const tasks = step();
      const done = outcomes.length;
      outcomes.push(...(await sideBySide(tasks, (more, said) => progress(done + more, done + tasks.length, said))));
      // What was told counts, and can be asked about, once the market knows it.
      await market.merged();
    }
    for (const { label, failure } of outcomes) if (failure !== null) log.warn({ source: label, failure }, 'not asked');
    const message = summary(outcomes, found() - before);
    const nobody = outcomes.length > 0 && outcomes.every(({ failure }) => failure !== null);
    return { message, nobody };
  }

  /** A run that nobody answered has failed. */
  function ended({ message, nobody = false }: { message: string; nobody?: boolean }): { message: string } {
    if (nobody) throw new PublicError('sources-unavailable', { text: message });
    return { message };
  }

  const listingTasks = () => sources.flatMap((source) => taskOf(source, source.poller.fetchListings));

  function aboutTasks(): Task[] {
    const candidates = market.worthAsking(CANDIDATES);
    return sources.flatMap((source) => {
      const { fetchQuotes, maxPerRun } = source.poller;
      const wanted = asked.notLately(source.name, candidates).slice(0, maxPerRun);
      if (fetchQuotes === null || wanted.length === 0) return [];
      asked.note(source.name, wanted);
      return taskOf(source, () =>
        fetchQuotes(wanted).catch((error: unknown) => {
          // Nobody was asked. Other failures may lie in one of these very tokens, and the next ones have their turn.
          if (error instanceof RequestError && unasked.has(error.code)) asked.forget(source.name, wanted);
          throw error;
        }),
      );
    });
  }

  async function scan(by: Starter): Promise<Asked> {
    const listing = listingTasks().length;
    if (listing === 0) return { message: NOBODY, started: false };
    await runs.begin('force-aggregator-scan', by, async (progress, signal) => {
      const result = await orStopped(work([listingTasks], progress), signal);
      lastScanAt = clock.now();
      return ended(result);
    });
    return { message: `Asking ${people(listing)} for new tokens.`, started: true };
  }

  async function aggregate(by: Starter): Promise<Asked> {
    if (sources.length === 0) return { message: NOBODY, started: false };
    await runs.begin('run-multi-source-aggregator', by, async (progress, signal) => {
      const result = await orStopped(work([listingTasks, aboutTasks], progress), signal);
      lastRunAt = lastScanAt = clock.now();
      lastResult = result.message;
      return ended(result);
    });
    return { message: `Asking ${people(sources.length)} for new tokens and about known ones.`, started: true };
  }

  function schedule(after: number): void {
    nextRunAt = clock.now() + after;
    timer = setTimeout(() => {
      schedule(AGGREGATOR_INTERVAL);
      aggregate('schedule').catch((error: unknown) => {
        // A run that an administrator has begun, or a removal, is under way: the next one comes by itself.
        if (!(error instanceof PublicError)) log.error({ error }, 'the scheduled run did not begin');
      });
    }, after);
    timer.unref();
  }

  return {
    scan,
    aggregate,
    start() {
      if (sources.length > 0 && timer === undefined) schedule(0);
    },
    stop() {
      clearTimeout(timer);
      nextRunAt = null;
    },
    status: () => ({
      running: isAggregating(),
      intervalMs: AGGREGATOR_INTERVAL,
      lastRunAt: isoOrNull(lastRunAt),
      nextRunAt: isoOrNull(nextRunAt),
      lastResult,
    }),
    scanner: () => ({
      state: sources.length === 0 ? 'off' : isScanning() || isAggregating() ? 'running' : 'idle',
      intervalMs: AGGREGATOR_INTERVAL,
      lastRunAt: isoOrNull(lastScanAt),
      nextRunAt: isoOrNull(nextRunAt),
      found: found(),
    }),
  };
}

function asPolling({ name, poller }: Source): PollingSource[] {
  const known = Object.entries(sourceLabels).find(([key]) => key === name);
  return poller === undefined || known === undefined ? [] : [{ name: name as SourceName, label: known[1], poller }];
}

/** One question to one source. */
interface Task {
  label: string;
  ask: () => Promise<number>;
}

function taskOf({ label }: PollingSource, ask: (() => Promise<number>) | null): Task[] {
  return ask === null ? [] : [{ label, ask }];
}

/** All at once, as each source is limited by itself. One that fails, or takes long, stops no other. */
async function sideBySide(
  tasks: readonly Task[],
  progress: (done: number, message: string) => void,
): Promise<Outcome[]> {
  let done = 0;
  progress(0, 'Asking the sources.');
  return Promise.all(
    tasks.map(async ({ label, ask }) => {
      const outcome = await ask().then(
        (told): Outcome => ({ label, told, failure: null }),
        (error: unknown): Outcome => ({ label, told: 0, failure: reasonOf(error) }),
      );
      done += 1;
      const said = outcome.failure ?? `told of ${count(outcome.told)}`;
      progress(done, `${label}: ${said}`);
      return outcome;
    }),
  );
}

/** The work, or an early end when the server stops: its calls end by themselves, with the sources. */
function orStopped<Result extends { message: string }>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result | { message: string; nobody?: false }> {
  const stopped = new Promise<{ message: string; nobody?: false }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ message: 'The server stopped.' }), { once: true });
  });
  return Promise.race([work, stopped]);
}

function reasonOf(error: unknown): string {
  // Anything else is a fault of ours, and is no business of whoever reads the summary.
  return error instanceof RequestError ? error.message : 'Asking failed.';
}

/** `3 sources answered and told of 41 tokens, 12 of them new. No answer from Solscan (The service …).` */
function summary(outcomes: readonly Outcome[], fresh: number): string {
  const failed = new Map(outcomes.flatMap(({ label, failure }) => (failure === null ? [] : [[label, failure]])));
  const answered = new Set(outcomes.map(({ label }) => label).filter((label) => !failed.has(label)));
  const told = outcomes.reduce((sum, outcome) => sum + outcome.told, 0);
  const first = `${people(answered.size)} answered; ${count(told)} told of, ${fresh} of them new.`;
  if (failed.size === 0) return first;
  return `${first} Trouble with ${[...failed].map(([label, why]) => `${label} (${why.replace(/\.$/, '')})`).join(', ')}.`;
}

const people = (sources: number) => `${sources} source${sources === 1 ? '' : 's'}`;
const count = (tokens: number) => `${tokens} token${tokens === 1 ? '' : 's'}`;
