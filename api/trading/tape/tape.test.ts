import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../common/time.ts';
import { createLog } from '../../platform/log.ts';
import { createCore } from '../plans/core/core.ts';
import type { Change } from '../plans/core/model.ts';
import { accountOf, launched, planOf } from '../plans/core/testing/core-scene.ts';
import { listParts } from './files.ts';
import type { TapeEntry } from './format.ts';
import { createTapeFigures, listHours, readHour } from './reader.ts';
import { createTape, type TapeDeps } from './tape.ts';

const START = Date.UTC(2026, 10, 23, 5, 59, 59);
const HOUR_ONE = '2026-11-23T05';
const HOUR_TWO = '2026-11-23T06';
let dir: string;
let warnings: string[];

beforeEach(async () => {
  dir = path.join(await mkdtemp(path.join(os.tmpdir(), 'mintwatch-tape-')), 'tape');
  warnings = [];
});
afterEach(() => rm(path.dirname(dir), { recursive: true, force: true }));

const log = createLog('warn', { write: (line) => void warnings.push(line) });
const price = (at: number, value: number): Change => ({
  type: 'price',
  price: {
    address: 'coin',
    at,
    price: value,
    liquidity: null,
    reserves: { virtualQuote: 1, virtualToken: 2, realQuote: 3, realToken: 4 },
    venue: 'curve',
    stage: 'curve',
  },
});
const source: Change = { type: 'source', source: 'simulator', isLive: true };
const state = { changes: [{ type: 'rent', perByte: 7 }, price(START - 1, 0.5)] satisfies Change[] };

async function startTape(fields: Partial<TapeDeps> = {}) {
  const tape = createTape({ dir, limits: { hours: 72, bytes: 2e9 }, snapshot: () => state.changes, log, ...fields });
  await tape.start();
  return tape;
}

async function entriesOf(hour: string): Promise<TapeEntry[]> {
  const entries: TapeEntry[] = [];
  for await (const entry of readHour(dir, hour)) entries.push(entry);
  return entries;
}

test('returns the steps of each hour as they were recorded, from the state of its begin [T-37]', async () => {
  const tape = await startTape();
  const one = [price(START, 1), source, price(START, 1.5)];
  tape.record(START, one);
  tape.record(START + 100, []);
  tape.record(START + SECOND, [price(START + SECOND, 2)]);
  await tape.stop();
  expect(await entriesOf(HOUR_ONE)).toEqual([
    { type: 'begin', at: START, ...state },
    { type: 'tick', now: START, changes: one },
    { type: 'tick', now: START + 100, changes: [] },
  ]);
  expect(await entriesOf(HOUR_TWO)).toEqual([
    { type: 'begin', at: START + SECOND, ...state },
    { type: 'tick', now: START + SECOND, changes: [price(START + SECOND, 2)] },
  ]);
  expect(await entriesOf('2026-11-23T07')).toEqual([]);
  expect(await listHours(dir, START + 2 * SECOND)).toMatchObject([
    { hour: HOUR_ONE, from: START, to: START + 100, ticks: 2, changes: 3, gaps: [{ to: START }] },
    { hour: HOUR_TWO, ticks: 1, changes: 1, gaps: [] },
  ]);
});

test('has nothing of any user', async () => {
  const own: Change[] = [
    { type: 'account', account: accountOf({ userId: 'user' }) },
    { type: 'plan', plan: planOf({ id: 'plan', userId: 'user' }) },
    { type: 'lists', userId: 'user', white: [], black: ['coin'] },
    { type: 'tried', keys: ['buy:plan:coin'] },
    { type: 'order', order: { key: 'buy:plan:coin', state: 'over', hasBought: true, reason: null } },
  ];
  const core = createCore();
  core.step(START - SECOND, [...own, ...launched('coin', START - SECOND)]);
  const tape = await startTape({ snapshot: core.snapshot });
  tape.record(START, [...own, source]);
  await tape.stop();
  const entries = await entriesOf(HOUR_ONE);
  expect(JSON.stringify(entries)).toContain('coin');
  expect(JSON.stringify(entries)).not.toMatch(/user|plan/);
  expect(entries.at(-1)).toEqual({ type: 'tick', now: START, changes: [source] });
});

test('is readable by its owner alone', async () => {
  const tape = await startTape();
  tape.record(START, [source]);
  await tape.stop();
  expect((await stat(dir)).mode & 0o077).toBe(0);
  for (const name of await readdir(dir)) expect((await stat(path.join(dir, name))).mode & 0o077).toBe(0);
});

test('loses only the end that a crash has cut off, and goes on in a new file with the gap marked [T-37]', async () => {
  const tape = await startTape();
  for (let step = 0; step < 500; step += 1) tape.record(START + step, [price(START + step, Math.sin(step))]);
  await tape.flush();
  // The process ends here: nothing is closed.
  const [part] = await listParts(dir);
  await truncate(part?.file ?? '', (part?.bytes ?? 0) - 10);
  const cut = await entriesOf(HOUR_ONE);
  expect(cut.length).toBeGreaterThan(400);
  expect(cut.at(-1)).toMatchObject({ type: 'tick' });

  const next = await startTape();
  next.record(START + 900, [source]);
  await next.stop();
  await tape.stop().catch(() => {});
  const entries = await entriesOf(HOUR_ONE);
  expect(entries.slice(-3)).toEqual([
    { type: 'gap', from: expect.any(Number), to: START + 900 },
    { type: 'begin', at: START + 900, ...state },
    { type: 'tick', now: START + 900, changes: [source] },
  ]);
});

test('goes on after a stop within the hour with the state of its end, and marks the gap [T-37]', async () => {
  const tape = await startTape();
  const from = START - 10 * MINUTE;
  const to = from + MINUTE;
  tape.record(from, [source]);
  await tape.stop();
  tape.record(from + 1, [source]);
  await tape.start();
  tape.record(to, [source]);
  tape.record(to + 1, [source]);
  await tape.stop();
  expect(await entriesOf(HOUR_ONE)).toEqual([
    { type: 'begin', at: from, ...state },
    { type: 'tick', now: from, changes: [source] },
    { type: 'gap', from, to },
    { type: 'begin', at: to, ...state },
    { type: 'tick', now: to, changes: [source] },
    { type: 'tick', now: to + 1, changes: [source] },
  ]);
  expect((await listHours(dir, to + 1))[0]?.gaps).toContainEqual({ from, to });
});

test('finds nothing in a file that a crash has cut off at its begin', async () => {
  const tape = await startTape();
  tape.record(START, [source]);
  await tape.stop();
  const [part] = await listParts(dir);
  await writeFile(part?.file ?? '', (await readFile(part?.file ?? '')).subarray(0, 4));
  expect(await entriesOf(HOUR_ONE)).toEqual([]);
});

test('leaves steps out rather than keep more waiting, and begins again with the state of the end of the gap [T-37]', async () => {
  const tape = await startTape({ waitingMax: 10 });
  for (let step = 0; step < 30; step += 1) tape.record(START + step, [source]);
  expect(tape.leftOut()).toBeGreaterThan(10);
  expect(tape.state().state).toBe('behind');
  await tape.flush();
  tape.record(START + 100, [source]);
  await tape.stop();
  const entries = await entriesOf(HOUR_ONE);
  const gap = entries.find(({ type }) => type === 'gap');
  expect(gap).toMatchObject({ to: START + 100 });
  expect(entries.slice(-2)).toEqual([
    { type: 'begin', at: START + 100, ...state },
    { type: 'tick', now: START + 100, changes: [source] },
  ]);
  const before = entries.filter((entry) => entry.type === 'tick').length - 1;
  expect(before + tape.leftOut()).toBe(30);
  expect((await listHours(dir, START + 100))[0]?.gaps).toMatchObject([{ to: START }, { to: START + 100 }]);
});

test('keeps the newest hours within its bounds', async () => {
  const tape = await startTape({ limits: { hours: 3, bytes: 2e9 } });
  for (let hour = 0; hour < 6; hour += 1) {
    tape.record(START + hour * HOUR, [source]);
    await tape.flush();
  }
  await tape.stop();
  expect((await listHours(dir, START + 6 * HOUR)).map(({ hour }) => hour)).toEqual([
    '2026-11-23T08',
    '2026-11-23T09',
    '2026-11-23T10',
  ]);
  expect((await readdir(dir)).filter((name) => name.endsWith('.json'))).toHaveLength(3);

  const [, , last] = await listParts(dir);
  const small = await startTape({ limits: { hours: 72, bytes: (last?.bytes ?? 0) + 1 } });
  small.record(START + 6 * HOUR, [source]);
  await small.stop();
  expect((await listHours(dir, START + 7 * HOUR)).map(({ hour }) => hour)).toEqual(['2026-11-23T10', '2026-11-23T11']);
});

test('shows what it has recorded, and until when', async () => {
  const tape = await startTape();
  const figures = createTapeFigures({ dir, tape, clock: { now: () => START + MINUTE } });
  expect(tape.state()).toEqual({ state: 'waiting', lastAt: null });
  tape.record(START, [source]);
  tape.record(START + SECOND, [source]);
  await tape.flush();
  const files = await listHours(dir, START + MINUTE);
  expect(await figures()).toEqual({
    state: 'recording',
    hours: 2,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    // Before the first step, and since the last one.
    gaps: 2,
    lastAt: new Date(START + SECOND).toISOString(),
  });
  await tape.stop();
});

test('pauses while the disk refuses, without disturbing the caller, and goes on later', async () => {
  const tape = await startTape();
  await rm(dir, { recursive: true });
  await writeFile(dir, 'a file where the folder was');
  tape.record(START - MINUTE, [source]);
  await tape.flush();
  expect(warnings.join()).toContain('tape not written');
  expect(tape.state()).toEqual({ state: 'disk', lastAt: null });
  tape.record(START - MINUTE + 1, [source]);
  await rm(dir);
  await tape.start();
  tape.record(START + SECOND - 2, [source]);
  tape.record(START + SECOND - 1, [source]);
  await tape.stop();
  expect((await entriesOf(HOUR_ONE)).map(({ type }) => type)).toEqual(['begin', 'tick', 'tick']);
  const [hour] = await listHours(dir, START + SECOND);
  expect(hour?.gaps[0]).toEqual({ from: Date.parse(`${HOUR_ONE}:00:00.000Z`), to: START + SECOND - 2 });
});

test('a gap begins at the last step certainly on the disk when the disk refuses a flush while steps go on [T-37]', async () => {
  const tape = await startTape();
  const from = START - 10 * MINUTE;
  tape.record(from, [source]);
  await tape.flush();
  const [part] = await listParts(dir);
  // The index can't be replaced while a folder takes the name of the new one.
  const obstacle = `${part?.file.replace('.jsonl.gz', '.json')}.new`;
  await mkdir(obstacle);
  const flushed = tape.flush();
  tape.record(from + 1, [source]);
  await flushed;
  expect(tape.state()).toEqual({ state: 'disk', lastAt: from });
  await rm(obstacle, { recursive: true });
  const to = from + 2 * MINUTE;
  tape.record(to, [source]);
  await tape.stop();
  const entries = await entriesOf(HOUR_ONE);
  expect(entries.slice(1)).toEqual([
    { type: 'tick', now: from, changes: [source] },
    { type: 'gap', from, to },
    { type: 'begin', at: to, ...state },
    { type: 'tick', now: to, changes: [source] },
  ]);
});
