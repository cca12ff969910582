import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { createEventBus, type EventBus } from '../events/bus.ts';
import { connectDatabase } from '../platform/database.ts';
import { testDatabase } from '../testing/database.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { coinFields } from './case.ts';
import { calibrationModels } from './model.ts';
import { type Calibration, createCalibration } from './service.ts';
import { openCalibrationStore } from './store.ts';

/** In the future: MongoDB deletes cases that have expired by the clock of the machine. */
const BORN = Date.UTC(2099, 8, 1, 12);
const SOL = 1_000_000_000;
const log = pino({ level: 'silent' });

let connection: Connection;
let bus: EventBus;
let calibration: Calibration;
const clock = { at: BORN, now: () => clock.at };

beforeEach(async () => {
  connection = await connectDatabase(testDatabase().uri, log);
  clock.at = BORN;
  await start();
});
afterEach(async () => {
  await calibration.stop();
  await connection.close();
});

async function start(): Promise<void> {
  bus = createEventBus((error) => {
    throw new Error('a handler failed', { cause: error });
  });
  const store = await openCalibrationStore(connection);
  calibration = createCalibration({ store, bus, rulesVersion: 2, clock, log });
  await calibration.start();
}

/** Restarts after `pause` ms without a server. */
async function restart(pause: number): Promise<void> {
  await calibration.stop();
  clock.at += pause;
  await start();
}

/** Lets time pass in steps of a minute at most, as many as a gap may be long. */
function pass(ms: number): void {
  const until = clock.at + ms;
  while (clock.at < until) {
    clock.at = Math.min(until, clock.at + MINUTE);
    calibration.tick();
  }
}

/** Stores the state of a coin and reports it, as the market does. */
async function report(number: number, fields: Partial<TokenRecord> = {}): Promise<void> {
  const record = tokenRecord(number, {
    createdAt: BORN,
    listedAt: BORN,
    cluster: 'mainnet',
    detectedBy: 'solana',
    liquidityLamports: 10 * SOL,
    price: 1,
    riskScore: 20,
    complete: true,
    ...fields,
  });
  await tokenModels(connection).tokens.replaceOne({ _id: record._id }, record, { upsert: true });
  bus.emit('token-changed', {
    at: clock.at,
    changes: [{ token: presentToken(record), isNew: false, isComplete: record.complete }],
  });
}

const lostAt = (age: number) => calibration.report('live').ages.find((one) => one.age === age)?.lost;

test('cases continue after a restart, and the outcomes of markets are never mixed', async () => {
  await report(1);
  await report(2, { riskScore: 80 });
  await report(3, { detectedBy: 'simulator', cluster: null });
  pass(30 * SECOND);
  await report(2, { liquidityLamports: SOL, riskScore: 95 });
  await restart(MINUTE);
  expect(calibration.report('live').pending).toBe(3);
  pass(HOUR);
  expect(lostAt(30 * SECOND)).toMatchObject({ cases: 2, events: 1 });
  expect(calibration.report('simulated').ages[0]?.lost).toMatchObject({ cases: 1, events: 0 });
  expect(calibration.report('replay').ages[0]?.cases).toBe(0);
  const compare = (score: number) => calibration.compare({ market: 'live', age: MINUTE, score, runner: false }).lost;
  expect(compare(75)).toMatchObject({ cases: 1, events: 1 });
  expect(compare(15)).toMatchObject({ cases: 1, events: 0 });
});

test('settled cases survive a restart and are counted once, even if their deletion failed', async () => {
  await report(1);
  pass(30 * SECOND);
  await calibration.stop();
  const { cases } = calibrationModels(connection);
  const stored = await cases.find().lean();
  expect(stored).toHaveLength(1);
  await start();
  pass(HOUR + MINUTE);
  expect(lostAt(30 * SECOND)?.cases).toBe(1);
  await calibration.stop();
  await cases.bulkWrite(
    stored.map((document) => ({ replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } })),
  );
  await start();
  pass(2 * HOUR);
  expect(calibration.counts('live').filter(({ age }) => age === 30 * SECOND)).toMatchObject([
    { day: '2099-09-01', rulesVersion: 2, score: 20, cases: 1, lost: 0, doubled: 0, onCurve: 1 },
  ]);
});

test('cases of an hour in which the server was away for long come to nothing', async () => {
  await report(1);
  pass(30 * SECOND);
  await restart(10 * MINUTE);
  pass(HOUR);
  expect(lostAt(30 * SECOND)?.cases).toBe(0);
  expect(calibration.report('live').leftOut.interrupted).toBe(1);
});

test('a coin that was left out is not left out again after a restart', async () => {
  await report(1, { liquidityLamports: 0 });
  await report(2, { complete: false });
  pass(HOUR);
  const { leftOut } = calibration.report('live');
  expect(leftOut).toEqual({ small: 3, interrupted: 0, incomplete: 3 });
  await restart(SECOND);
  pass(MINUTE);
  expect(calibration.report('live').leftOut).toEqual(leftOut);
});

test('an interrupted case is not opened again', async () => {
  await report(1);
  pass(HOUR);
  expect(calibration.report('live').pending).toBe(3);
  await restart(3 * MINUTE);
  pass(MINUTE);
  expect(calibration.report('live')).toMatchObject({ pending: 0, leftOut: { interrupted: 3 } });
});

test('a case that is changed and closed in one write stays', async () => {
  await report(1);
  pass(2 * MINUTE);
  await calibration.stop();
  const store = await openCalibrationStore(connection);
  const { cases } = await store.load();
  const closed = cases.map(({ _id }) => _id);
  await store.write({ days: [], cases, closed, aliveAt: clock.at });
  expect((await store.load()).cases).toEqual(cases);
  await store.write({ days: [], cases: [], closed, aliveAt: clock.at });
  expect((await store.load()).cases).toEqual([]);
});

test('a start reads only the fields of a coin that its state needs', async () => {
  await report(1);
  const store = await openCalibrationStore(connection);
  const projections: unknown[] = [];
  connection.set('debug', (_collection: string, _method: string, _filter: unknown, options: { projection?: unknown }) =>
    projections.push(options.projection),
  );
  const [recent, old] = [await store.coins(BORN, []), await store.coins(BORN + 1, [addressNumber(1)])];
  expect(projections).toEqual([coinFields, coinFields, coinFields]);
  expect(recent).toMatchObject([{ address: addressNumber(1), score: 20, liquidity: 10 }]);
  expect(old).toEqual(recent);
});

test('cases of an hour in which the process was suspended come to nothing', async () => {
  await report(1);
  pass(30 * SECOND);
  clock.at += 20 * MINUTE;
  calibration.tick();
  pass(HOUR);
  expect(lostAt(30 * SECOND)?.cases).toBe(0);
  expect(calibration.report('live').leftOut.interrupted).toBe(1);
});

test('a removed token leaves no case behind', async () => {
  await report(1);
  await report(2);
  pass(30 * SECOND);
  await restart(SECOND);
  const { cases } = calibrationModels(connection);
  expect(await cases.countDocuments()).toBe(2);
  bus.emit('token-removed', { addresses: [addressNumber(1)] });
  await calibration.stop();
  expect(await cases.find().lean()).toMatchObject([{ address: addressNumber(2) }]);
  await start();
  bus.emit('token-removed', { all: true });
  await calibration.stop();
  expect(await cases.countDocuments()).toBe(0);
});
