import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PublicError } from '../../common/errors.ts';
import type { Run } from '../../common/maintenance/model.ts';
import { createRuns, PROGRESS_GAP, type Progress, type Runs, type Starter } from './service.ts';

const key: Starter = { user: null, address: '127.0.0.1' };
let said: Run[];
let recorded: string[];
let refusesRecords: boolean;
let runs: Runs;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  said = [];
  recorded = [];
  refusesRecords = false;
  runs = createRuns({
    publisher: {
      send: (_room, _event, payload) => void said.push(payload as Run),
    },
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

/** A work that ends when it is told to. */
function held() {
  let finish = (_message: string) => {};
  let fail = (_error: Error) => {};
  let progress: Progress = () => {};
  let aborted = false;
  const work = (tell: Progress, signal: AbortSignal) => {
    progress = tell;
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

test('a run answers its result, is on record before, and tells how it went', async () => {
  const result = await runs.run('remove-all-tokens', key, async (progress) => {
    expect(recorded).toEqual(['maintenance-run remove-all-tokens key']);
    progress(3, 3);
    return { message: 'Gone.', count: 3 };
  });
  expect(result).toEqual({ message: 'Gone.', count: 3 });
  expect(said.map(({ state, done, total, message, by }) => [state, done, total, message, by])).toEqual([
    ['running', 0, null, '', 'direct-admin-key'],
    ['done', 3, 3, 'Gone.', 'direct-admin-key'],
  ]);
  expect(runs.latest()).toEqual([said.at(-1)]);
  expect(said.at(-1)?.endedAt).toBe('1970-01-01T00:00:00.000Z');
});

test('progress is told at once, then at most once in the gap, and the last of it always', async () => {
  const one = held();
  await runs.begin('run-multi-source-aggregator', 'schedule', one.work);
  expect(recorded).toEqual([]);
  for (let done = 1; done <= 1000; done += 1) {
    one.progress(done, 1000, `at ${done}`);
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(PROGRESS_GAP);
  expect(said.length).toBeLessThanOrEqual(6);
  expect(said.at(-1)).toMatchObject({ state: 'running', done: 1000, message: 'at 1000' });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said.length).toBeLessThanOrEqual(6);
  one.progress(1000, 1000);
  one.finish('Found 4.');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(said.at(-1)).toMatchObject({ state: 'done', message: 'Found 4.' });
});

test('one run of each action at a time, and nothing beside a removal but a broadcast', async () => {
  const [scan, removal, cast] = [held(), held(), held()];
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
  removal.finish('Done.');
  await removing;
  expect(runs.isRunning('cleanup-mock-tokens')).toBe(false);
  await expect(runs.run('remove-all-tokens', key, async () => ({ message: 'All.' }))).resolves.toBeTruthy();
});

test('a failed run says what may be said, and makes room for the next', async () => {
  const secret = new Error('mongodb://user:password@host');
  await expect(runs.run('analyze-runner-tokens', key, () => Promise.reject(secret))).rejects.toBe(secret);
  expect(said.at(-1)).toMatchObject({
    state: 'failed',
    message: 'Something went wrong on our side. Please try again.',
  });
  const away = held();
  await runs.begin('analyze-runner-tokens', key, away.work);
  away.fail(new PublicError('chain-unavailable'));
  await vi.advanceTimersByTimeAsync(1);
  expect(runs.latest()).toMatchObject([{ state: 'failed', message: new PublicError('chain-unavailable').message }]);
});

test('what can not be put on record is not done', async () => {
  refusesRecords = true;
  const work = vi.fn(async () => ({ message: '' }));
  await expect(runs.run('remove-all-tokens', key, work)).rejects.toMatchObject({ code: 'unavailable' });
  expect(work).not.toHaveBeenCalled();
  expect([said, runs.isRunning('remove-all-tokens')]).toEqual([[], false]);
});

test('a stop tells the works, waits for them and lets none begin', async () => {
  const one = held();
  await runs.begin('broadcast', key, one.work);
  let isStopped = false;
  const stopping = runs.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(100);
  expect([one.aborted(), isStopped]).toEqual([true, false]);
  await expect(runs.begin('remove-all-tokens', key, one.work)).rejects.toMatchObject({ code: 'unavailable' });
  one.finish('Half of them.');
  await stopping;
  expect(isStopped).toBe(true);
});
