import mongoose, { type Connection } from 'mongoose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ruleAsPlan } from '../../common/rules/conditions.ts';
import { defaultRule } from '../../common/rules/model.ts';
import { HOUR, MINUTE } from '../../common/time.ts';
import { defaultDefaults, defaultLimits } from '../../common/trading/account.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { addressNumber, nothingLive, sampleRecord, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { loadPaths } from './paths.ts';
import type { Lists } from './run.ts';
import { createPreviews, type PreviewPlan, type Previews } from './service.ts';

const now = Date.now();
const wide = { tokens: 1000, points: 100_000 };
const none: Lists = { white: new Set(), black: new Set() };
const everything = ruleAsPlan({ ...defaultRule, minLiquidity: 0, maxRisk: 100 }, true);
const planned: PreviewPlan = { plan: everything, buyAmount: 0.1, maxSlippage: 5, exits: { kind: 'rule' } };
const account = { limits: defaultLimits, defaults: defaultDefaults };

/** The signal of a caller that stays connected. */
const connected = new AbortController().signal;

let uri: string;
let connection: Connection;
let explained: Explained;
let models: ReturnType<typeof tokenModels>;

beforeEach(async () => {
  uri = testDatabase().uri;
  connection = await mongoose.createConnection(uri, { monitorCommands: true, autoIndex: false }).asPromise();
  explained = explainer(connection);
  models = tokenModels(connection);
  await ensureIndexes(models.tokens);
  await ensureIndexes(models.samples);
});
afterEach(() => connection.close());

/** Stores tokens one minute apart, number 0 the newest, each with `points` minute samples. */
async function store(tokens: number, points: number): Promise<void> {
  const numbers = Array.from({ length: tokens }, (_, number) => number);
  await models.tokens.insertMany(
    numbers.map((number) => tokenRecord(number, { createdAt: now - (number + points + 1) * MINUTE, lastTradeAt: now })),
  );
  const samples = numbers.flatMap((number) =>
    Array.from({ length: points }, (_, index) =>
      sampleRecord(addressNumber(number), 'minute', new Date(now - (index + 1) * MINUTE)),
    ),
  );
  if (samples.length > 0) await models.samples.insertMany(samples);
}

test('reads tokens, their number and their points by an index, without a sort', async () => {
  await store(230, 2);
  await models.samples.insertMany([sampleRecord(addressNumber(1), 'full', new Date(now))]);
  const plans = await explained.plans(() => loadPaths({ connection, market: nothingLive }, now, wide));
  // Tokens, their number, and five batches of the points of each grain.
  expect(plans).toHaveLength(12);
  expectIndexed(plans);
  for (const plan of plans) expect(plan.some((stage) => stage === 'IXSCAN' || stage === 'COUNT_SCAN')).toBe(true);
});

test('returns points since detection, oldest first, at most one per second', async () => {
  await models.tokens.insertMany([
    tokenRecord(1, { createdAt: now - HOUR, lastTradeAt: now, lastUpdated: now - 500, price: 7, holderCount: 70 }),
    tokenRecord(2, { createdAt: now - HOUR }),
  ]);
  const at = (grain: 'minute' | 'full', before: number, price: number) => ({
    ...sampleRecord(addressNumber(1), grain, new Date(now - before)),
    price,
  });
  await models.samples.insertMany([
    at('full', 9000, 4),
    at('full', 8500, 100),
    at('full', 8000, 5),
    at('full', 2000, 6),
    at('minute', 2 * HOUR, 100),
    at('minute', 5000, 5),
    at('minute', 30 * MINUTE, 2),
    at('full', 11 * MINUTE, 100),
    at('minute', 10 * MINUTE, 3),
  ]);
  const { tokens, leftOut, from, to } = await loadPaths({ connection, market: nothingLive }, now, wide);
  expect({ leftOut, from, to }).toEqual({ leftOut: 0, from: now - 8 * HOUR, to: now });
  const path = tokens.find(({ address }) => address === addressNumber(1));
  expect(path?.history.points.map((point) => [now - point.at, point.price])).toEqual([
    [HOUR, null],
    [30 * MINUTE, 2],
    [10 * MINUTE, 3],
    [9000, 4],
    [8000, 5],
    [5000, 5],
    [2000, 6],
    [500, 7],
  ]);
  expect(path?.history.points[0]).toMatchObject({ liquidity: 1, holders: null });
  expect(path?.history.points.at(-1)).toMatchObject({ liquidity: 2, holders: 70 });
});

test('ends with the figures in memory, which are newer than the stored ones', async () => {
  const stored = tokenRecord(1, { createdAt: now - HOUR, price: 1, holderCount: 10, riskScore: 20 });
  await models.tokens.insertMany([stored, tokenRecord(2, { createdAt: now - HOUR, price: 1 })]);
  await models.samples.insertMany([sampleRecord(stored._id, 'full', new Date(now - 2000))]);
  const current = {
    ...stored,
    price: 7,
    holderCount: 70,
    riskScore: 90,
    lastTradeAt: now - 500,
    lastUpdated: now - 500,
  };
  const market = { liveRecord: (address: string) => (address === stored._id ? current : undefined) };
  const { tokens } = await loadPaths({ connection, market }, now, wide);
  const path = tokens.find(({ address }) => address === stored._id);
  expect(path?.risk).toBe(90);
  expect(path?.history.points.map((point) => [now - point.at, point.price, point.holders])).toEqual([
    [HOUR, null, null],
    [2000, 0.000_001, 3],
    [500, 7, 70],
  ]);
});

test('leaves out and counts the older tokens beyond the limit of tokens', async () => {
  await store(30, 1);
  const { tokens, leftOut, from } = await loadPaths({ connection, market: nothingLive }, now, {
    tokens: 20,
    points: 1000,
  });
  expect(tokens.map(({ address }) => address)).toEqual(
    Array.from({ length: 20 }, (_, number) => addressNumber(number)),
  );
  expect([leftOut, from]).toEqual([10, now - 21 * MINUTE]);
});

test('leaves out and counts batches of older tokens beyond the limit of points', async () => {
  await store(250, 4);
  const { tokens, leftOut } = await loadPaths({ connection, market: nothingLive }, now, { tokens: 1000, points: 850 });
  expect([tokens.length, leftOut]).toEqual([200, 50]);
  expect(tokens.every(({ history }) => history.points.length >= 5)).toBe(true);
  expect(await loadPaths({ connection, market: nothingLive }, now, { tokens: 1000, points: 199 })).toMatchObject({
    tokens: [],
    leftOut: 250,
  });
});

/** Creates previews with a manual clock. */
async function previewsAt(
  time: { now: number },
  tries = 1000,
  lists: () => Promise<Lists> = async () => none,
): Promise<Previews> {
  const limits = { previewPerUser: { tries, seconds: 60 } };
  return createPreviews({
    ...{ connection, market: nothingLive },
    clock: { now: () => time.now },
    network: { rentPerByte: () => null },
    watchlists: { of: lists },
    accounts: { read: async () => account },
    limits,
    bounds: wide,
  });
}

test('shares paths for half a minute, also between concurrent previews', async () => {
  await store(3, 1);
  const time = { now };
  const previews = await previewsAt(time);
  const runTwo = () =>
    explained.plans(() =>
      Promise.all([previews.run('ann', planned, connected), previews.run('bob', planned, connected)]),
    );
  const reads = (plans: string[][]) => plans.length;
  const first = reads(await runTwo());
  expect(first).toBeGreaterThan(3);
  time.now += 29_999;
  expect(reads(await runTwo())).toBe(0);
  time.now += 2;
  expect(reads(await runTwo())).toBe(first);
});

test('does not share a failure', async () => {
  await store(3, 1);
  const previews = await previewsAt({ now });
  await connection.close();
  await expect(previews.run('ann', planned, connected)).rejects.toThrow();
  await connection.openUri(uri, { autoIndex: false });
  expect(await previews.run('ann', planned, connected)).toMatchObject({ checked: 3 });
});

test('allows one preview per user, two in all, within the rate limit', async () => {
  await store(1, 1);
  const gates: (() => void)[] = [];
  const previews = await previewsAt({ now }, 2, () => new Promise((resolve) => gates.push(() => resolve(none))));
  const reached = (count: number) => expect.poll(() => gates.length).toBe(count);
  const ann = previews.run('ann', planned, connected);
  await reached(1);
  await expect(previews.run('ann', planned, connected)).rejects.toMatchObject({
    code: 'already-running',
    retryAfter: 3,
  });
  const bob = previews.run('bob', planned, connected);
  await reached(2);
  const eve = previews.run('eve', planned, connected);
  await expect(eve).rejects.toMatchObject({ code: 'too-many-requests', retryAfter: 3 });
  for (const open of gates) open();
  expect(await Promise.all([ann, bob])).toMatchObject([{ checked: 1 }, { checked: 1 }]);
  // Ann's second: the preview refused as already running did not count.
  const second = previews.run('ann', planned, connected);
  await reached(3);
  gates[2]?.();
  await second;
  await expect(previews.run('ann', planned, connected)).rejects.toMatchObject({
    code: 'too-many-requests',
  });
});

test('ends a preview when its caller disconnects, and allows the next one', async () => {
  await store(60, 40);
  const previews = await previewsAt({ now });
  const closed = new AbortController();
  const ended = previews.run('ann', planned, closed.signal);
  closed.abort(new Error('disconnected'));
  await expect(ended).rejects.toThrow('disconnected');
  expect(await previews.run('ann', planned, connected)).toMatchObject({ checked: 60 });
});

test('counts tokens without a value that the conditions need [S3-39]', async () => {
  const lived = { createdAt: now - HOUR, lastUpdated: now - 500 };
  await models.tokens.insertMany([
    tokenRecord(1, { ...lived, holderCount: null }),
    tokenRecord(2, { ...lived, holderCount: 5 }),
  ]);
  const previews = await previewsAt({ now });
  const holderConfig = { option: 'buy_at_minimum_holders', minHolders: 10 } as const;
  const plan = { ...everything, type: 'holder_based', configuration: { holderConfig } } as const;
  expect(await previews.run('ann', { ...planned, plan }, connected)).toMatchObject({
    checked: 2,
    total: 0,
    unknown: 1,
  });
});
