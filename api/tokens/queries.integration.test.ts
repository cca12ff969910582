import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureIndexes } from '../platform/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type Explained, explainer } from '../testing/explain.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { tokenModels } from './model.ts';
import { createTokenQueries, searched, type TokenQueries } from './service.ts';

const now = Date.now();
const clock = { now: () => now };
const market = { simulated: () => false, solUsd: () => null };
const token = tokenRecord(1, { createdAt: now - 60_000 });

let connection: Connection;
let queries: TokenQueries;
let explained: Explained;

beforeAll(async () => {
  connection = await mongoose
    .createConnection(testDatabase().uri, { monitorCommands: true, autoIndex: false })
    .asPromise();
  const models = tokenModels(connection);
  await ensureIndexes(models.tokens);
  await ensureIndexes(models.trades);
  await ensureIndexes(models.samples);
  await models.tokens.insertMany(
    Array.from({ length: 200 }, (_, number) =>
      tokenRecord(number, { createdAt: now - number * 60_000, runner: number < 3 }),
    ),
  );
  await models.trades.insertMany([tradeRecord(token._id, 1, new Date(now))]);
  await models.samples.insertMany([sampleRecord(token._id, 'minute', new Date(now))]);
  explained = explainer(connection);
  queries = createTokenQueries({ models, market, clock });
});
afterAll(() => connection.close());

const plans = (run: () => Promise<unknown>) => explained.plans(run);

test.each<[string, () => Promise<unknown>, { sorts?: boolean }]>([
  ['list', () => queries.list({}), {}],
  ['list, next page', () => queries.list({ before: `${now - 600_000}_${addressNumber(5)}` }), {}],
  ['search', () => queries.list({ q: 'coin 1' }), { sorts: true }],
  ['count of a search', () => queries.count('coin'), {}],
  ['newest', () => queries.newest(), {}],
  ['runners', () => queries.runners(), {}],
  ['might run', () => queries.mightRun(), {}],
  ['early liquidity', () => queries.earlyLiquidity(), {}],
  ['stats', () => queries.stats(), {}],
  ['detail', () => queries.byAddress(token._id), {}],
  ['samples', () => queries.samples(token, '1h'), {}],
  ['samples of all time', () => queries.samples({ ...token, listedAt: 0 }, 'all'), {}],
  ['trades', () => queries.trades(token._id), { sorts: true }],
])('%s uses an index', async (_name, run, { sorts = false }) => {
  const found = await plans(run);
  expect(found.length).toBeGreaterThan(0);
  for (const plan of found) {
    expect(plan.length).toBeGreaterThan(0);
    expect(plan).not.toContain('COLLSCAN');
    if (!sorts) expect(plan).not.toContain('SORT');
  }
});

test('the total is counted on an index, since the count in the collection metadata is wrong after a crash', async () => {
  // A separate instance, since a count is cached for two seconds.
  const counting = createTokenQueries({ models: tokenModels(connection), market, clock });
  const [plan] = await plans(() => counting.count(undefined));
  expect(plan).toContain('COUNT_SCAN');
  expect(plan).not.toContain('FETCH');
});

test('a search over its time limit is reported as too broad, an unreachable database is not', async () => {
  const squared = { $lookup: { from: 'tokens', pipeline: [], as: 'all' } };
  const cubed = { $lookup: { from: 'tokens', pipeline: [squared], as: 'all' } };
  const slow = connection.collection('tokens').aggregate([cubed], { maxTimeMS: 1 });
  await expect(searched(slow.toArray())).rejects.toMatchObject({ code: 'search-too-broad', status: 400 });
  const unreachable = new mongoose.mongo.MongoServerError({ message: 'stopping', code: 91 });
  await expect(searched(Promise.reject(unreachable))).rejects.toBe(unreachable);
});

test('a query without an index shows as a collection scan', async () => {
  const [plan] = await plans(() => connection.collection('tokens').find({ name: 'Coin 7' }).toArray());
  expect(plan).toContain('COLLSCAN');
});

test('every read of a token computes its volume of the last 24 hours', async () => {
  const hour = Math.floor(now / 3_600_000) - 30;
  const volumeByHour = [{ hour, lamports: 1_000_000_000, microUsd: 100_000_000 }];
  const overrides = { createdAt: now - 31 * 3_600_000, volumeByHour, volumeUsd: 100 };
  const idle = tokenRecord(9_001, { ...overrides, name: 'Idle', searchTerms: ['idle'] });
  await tokenModels(connection).tokens.create(idle);
  expect((await queries.byAddress(idle._id))?.volumeUsd).toBe(0);
  expect((await queries.list({ q: 'idle' })).map(({ volumeUsd }) => volumeUsd)).toEqual([0]);
});
