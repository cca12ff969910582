import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFrames } from '../solana/decode/frames.ts';
import { encodeEvent, frameOf, logsOf } from '../solana/testing/encode.ts';
import { createEvent, recordedFrames, recordingFile, someMint } from '../solana/testing/events.ts';
import { byCoin, eventually, type TestContext, testContext } from '../testing/source-context.ts';
import { storedToken } from '../testing/stored-token.ts';
import { inspectRecording } from './recording.ts';
import { createReplay, createTiming, type ReplayOptions } from './replay.ts';

const now = 1_900_000_000_000;
const firstFrameAt = 1_783_165_101_632.449;
const lastFrameAt = 1_783_165_128_337.7241;

let folder: string;
let source: ReturnType<typeof createReplay> | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'replay-'));
});
afterEach(async () => {
  await source?.stop();
  await rm(folder, { recursive: true });
});

async function play(options: Partial<ReplayOptions> = {}, context: TestContext = testContext()): Promise<TestContext> {
  source = createReplay({ file: recordingFile, speed: 0, times: 'shifted', clock: { now: () => now }, ...options });
  await source.start(context);
  return context;
}
const state = () => source?.status().state;
const ended = () => eventually(state).toBe('ended');

async function fileOf(lines: string[]): Promise<string> {
  const file = path.join(folder, 'some.jsonl');
  await writeFile(file, lines.join('\n'));
  return file;
}
// A creation waits for nothing before it.
const creation = encodeEvent(createEvent());
const line = (signature: string, at: number) =>
  JSON.stringify({ t_wall: at, raw: frameOf({ signature, slot: 1, logs: logsOf([creation]) }) });

describe('the shipped recording', () => {
  test('observes the same as the live path', async () => {
    const context = await play({ times: 'recorded' });
    await ended();
    const live = createFrames({ source: 'replay', cluster: 'mainnet' });
    const expected = recordedFrames().flatMap(({ t_wall, raw }) => {
      const frame = live.read(raw, { receivedAt: Math.round(t_wall * 1_000), shift: 0 });
      return frame.kind === 'transaction' ? frame.observations : [];
    });
    expect(byCoin(context.observations)).toEqual(byCoin(expected));
    // The expected events, and one change of a creator.
    expect(expected).toHaveLength(57);
  });

  test('has the name of its file and the time of its last event', async () => {
    await play();
    expect(source?.name).toBe('replay:pump-mainnet-2026-07-04.jsonl');
    await ended();
    expect(source?.status().lastEventAt).toBe(now);
  });
});

describe('times', () => {
  const span = { from: firstFrameAt, to: lastFrameAt };

  test('shifted: starts now and moves all times by one constant', () => {
    const timing = createTiming(span, { speed: 1, times: 'shifted', startedAt: now });
    expect(timing.shift).toBe(Math.round(now - firstFrameAt));
    expect(timing.dueAt(span.from)).toBe(now);
    expect(timing.dueAt(span.to)).toBeCloseTo(now + (span.to - span.from), 1);
    expect(timing.receivedAt(span.from, now + 3)).toBe(now + 3);
  });

  test('shifted and faster: has no time in the future', () => {
    for (const speed of [0, 2, 10]) {
      const timing = createTiming(span, { speed, times: 'shifted', startedAt: now });
      for (const at of [span.from, (span.from + span.to) / 2, span.to]) {
        expect(at + timing.shift).toBeLessThanOrEqual((timing.dueAt(at) ?? now) + 1);
      }
    }
    const fastest = createTiming(span, { speed: 0, times: 'shifted', startedAt: now });
    expect(fastest.dueAt(span.to)).toBeNull();
    expect(span.to + fastest.shift).toBeCloseTo(now, -1);
  });

  test('slower: takes twice the time', () => {
    const timing = createTiming(span, { speed: 0.5, times: 'shifted', startedAt: now });
    expect(timing.dueAt(span.to)).toBeCloseTo(now + 2 * (span.to - span.from), 1);
    expect(timing.shift).toBe(Math.round(now - firstFrameAt));
  });

  test('recorded: keeps all times', () => {
    const timing = createTiming(span, { speed: 1, times: 'recorded', startedAt: now });
    expect(timing.shift).toBe(0);
    expect(timing.receivedAt(span.from, now)).toBe(Math.round(span.from));
  });

  test('shifts every event by one constant', async () => {
    const recorded = await play({ times: 'recorded' });
    await ended();
    const shifted = await play();
    await ended();
    const shift = Math.round(now - lastFrameAt);
    expect(shifted.observations.map(({ at }) => at)).toEqual(recorded.observations.map(({ at }) => at + shift));
    expect(new Set(shifted.observations.map(({ receivedAt }) => receivedAt))).toEqual(new Set([now]));
  });

  test('observes frames when they are due', async () => {
    vi.useFakeTimers({ now, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      const file = await fileOf([line('a', 100), line('b', 101), line('c', 110)]);
      const context = await play({ file, speed: 2, clock: { now: () => Date.now() } });
      // File reads are real; vitest's own waiting would advance the fake time.
      const waitsFor = async (frame: number) => {
        while (context.ids().length < frame - 1 || vi.getTimerCount() === 0) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await waitsFor(2);
      await vi.advanceTimersByTimeAsync(499);
      expect(context.ids()).toEqual(['a:0']);
      await vi.advanceTimersByTimeAsync(1);
      expect(context.ids()).toEqual(['a:0', 'b:0']);
      await waitsFor(3);
      await vi.advanceTimersByTimeAsync(4_499);
      expect(context.ids()).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(1);
      expect(context.ids()).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('files', () => {
  test('counts and skips bad lines', async () => {
    const file = await fileOf([
      'not JSON',
      '',
      line('a', 1),
      '{"t_wall":2}',
      '{"t_wall":"2","raw":""}',
      line('b', 3),
      '{"t_wall":4,"raw":"garb',
    ]);
    const context = await play({ file });
    await ended();
    expect(context.ids()).toEqual(['a:0', 'b:0']);
    expect(context.logged.join()).toContain('"badLines":4');
  });

  test('is down with a logged reason when the file is missing', async () => {
    const context = await play({ file: path.join(folder, 'missing.jsonl') });
    await eventually(state).toBe('down');
    expect(context.logged.join()).toContain('there is no such file');
    expect(context.observations).toEqual([]);
  });

  test('is down with a logged reason for a folder or another kind of file', async () => {
    await expect(inspectRecording(folder)).rejects.toThrow('it is a folder');
    const context = await play({ file: await fileOf(['# Notes', 'These are not frames.']) });
    await eventually(state).toBe('down');
    expect(context.logged.join()).toContain('is not a recording');
    await expect(inspectRecording(await fileOf([]))).rejects.toThrow('is not a recording');
  });

  test('reads lines longer than a chunk', async () => {
    const padding = ' '.repeat(200_000);
    const file = await fileOf([line('a', 1) + padding, padding + line('b', 2)]);
    const context = await play({ file });
    await ended();
    expect(context.ids()).toEqual(['a:0', 'b:0']);
  });

  test('finds the span from both ends despite a bad last line', async () => {
    expect(await inspectRecording(recordingFile)).toEqual({
      from: firstFrameAt,
      to: expect.closeTo(lastFrameAt, 1),
      slotMs: null,
    });
    expect(await inspectRecording(await fileOf(['x', line('a', 5), line('b', 9), 'cut of']))).toEqual({
      from: 5_000,
      to: 9_000,
      slotMs: null,
    });
  });

  test('names the length of a slot in its first line, which is no frame', async () => {
    const file = await fileOf([JSON.stringify({ slot_ms: 200 }), line('a', 5)]);
    expect(await inspectRecording(file)).toMatchObject({ from: 5_000, slotMs: 200 });
    const context = await play({ file });
    await ended();
    expect(context.ids()).toEqual(['a:0']);
    expect(context.observations.find(({ kind }) => kind === 'created')).toMatchObject({ slotMs: 200 });
    expect(context.logged.join()).toContain('"badLines":0');
  });
});

test('pauses while the ingest queue is long', async () => {
  let backlog = 5_000;
  const lines = Array.from({ length: 250 }, (_, index) => line(`s${index}`, 1));
  const context = await play(
    { file: await fileOf(lines) },
    testContext([], () => backlog),
  );
  await eventually(() => context.ids().length).toBe(99);
  expect(state()).toBe('live');
  backlog = 0;
  await ended();
  expect(context.ids()).toHaveLength(250);
});

test('stops at once, even while waiting for the next frame', async () => {
  const context = await play({ file: await fileOf([line('a', 1), line('b', 100_000)]), speed: 1 });
  await eventually(() => context.ids()).toEqual(['a:0']);
  await source?.stop();
  expect(state()).toBe('stopped');
  expect(context.ids()).toEqual(['a:0']);
});

test('repeats no event over the same storage', async () => {
  const stored = storedToken(now, { address: someMint, lastSignature: 'b' });
  const file = await fileOf([line('a', 1), line('b', 2), line('c', 3)]);
  const context = await play({ file }, testContext([stored]));
  await ended();
  expect(context.ids()).toEqual(['c:0']);
  // A signature of another recording skips nothing.
  const other = await play({ file }, testContext([{ ...stored, lastSignature: 'of another file' }]));
  await ended();
  expect(other.ids()).toEqual(['a:0', 'b:0', 'c:0']);
});
