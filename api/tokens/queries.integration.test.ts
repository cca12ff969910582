import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noFacts, RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import { createEventBus } from '../events/bus.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { addressNumber, nothingLive, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { createListIndex } from './list-index/list-index.ts';
import { createLiveIndex, type LiveIndex } from './list-index/live-index.ts';
import { tokenModels } from './model.ts';
import { presentToken } from './present.ts';
import { createTokenQueries, type TokenQueries } from './service.ts';

const now = Date.now();
const context = { now, solUsd: null };
const clock = { now: () => now };
const bus = createEventBus((error) => {
  throw error;
});
const market = { ...nothingLive, simulated: () => false, solUsd: () => null };
/** Tokens that the market has in memory. */
const live = new Set<string>();
const isLive = (address: string) => live.has(address);
const token = tokenRecord(1, { createdAt: now - 60_000 });

const connection = await testConnection({ monitorCommands: true });
let queries: TokenQueries;
let index: LiveIndex;
let explained: Explained;

beforeAll(async () => {
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
  index = createLiveIndex({ tokens: models.tokens, bus, clock, isLive, log: pino({ level: 'silent' }) });
  await index.start();
  queries = createTokenQueries({ models, index, market, clock });
});
afterAll(async () => {
  index.stop();
});

const plans = (run: () => Promise<unknown>) => explained.plans(run);

test.each<[string, () => Promise<unknown>, { sorts?: boolean }]>([
  ['list', () => queries.list({}), {}],
  ['list, next page', () => queries.list({ before: `${now - 600_000}_${addressNumber(5)}` }), {}],
  [
    'a sorted, filtered or searched list',
    () => queries.list({ q: 'coin 1', sort: 'liquidity', filter: 'runners' }),
    {},
  ],
  ['load of the index', () => index.load(), {}],
  ['detail', () => queries.byAddress(token._id), {}],
  ['samples', () => queries.samples(token, '1h'), {}],
  ['samples of all time', () => queries.samples({ ...token, listedAt: 0 }, 'all'), {}],
  ['trades', () => queries.trades(token._id), { sorts: true }],
])('%s uses an index', async (_name, run, options) => {
  expectIndexed(await plans(run), options);
});

test('the total is counted on an index, since the count in the collection metadata is wrong after a crash', async () => {
  // A separate instance, since a count is cached for two seconds.
  const counting = createTokenQueries({ models: tokenModels(connection), index, market, clock });
  const [plan] = await plans(() => counting.count());
  expect(plan).toContain('COUNT_SCAN');
  expect(plan).not.toContain('FETCH');
});

test('a query without an index shows as a collection scan', async () => {
  const [plan] = await plans(() => connection.collection('tokens').find({ name: 'Coin 7' }).toArray());
  expect(plan).toContain('COLLSCAN');
});

test('every read of a token computes its volume of the last 24 hours', async () => {
  const hour = Math.floor(now / 3_600_000) - 30;
  const volumeByHour = [{ hour, lamports: 1_000_000_000, microUsd: 100_000_000 }];
  const overrides = { createdAt: now - 31 * 3_600_000, volumeByHour, volumeUsd: 100 };
  const idle = tokenRecord(9_001, { ...overrides, name: 'Idle' });
  await tokenModels(connection).tokens.create(idle);
  await index.load();
  expect((await queries.byAddress(idle._id))?.volumeUsd).toBe(0);
  expect((await queries.list({ q: 'idle' })).records.map(({ volumeUsd }) => volumeUsd)).toEqual([0]);
  // In the order of its stored volume until it is read again.
  const top = async () => (await queries.list({ sort: 'volume', limit: 1 })).records.map(({ _id }) => _id);
  expect(await top()).toEqual([idle._id]);
  await index.refreshQuiet();
  expect(index.page({ sort: 'volume', order: 'desc', limit: 1, q: 'idle' }, context).next).toBeNull();
  expect(index.quiet(10, now)).not.toContain(idle._id);
});

test('the index reads the figures of its filters from MongoDB as clients receive them', async () => {
  const fact = <Value>(value: Value) => ({ value, at: now, source: 'test' });
  const facts = {
    ...noFacts(),
    symbolTwin: fact('older'),
    creatorHolds: fact(1),
    insidersHold: fact(2),
    insidersBought: fact(3),
    topTen: fact(4),
    creatorLaunches24h: fact(5),
  };
  const reserves = { virtualQuote: 1, virtualToken: 1, realQuote: 1, realToken: 400_000_000_000_000 };
  const known = tokenRecord(9_010, { name: 'Projected', facts, reserves, peakPrice: 0.001, riskCoverage: 60 });
  const bare = tokenRecord(9_011, { name: 'Projected', complete: false });
  await tokenModels(connection).tokens.create([known, bare]);
  await index.load();
  const counted = createListIndex();
  for (const record of [known, bare]) counted.put(presentToken(record), now);
  const { fields } = index.facets({ include: 'projected' }, context);
  const ofWire = counted.facets({}, context).fields;
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(['curve', 'developer', 'topTen', 'insiders', 'bundle']));
  expect({ ...fields, age: null }).toEqual({ ...ofWire, age: null });
  expect(index.facets({ include: 'projected', copies: 'hide' }, context).matching).toBe(1);
});

test('the state of a list changes with the index and the rate, and with time where ages bound it', () => {
  const state = { now, rate: 150 };
  const moving = createTokenQueries({
    models: tokenModels(connection),
    index,
    market: { ...market, solUsd: () => ({ rate: state.rate, at: new Date(now).toISOString(), source: 'test' }) },
    clock: { now: () => state.now },
  });
  const [risky, young, aged] = [{ filter: 'risky' }, { filter: 'new' }, { f: 'age:60-' }] as const;
  const states = [risky, young, aged].map(moving.stateOf);
  let before = states.map((read) => read());
  const changed = () => {
    const after = states.map((read) => read());
    const result = after.map((text, place) => text !== before[place]);
    before = after;
    return result;
  };
  expect(changed()).toEqual([false, false, false]);
  state.now += 1;
  expect(changed()).toEqual([false, true, true]);
  state.rate = 151;
  expect(changed()).toEqual([true, true, true]);
  index.put(presentToken(token), now);
  expect(changed()).toEqual([true, true, true]);
});

test('the index follows the events of the market', async () => {
  const search = async () => (await queries.list({ q: 'moon otter' })).total;
  const record = tokenRecord(9_002, { name: 'Based Frog', createdAt: now });
  await tokenModels(connection).tokens.create(record);
  const change = (name: string) => ({ token: { ...presentToken(record), name }, isNew: true, isComplete: true });
  bus.emit('token-changed', { at: now, changes: [change('Moon Otter')] });
  expect(await search()).toBe(1);
  bus.emit('token-changed', { at: now, changes: [change('Mars Otter')] });
  expect(await search()).toBe(0);
  bus.emit('token-changed', { at: now, changes: [change('Moon Otter')] });
  bus.emit('token-removed', { addresses: [record._id] });
  expect(await search()).toBe(0);
});

test('drops a token that the database has deleted at its expiry', async () => {
  const day = 24 * 3_600_000;
  const expired = tokenRecord(9_003, { name: 'Expired', createdAt: now - 40 * day });
  index.put(presentToken(expired), now - 30 * day);
  expect((await queries.list({ q: 'expired' })).total).toBe(0);
  index.put(presentToken(expired), now - 30 * day);
  await index.refreshQuiet();
  expect(index.page({ q: 'expired', sort: 'detected', order: 'desc', limit: 1 }, context).total).toBe(0);
});

test('keeps a token that only the market has, however long MongoDB does not store it', async () => {
  const waiting = tokenRecord(9_006, { name: 'Waiting', createdAt: now - 40 * 24 * 3_600_000 });
  index.put(presentToken(waiting), now - 30 * 24 * 3_600_000);
  live.add(waiting._id);
  expect(await queries.list({ q: 'waiting' })).toMatchObject({ total: 1, records: [] });
  await index.refreshQuiet();
  expect(index.page({ q: 'waiting', sort: 'detected', order: 'desc', limit: 1 }, context).total).toBe(1);
  live.delete(waiting._id);
  expect((await queries.list({ q: 'waiting' })).total).toBe(0);
});

test('a page keeps a token that leaves memory while the others of the page are read', async () => {
  const { tokens } = tokenModels(connection);
  const createdAt = now - 24 * 3_600_000;
  const stored = [9_007, 9_008].map((number) => tokenRecord(number, { name: 'Leaving', createdAt }));
  await tokens.insertMany(stored);
  await index.load();
  const [leaving, other] = stored.map(({ _id }) => _id);
  const memory = new Map(stored.slice(0, 1).map((record) => [record._id, { ...record, version: 2 }]));
  const withMemory = { ...market, liveRecord: (address: string) => memory.get(address) };
  const reading = createTokenQueries({ models: tokenModels(connection), index, market: withMemory, clock });
  connection.getClient().once('commandStarted', () => memory.clear());
  const { total, records } = await reading.list({ q: 'leaving' });
  expect(memory.size).toBe(0);
  const versions = Object.fromEntries(records.map(({ _id, version }) => [_id, version]));
  expect({ total, versions }).toEqual({ total: 2, versions: { [leaving ?? '']: 2, [other ?? '']: 1 } });
  expect((await reading.list({ q: 'leaving' })).total).toBe(2);
});

test('reads a score of earlier rules again once it is computed', async () => {
  const { tokens } = tokenModels(connection);
  const token = tokenRecord(9_004, {
    name: 'Rescored',
    riskScore: 10,
    riskRulesVersion: 1,
    createdAt: now - 3_600_000,
  });
  await tokens.create(token);
  await index.load();
  const risky = async () => (await queries.list({ q: 'rescored', filter: 'risky' })).total;
  expect(await risky()).toBe(0);
  await tokens.updateOne({ _id: token._id }, { riskScore: 90, riskRulesVersion: RISK_RULES_VERSION });
  await index.refreshQuiet();
  expect(await risky()).toBe(1);
});

test('an index that holds the newest tokens only reports so, and the counts of all come from the database', async () => {
  const models = tokenModels(connection);
  await models.tokens.create(
    tokenRecord(9_005, { createdAt: now - 30 * 24 * 3_600_000, runner: true, mightRun: true }),
  );
  const newest = createLiveIndex({
    tokens: models.tokens,
    bus,
    clock,
    isLive,
    log: pino({ level: 'silent' }),
    maxRows: 150,
  });
  await newest.start();
  try {
    const partial = createTokenQueries({ models, index: newest, market, clock });
    expect(await partial.list({ sort: 'price', limit: 1 })).toMatchObject({ total: 150, covered: 150 });
    const [whole, plain] = await Promise.all([models.tokens.countDocuments(), partial.list({ limit: 1 })]);
    expect(plain.total).toBe(whole);
    expect(await partial.stats()).toMatchObject({ total: whole, runners: 4, mightRun: 1 });
    for (const plan of await plans(() => createTokenQueries({ models, index: newest, market, clock }).stats())) {
      expect(plan).toContain('COUNT_SCAN');
    }
  } finally {
    newest.stop();
  }
});
