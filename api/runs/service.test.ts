import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { createEventBus } from '../events/bus.ts';
import { createRuns, PROGRESS_GAP, type Progress, type Runs, type Starter } from './service.ts';

const key: Starter = { user: null, address: '127.0.0.1' };
let events: Run[];
let recorded: string[];
let refusesRecords: boolean;
let runs: Runs;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  events = [];
  recorded = [];
  refusesRecords = false;
  const bus = createEventBus((error) => {
    throw error;
  });
  bus.on('run-changed', (run) => void events.push(run));
  runs = createRuns({
    bus,
    audit: {
      async record(action, by, _subject, object) {
        if (refusesRecords) throw new PublicError('unavailable');
        recorded.push(`${action} ${object} ${by.user?.username ?? 'key'}`);
      },
    },
    clock: { now: Date.now },
    log: pino({ level: 'silent' }),
  });
});
afterEach(() => vi.useRealTimers());

/** A job that the test ends. */
function controlledJob() {
  let finish = (_message: string) => {};
  let fail = (_error: Error) => {};
  let progress: Progress = () => {};
  let aborted = false;
  const work = (report: Progress, signal: AbortSignal) => {
    progress = report;
    signal.addEventListener('abort', () => (aborted = true));
    return new Promise<{ message: string }>((resolve, reject) => {
      finish = (message) => resolve({ message });
      fail = reject;
    });
  };
  return {
    work,
    finish: (message: string) => finish(message),
    fail: (error: Error) => fail(error),
    progress: (...args: Parameters<Progress>) => progress(...args),
    aborted: () => aborted,
  };
}

test('is recorded before the job, resolves with its result and emits its state', async () => {
  const result = await runs.run('remove-all-tokens', key, async (progress) => {
    expect(recorded).toEqual(['maintenance-run remove-all-tokens key']);
    progress(3, 3);
    return { message: 'Gjob.', count: 3 };
  });
  expect(result).toEqual({ message: 'Gjob.', count: 3 });
  expect(events.map(({ state, done, total, message, by }) => [state, done, total, message, by])).toEqual([
    ['running', 0, null, '', 'direct-admin-key'],
    ['done', 3, 3, 'Gjob.', 'direct-admin-key'],
  ]);
  expect(runs.latest()).toEqual([events.at(-1)]);
  expect(events.at(-1)?.endedAt).toBe('1970-01-01T00:00:00.000Z');
});

test('emits progress at once, then at most once in the gap, and always the last', async () => {
  const job = controlledJob();
  await runs.begin('run-multi-source-aggregator', 'schedule', job.work);
  expect(recorded).toEqual([]);
  for (let done = 1; done <= 1000; done += 1) {
    job.progress(done, 1000, `at ${done}`);
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(PROGRESS_GAP);
  expect(events.length).toBeLessThanOrEqual(6);
  expect(events.at(-1)).toMatchObject({ state: 'running', done: 1000, message: 'at 1000' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(events.length).toBeLessThanOrEqual(6);
  job.progress(1000, 1000);
  job.finish('Found 4.');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(events.at(-1)).toMatchObject({ state: 'done', message: 'Found 4.' });
});

test('allows one run of each action, and only a broadcast beside a removal', async () => {
  const [scan, removal, cast] = [controlledJob(), controlledJob(), controlledJob()];
  const refused = { code: 'already-running' };
  await runs.begin('force-aggregator-scan', key, scan.work);
  await expect(runs.begin('force-aggregator-scan', key, scan.work)).rejects.toMatchObject(refused);
  const removing = runs.run('cleanup-mock-tokens', key, removal.work);
  for (const action of ['remove-all-tokens', 'cleanup-mock-tokens', 'analyze-runner-tokens'] as const) {
    await expect(runs.run(action, key, removal.work)).rejects.toMatchObject(refused);
  }
  await runs.begin('broadcast', key, cast.work);
  expect(recorded).toEqual([
    'maintenance-run force-aggregator-scan key',
    'maintenance-run cleanup-mock-tokens key',
    'broadcast-sent broadcast key',
  ]);
  expect(runs.latest().map(({ action }) => action)).toEqual([
    'broadcast',
    'cleanup-mock-tokens',
    'force-aggregator-scan',
  ]);
  removal.finish('Djob.');
  await removing;
  expect(runs.isRunning('cleanup-mock-tokens')).toBe(false);
  await expect(runs.run('remove-all-tokens', key, async () => ({ message: 'All.' }))).resolves.toBeTruthy();
});

test('reports a failure without internals, and allows the next run', async () => {
  const secret = new Error('mongodb://user:password@host');
  await expect(runs.run('analyze-runner-tokens', key, () => Promise.reject(secret))).rejects.toBe(secret);
  expect(events.at(-1)).toMatchObject({
    state: 'failed',
    message: 'Something went wrong on our side. Please try again.',
  });
  const away = controlledJob();
  await runs.begin('analyze-runner-tokens', key, away.work);
  away.fail(new PublicError('chain-unavailable'));
  await vi.advanceTimersByTimeAsync(1);
  expect(runs.latest()).toMatchObject([{ state: 'failed', message: new PublicError('chain-unavailable').message }]);
});

test('does not start the job when it can not be recorded', async () => {
  refusesRecords = true;
  const work = vi.fn(async () => ({ message: '' }));
  await expect(runs.run('remove-all-tokens', key, work)).rejects.toMatchObject({ code: 'unavailable' });
  expect(work).not.toHaveBeenCalled();
  expect([events, runs.isRunning('remove-all-tokens')]).toEqual([[], false]);
});

test('aborts and awaits running jobs on stop, and refuses new ones', async () => {
  const job = controlledJob();
  await runs.begin('broadcast', key, job.work);
  let isStopped = false;
  const stopping = runs.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(100);
  expect([job.aborted(), isStopped]).toEqual([true, false]);
  await expect(runs.begin('remove-all-tokens', key, job.work)).rejects.toMatchObject({ code: 'unavailable' });
  job.finish('Half of them.');
  await stopping;
  expect(isStopped).toBe(true);
});
