import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ensureIndexes } from '../server/database.ts';
import { testDatabase } from '../testing/database.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { tokenModels } from './model.ts';
import { createTokenQueries, searched, type TokenQueries } from './service.ts';

const now = Date.now();
const clock = { now: () => now };
const market = { simulated: () => false, solUsd: () => null };
const token = tokenRecord(1, { createdAt: now - 60_000 });

let connection: Connection;
let queries: TokenQueries;
/** The commands the queries sent, as the driver saw them. */
const sent: { collection: string; command: Record<string, unknown> }[] = [];

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
  connection.getClient().on('commandStarted', ({ command, commandName }) => {
    const collection: unknown = command[commandName];
    if (typeof collection === 'string') sent.push({ collection, command });
  });
  queries = createTokenQueries({ models, market, clock });
});
afterAll(() => connection.close());

/** Stage names of every plan the last query used, outermost first. */
async function plans(run: () => Promise<unknown>): Promise<string[][]> {
  sent.length = 0;
  await run();
  const asked = sent.filter(({ command }) => 'find' in command || 'aggregate' in command);
  return Promise.all(asked.map(({ command }) => explain(command)));
}

async function explain(command: Record<string, unknown>): Promise<string[]> {
  const known = ['find', 'filter', 'sort', 'limit', 'aggregate', 'pipeline', 'cursor', 'hint'];
  const plain = Object.fromEntries(Object.entries(command).filter(([key]) => known.includes(key)));
  const plan = await connection.db?.command({ explain: plain, verbosity: 'queryPlanner' });
  return [...stages(plan)];
}

function* stages(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* stages(item);
  else if (typeof node === 'object' && node !== null) {
    const stage = z.object({ stage: z.string() }).safeParse(node);
    if (stage.success) yield stage.data.stage;
    for (const [key, value] of Object.entries(node)) if (key !== 'rejectedPlans') yield* stages(value);
  }
}

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
])('%s reads by an index', async (_name, run, { sorts = false }) => {
  const found = await plans(run);
  expect(found.length).toBeGreaterThan(0);
  for (const plan of found) {
    expect(plan.length).toBeGreaterThan(0);
    expect(plan).not.toContain('COLLSCAN');
    if (!sorts) expect(plan).not.toContain('SORT');
  }
});

test('the count of all counts an index: what the collection believes to hold is wrong after a crash', async () => {
  // Of its own, since a count is kept for a while.
  const counting = createTokenQueries({ models: tokenModels(connection), market, clock });
  const [plan] = await plans(() => counting.count(undefined));
  expect(plan).toContain('COUNT_SCAN');
  expect(plan).not.toContain('FETCH');
});

test('a search that takes too long is told as one, and a database that is away is not', async () => {
  const squared = { $lookup: { from: 'tokens', pipeline: [], as: 'all' } };
  const cubed = { $lookup: { from: 'tokens', pipeline: [squared], as: 'all' } };
  const slow = connection.collection('tokens').aggregate([cubed], { maxTimeMS: 1 });
  await expect(searched(slow.toArray())).rejects.toMatchObject({ code: 'search-too-broad', status: 400 });
  const away = new mongoose.mongo.MongoServerError({ message: 'stopping', code: 91 });
  await expect(searched(Promise.reject(away))).rejects.toBe(away);
});

test('this test would notice a query without an index', async () => {
  const [plan] = await plans(() => connection.collection('tokens').find({ name: 'Coin 7' }).toArray());
  expect(plan).toContain('COLLSCAN');
});
