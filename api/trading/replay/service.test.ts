import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReplayResult } from '../../../common/replay/model.ts';
import { defaultRule } from '../../../common/rules/model.ts';
import { MINUTE, SECOND } from '../../../common/time.ts';
import { DETECTED } from '../plans/core/testing/any-conditions.ts';
import { accountOf, launched, planOf } from '../plans/core/testing/core-scene.ts';
import { hourOf } from '../tape/format.ts';
import { createTape } from '../tape/tape.ts';
import type { ReplayJob, RunResult } from './run-job.ts';
import { createReplays, type Replays } from './service.ts';
import { type ReplayThread, startThread } from './start-thread.ts';

const HOUR = hourOf(DETECTED);
const PLAN = { kind: 'rule', id: '6b0000000000000000000001', rule: defaultRule } as const;
const RESULT: RunResult = {
  ...{ from: '2026-11-23T05:00:00.000Z', to: '2026-11-23T06:00:00.000Z', gaps: [], considered: 0, refusals: [] },
  replay: { trades: [], sums: sums() },
};
const LIVE: ReplayResult['live'] = { mode: 'paper', trades: [], sums: { ...sums(), bought: 3 } };
const USER = '6a0000000000000000000001';
let dir: string;
let now: number;
let threads: (ReplayThread & { done(): void; fail(): void; progress(share: number): void; ended: boolean })[];
let replays: Replays;
const log = pino({ level: 'silent' });

const addressOf = (number: number) =>
  String(number + 1_000)
    .replaceAll('0', 'z')
    .padStart(40, 'T');

function sums() {
  const counts = { bought: 0, failed: 0, closed: 0, open: 0 };
  return { ...counts, spentLamports: 0, feesLamports: 0, realisedLamports: 0, resultLamports: 0 };
}

function job(): Omit<ReplayJob, 'dir' | 'until'> {
  const account = accountOf({ userId: USER });
  return {
    ...{ hour: HOUR, plan: planOf({ userId: USER }), account, lists: [], delays: { p50: 900, p90: 900 } },
  };
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  dir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-replays-'));
  now = DETECTED;
  threads = [];
  const tape = createTape({
    dir,
    limits: { hours: 9, bytes: 1e9 },
    snapshot: () => [],
    log,
  });
  await tape.start();
  tape.record(DETECTED, [{ type: 'source', source: 'test', isLive: true }]);
  for (let step = 1; step < 50; step += 1)
    tape.record(DETECTED + step * SECOND, launched(addressOf(step), DETECTED + step));
  await tape.stop();
  replays = createReplays({
    dir,
    tape: { isRecording: () => true, flush: async () => {} },
    jobOf: async () => job(),
    liveOf: async ({ planId }) => (planId === PLAN.id ? LIVE : expect.fail()),
    startThread: (_job, onProgress) => {
      let [resolve, reject] = [(_: RunResult) => {}, (_: Error) => {}];
      const promise = new Promise<RunResult>((...ends) => ([resolve, reject] = ends));
      const thread = {
        result: promise,
        ended: false,
        end() {
          thread.ended = true;
        },
        done: () => resolve(RESULT),
        fail: () => reject(new Error('broken')),
        progress: onProgress,
      };
      threads.push(thread);
      return thread;
    },
    clock: { now: () => now },
    log,
  });
});
afterEach(async () => {
  replays.stop();
  vi.useRealTimers();
  await rm(dir, { recursive: true, force: true });
});

test('a run reports its progress, and keeps its result for its user alone [T-38]', async () => {
  const { id, state } = await replays.start('pat', HOUR, PLAN);
  expect(state).toBe('running');
  threads[0]?.progress(0.4);
  expect(replays.read('pat', id)).toMatchObject({ state: 'running', progress: 0.4, result: null });
  expect(() => replays.read('other', id)).toThrow(expect.objectContaining({ code: 'not-found' }));
  expect(() => replays.cancel('other', id)).toThrow(expect.objectContaining({ code: 'not-found' }));
  threads[0]?.done();
  await expect.poll(() => replays.read('pat', id).state).toBe('done');
  expect(replays.read('pat', id)).toMatchObject({ progress: 1, result: { ...RESULT, live: LIVE } });
  now += 11 * MINUTE;
  vi.advanceTimersByTime(SECOND);
  expect(() => replays.read('pat', id)).toThrow(expect.objectContaining({ code: 'not-found' }));
});

test('the next run of a user ends the one before, and two users run at once', async () => {
  const first = await replays.start('pat', HOUR, PLAN);
  await replays.start('pat', HOUR, PLAN);
  expect(threads[0]?.ended).toBe(true);
  expect(() => replays.read('pat', first.id)).toThrow(expect.objectContaining({ code: 'not-found' }));
  await replays.start('kim', HOUR, PLAN);
  await expect(replays.start('lee', HOUR, PLAN)).rejects.toMatchObject({ code: 'too-many-requests' });
  threads[1]?.fail();
  await expect
    .poll(() =>
      replays.start('lee', HOUR, PLAN).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

test('of parallel starts of a user one run goes on, and takes one place', async () => {
  await replays.start('pat', HOUR, PLAN);
  await Promise.all(Array.from({ length: 5 }, () => replays.start('pat', HOUR, PLAN)));
  expect(threads.filter(({ ended }) => !ended)).toHaveLength(1);
  await replays.start('kim', HOUR, PLAN);
  await expect(replays.start('lee', HOUR, PLAN)).rejects.toMatchObject({ code: 'too-many-requests' });
  replays.stop();
  expect(threads.filter(({ ended }) => !ended)).toEqual([]);
});

test('a run that no page reads is cancelled, and so is one on request', async () => {
  const run = await replays.start('pat', HOUR, PLAN);
  now += 10 * SECOND;
  vi.advanceTimersByTime(SECOND);
  expect(replays.read('pat', run.id).state).toBe('running');
  now += 16 * SECOND;
  vi.advanceTimersByTime(SECOND);
  expect(threads[0]?.ended).toBe(true);
  expect(replays.read('pat', run.id).state).toBe('cancelled');
  const next = await replays.start('pat', HOUR, PLAN);
  expect(replays.cancel('pat', next.id).state).toBe('cancelled');
  threads[1]?.done();
  expect(replays.read('pat', next.id)).toMatchObject({ state: 'cancelled', result: null });
});

test('an hour that is not recorded is refused', async () => {
  await expect(replays.start('pat', '2020-01-01T00', PLAN)).rejects.toMatchObject({ code: 'not-found' });
  expect(await replays.hours()).toMatchObject({ isRecording: true, hours: [{ hour: HOUR, changes: 148 }] });
});

test('a thread runs a job to its result, and can be ended before [T-38]', async () => {
  const shares: number[] = [];
  const result = await startThread({ ...job(), dir, until: Number.MAX_SAFE_INTEGER }, (share) => shares.push(share))
    .result;
  expect(result).toMatchObject({ considered: 49, gaps: [] });
  expect(result.replay.sums.bought + result.replay.sums.open).toBeGreaterThan(0);
  const ended = startThread({ ...job(), dir, until: Number.MAX_SAFE_INTEGER }, () => {});
  ended.end();
  await expect(ended.result).rejects.toThrow('without a result');
  await expect(startThread({ ...job(), dir, until: 0, hour: '2020-01-01T00' }, () => {}).result).rejects.toThrow();
});
