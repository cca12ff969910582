import { counted } from '../../../common/counted.ts';
import { PublicError } from '../../../common/errors.ts';
import type { Progress } from '../../runs/service.ts';
import type { SourceName } from '../../tokens/record.ts';
import { RequestError } from '../sources/polled/request-error.ts';
import type { Poller } from '../sources/source.ts';

/** A source that is polled. */
export interface PollingSource {
  name: SourceName;
  label: string;
  poller: Poller;
}

/** One request to one source; resolves with the number of tokens reported. */
export interface PollTask {
  label: string;
  request: () => Promise<number>;
}

/** Result of one request. */
interface Outcome {
  label: string;
  reported: number;
  /** Reason why it failed; null when it succeeded. */
  failure: string | null;
}

export interface PollRunDeps {
  /** Resolves when the observations handed over so far are merged. */
  merged(): Promise<void>;
  /** Returns the number of tokens first reported by a polled source. */
  found(): number;
  /** Labels of the sources that wait for their monthly allowance. */
  waiting: readonly string[];
  onFailure(label: string, failure: string): void;
}

/**
 * Runs the steps one after the other, the requests of a step in parallel. Resolves with a summary; early when `signal`
 * aborts, since the requests end with their sources. Throws `PublicError('sources-unavailable')` when all requests failed.
 */
export async function runPolls(
  steps: readonly (() => PollTask[])[],
  { merged, found, waiting, onFailure }: PollRunDeps,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ message: string }> {
  const stopped = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const before = found();
  const result = await Promise.race([runSteps(steps, merged, progress), stopped]);
  if (result === null) return { message: 'The server stopped.' };
  for (const { label, failure } of result) if (failure !== null) onFailure(label, failure);
  const message = summary(result, found() - before, waiting);
  if (result.length > 0 && result.every(({ failure }) => failure !== null)) {
    throw new PublicError('sources-unavailable', { text: message });
  }
  return { message };
}

async function runSteps(
  steps: readonly (() => PollTask[])[],
  merged: () => Promise<void>,
  progress: Progress,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    const tasks = step();
    const done = outcomes.length;
    const onDone = (count: number, message: string) => progress(done + count, done + tasks.length, message);
    outcomes.push(...(await runParallel(tasks, onDone)));
    // The next step polls about tokens that this one found.
    await merged();
  }
  return outcomes;
}

/** Runs all requests in parallel, since each source has its own limits. A slow or failed one delays no other. */
async function runParallel(
  tasks: readonly PollTask[],
  onDone: (count: number, message: string) => void,
): Promise<Outcome[]> {
  let done = 0;
  onDone(0, 'Requesting tokens from the sources.');
  return Promise.all(
    tasks.map(async ({ label, request }) => {
      const outcome = await request().then(
        (reported): Outcome => ({ label, reported, failure: null }),
        (error: unknown): Outcome => ({ label, reported: 0, failure: reasonOf(error) }),
      );
      done += 1;
      onDone(done, `${label}: ${outcome.failure ?? counted(outcome.reported, 'token')}`);
      return outcome;
    }),
  );
}

function reasonOf(error: unknown): string {
  // Other errors are ours, and their texts may contain internals.
  return error instanceof RequestError ? error.message : 'The request failed.';
}

/**
 * Returns e.g. `3 sources responded with 41 tokens, 12 of them new. Waiting for the monthly allowance: Solana Tracker.
 * Failed: Solscan (The service …).`
 */
function summary(outcomes: readonly Outcome[], fresh: number, waiting: readonly string[]): string {
  const failed = new Map(outcomes.flatMap(({ label, failure }) => (failure === null ? [] : [[label, failure]])));
  const responded = new Set(outcomes.map(({ label }) => label).filter((label) => !failed.has(label)));
  const reported = outcomes.reduce((sum, outcome) => sum + outcome.reported, 0);
  const counts = `${counted(responded.size, 'source')} responded with ${counted(reported, 'token')}, ${fresh} of them new.`;
  const first = waiting.length === 0 ? counts : `${counts} Waiting for the monthly allowance: ${waiting.join(', ')}.`;
  if (failed.size === 0) return first;
  const reasons = [...failed].map(([label, reason]) => `${label} (${reason.replace(/\.$/, '')})`);
  return `${first} Failed: ${reasons.join(', ')}.`;
}
