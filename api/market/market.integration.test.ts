import mongoose, { type Connection } from 'mongoose';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RISK_RULES_VERSION } from '../../common/tokens/risk/score.ts';
import type { FeedEntry } from '../../realtime/feed-log/feed-log.ts';
import { createMemoryLog } from '../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../realtime/publisher.ts';
import { connectDatabase } from '../platform/database.ts';
import { testDatabase } from '../testing/database.ts';
import { proxyMongo } from '../testing/mongo-proxy.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { createLiveIndex } from '../tokens/list-index/live-index.ts';
import { tokenModels } from '../tokens/model.ts';
import { createTokenQueries } from '../tokens/service.ts';
import { createMarket, type Market } from './market.ts';
import { createMarketStore } from './publish/store.ts';
import { fakeSource, silentLog, testBus } from './testing/market.ts';
import { address, created, onChain, rate, reservesWith, trade } from './testing/observations.ts';

const clock = { now: Date.now };
const SOL = 1_000_000_000;
const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  for (const { close } of open.splice(0).reverse()) await close();
});

async function connect(uri: string): Promise<Connection> {
  const connection = await connectDatabase(uri, silentLog);
  open.push({ close: () => connection.close(true) });
  return connection;
}

/** Starts a market on a database with a manual source, and records the feed. */
async function startMarket(connection: Connection, mayWrite = () => true, time = clock) {
  const feed = createMemoryLog({ clock });
  const entries: FeedEntry[] = [];
  feed.tail({ entries: (appended) => entries.push(...appended), message: () => {}, interrupted: () => {} });
  const hand = fakeSource('solana');
  const market: Market = createMarket({
    sources: [hand.source],
    connection,
    mayWrite,
    publisher: createPublisher(feed, () => false),
    bus: testBus(),
    clock: time,
    random: Math.random,
    log: silentLog,
    solUsd: null,
  });
  await market.start();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= market.stop());
  open.push({ close: stop });
  return { market, feed, entries, observe: hand.context.observe, known: hand.context.storedTokens, stop };
}

describe('the market on MongoDB', () => {
  test('stores observations, publishes them, and reports the position', async () => {
    const connection = await connect(testDatabase().uri);
    const { market, feed, observe } = await startMarket(connection);
    const now = Date.now();
    observe([rate(150, { at: now }), created({ at: now }), trade({ at: now })]);
    await vi.waitFor(() => expect(feed.head().seq).toBeGreaterThan(0));
    await vi.waitFor(() => expect(market.published()).toEqual(feed.head()));
    const record = await tokenModels(connection).tokens.findById(address(1)).lean();
    expect(record).toMatchObject({
      buys: 1,
      volumeUsd: 150,
      detectedAt: now,
    });
    expect(market.status()).toEqual([{ source: 'solana', state: 'live', lastEventAt: null }]);
    expect(market.simulated()).toBe(false);
  });

  test('knows insiders and first buyers by its memory, and after a restart by the stored trades', async () => {
    const { uri } = testDatabase();
    const first = await startMarket(await connect(uri));
    const now = Date.now();
    const buy = (wallet: string, slot: number, tokenAmount: number) =>
      trade({ at: now, wallet, tokenAmount, chain: onChain({ slot }) });
    first.observe([created({ at: now, chain: onChain({ slot: 1_000 }) }), buy('creator', 1_000, 7)]);
    first.observe([buy('sniper', 1_001, 8), buy('stranger', 1_050, 9)]);
    const early = { insiders: ['sniper'], firstBuyers: ['sniper', 'stranger'] };
    const read = async ({ market }: typeof first) => {
      const record = first.market.liveRecord(address(1));
      return record === undefined ? null : market.earlyWallets(record);
    };
    await vi.waitFor(async () => expect(await read(first)).toEqual(early));
    const record = first.market.liveRecord(address(1));
    if (record === undefined) throw new Error('not in memory');
    await first.stop();
    const second = await startMarket(await connect(uri));
    expect(await second.market.earlyWallets(record)).toEqual(early);
    const unseen = { ...record, _id: address(2), complete: false, sinceCreation: false };
    expect(await second.market.earlyWallets(unseen)).toBeNull();
    expect(await second.market.earlyWallets({ ...record, _id: address(2), listedAt: now - 90_000_000 })).toBeNull();
  });

  test('stores its figures at once on demand, and nothing while it does not run', async () => {
    const connection = await connect(testDatabase().uri);
    const { market, feed, observe, stop } = await startMarket(connection);
    const now = Date.now();
    observe([rate(150, { at: now }), created({ at: now }), trade({ at: now, wallet: 'a' })]);
    await vi.waitFor(() => expect(feed.head().seq).toBeGreaterThan(0));
    observe([trade({ at: now, wallet: 'b' })]);
    await market.merged();
    await market.storeFigures();
    expect(await tokenModels(connection).tokens.findById(address(1)).lean()).toMatchObject({ buys: 2 });
    await stop();
    await market.storeFigures();
  });

  test('a restart restores tokens, ledgers, rate and event ids', async () => {
    const { uri } = testDatabase();
    const now = Date.now();
    const bought = trade({ at: now, wallet: 'a' });
    const first = await startMarket(await connect(uri));
    first.observe([rate(150, { at: now }), created({ at: now }), bought, trade({ at: now, wallet: 'b' })]);
    await first.stop();
    expect(first.market.published()).toEqual(first.feed.head());

    const connection = await connect(uri);
    const second = await startMarket(connection);
    expect(second.market.solUsd()).toMatchObject({ rate: 150, source: 'solana' });
    expect(await second.known()).toMatchObject([
      { address: address(1), symbol: 'PEPE', createdAt: now, stage: 'curve' },
    ]);
    second.observe([bought, trade({ at: now, wallet: 'c' })]);
    await second.stop();
    expect(second.entries.map(({ event }) => event)).not.toContain('new-token');
    expect(second.entries.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ patches: [expect.objectContaining({ holderCount: 3 })] }),
    );
    const { tokens, trades } = tokenModels(connection);
    expect(await tokens.findById(address(1)).lean()).toMatchObject({ buys: 3, complete: true });
    expect(await trades.countDocuments()).toBe(3);
  });

  test('a token outside memory is hydrated with its next observation', async () => {
    const { uri } = testDatabase();
    const longAgo = Date.now() - 5 * 3_600_000;
    const first = await startMarket(await connect(uri));
    first.observe([created({ at: longAgo }), trade({ at: longAgo, wallet: 'a' })]);
    await first.stop();
    const connection = await connect(uri);
    const second = await startMarket(connection);
    second.observe([trade({ at: Date.now(), wallet: 'b', reserves: reservesWith(3 * SOL) })]);
    await second.stop();
    expect(await tokenModels(connection).tokens.findById(address(1)).lean()).toMatchObject({
      name: 'Pepe Coin',
      createdAt: longAgo,
      buys: 2,
      holderCount: 2,
      liquidityLamports: 3 * SOL,
    });
    expect(second.entries.map(({ event }) => event)).toEqual(['token-updates']);
  });

  test('trading reads a token from memory, or else as stored; a pinned one comes first to its source', async () => {
    const { uri } = testDatabase();
    const longAgo = Date.now() - 40 * 3_600_000;
    const first = await startMarket(await connect(uri));
    first.observe([created({ at: longAgo }), trade({ at: longAgo, reserves: reservesWith(3 * SOL) })]);
    first.observe([created({ at: Date.now(), address: address(2) })]);
    await vi.waitFor(() =>
      expect(first.market.liveCoin(address(1))).toMatchObject({ isLive: true, creator: 'creator' }),
    );
    await first.stop();

    const { market, known } = await startMarket(await connect(uri));
    expect(market.liveCoin(address(1))).toBeNull();
    expect(await market.coin(address(1))).toMatchObject({ name: 'Pepe Coin', reserves: reservesWith(3 * SOL) });
    expect(await market.coin(address(9))).toBeNull();
    market.pin(address(1));
    await vi.waitFor(() => expect(market.liveCoin(address(1))).toMatchObject({ liquidityLamports: 3 * SOL }));
    expect((await known()).map((token) => [token.address, token.isPinned])).toEqual([
      [address(1), true],
      [address(2), undefined],
    ]);
  });

  test('stored tokens get a score of the present rules, from the facts that they have', async () => {
    const connection = await connect(testDatabase().uri);
    const { tokens } = tokenModels(connection);
    const listedAt = Date.now() - 5 * 86_400_000;
    const old = { listedAt, createdAt: listedAt, riskScore: 12, riskReason: null, riskRulesVersion: null, facts: {} };
    const figures = [
      { rugged: true },
      { peakLiquidityLamports: 20 * SOL, liquidityLamports: SOL },
      // More than one page.
      ...Array.from({ length: 250 }, () => ({})),
    ];
    const stored = figures.map((own, number) => ({ ...tokenRecord(number), ...old, ...own }));
    await connection.collection<{ _id: string }>('tokens').insertMany(stored);
    await startMarket(connection);
    const outdated = () => tokens.countDocuments({ riskRulesVersion: { $ne: RISK_RULES_VERSION } });
    await vi.waitFor(async () => expect(await outdated()).toBe(0));
    const scored = (number: number) => tokens.findById(addressNumber(number)).lean();
    expect(await scored(0)).toMatchObject({
      riskScore: 90,
      riskReason: 'rugged',
      version: 2,
      keepUntil: stored[0]?.keepUntil,
    });
    expect(await scored(1)).toMatchObject({ riskReason: 'drained', facts: { drained: { value: true } } });
    expect(await scored(200)).toMatchObject({ riskScore: 33, riskReason: 'liquidity' });
  });

  test('the feed continues while the database is away for three seconds, and nothing is missing afterwards', async () => {
    const proxy = await proxyMongo(testDatabase().uri);
    open.push(proxy);
    const connection = await connect(proxy.uri);
    const { market, feed, entries, observe } = await startMarket(connection);
    const now = Date.now();
    observe([created({ at: now })]);
    await vi.waitFor(() => expect(market.published()).toEqual(feed.head()));

    await proxy.cut();
    const since = Date.now();
    let sent = 0;
    while (sent < 6 || Date.now() - since < 3_000) {
      sent += 1;
      const before = entries.length;
      observe([
        created({ at: now, address: address(sent + 1) }),
        trade({ at: now, wallet: `wallet${sent}`, reserves: reservesWith(sent * SOL) }),
      ]);
      await vi.waitFor(() => expect(entries.length).toBeGreaterThan(before), { timeout: 15_000, interval: 10 });
    }
    expect(market.backlog()).toBeGreaterThan(sent);

    await proxy.restore();
    await vi.waitFor(() => expect(market.backlog()).toBe(0), { timeout: 15_000 });
    const { tokens, trades } = tokenModels(connection);
    expect(await trades.countDocuments()).toBe(sent);
    expect(await tokens.countDocuments()).toBe(sent + 1);
    expect(await tokens.findById(address(1)).lean()).toMatchObject({ buys: sent, holderCount: sent });
  });

  test('writes nothing while another process may, and goes on once it may itself [O9]', async () => {
    const connection = await connect(testDatabase().uri);
    const { tokens } = tokenModels(connection);
    let isHeld = false;
    const { feed, observe } = await startMarket(connection, () => isHeld);
    observe([created({ at: Date.now() }), trade({ at: Date.now() })]);
    await vi.waitFor(() => expect(feed.head().seq).toBeGreaterThan(0));
    expect(await tokens.countDocuments()).toBe(0);
    isHeld = true;
    await vi.waitFor(async () => expect(await tokens.countDocuments()).toBe(1), { timeout: 10_000 });
  });

  test('a late trade updates the point of its minute', async () => {
    const connection = await connect(testDatabase().uri);
    const { observe, stop } = await startMarket(connection);
    const begin = Math.floor(Date.now() / 60_000) * 60_000 - 5 * 60_000;
    observe([created({ at: begin }), trade({ at: begin }), trade({ at: begin + 1_000 })]);
    const { samples } = tokenModels(connection);
    const minutes = () => samples.find({ address: address(1), grain: 'minute' }).lean();
    await vi.waitFor(async () => expect(await minutes()).toMatchObject([{ volumeLamports: 2 * SOL }]), {
      timeout: 15_000,
    });
    observe([trade({ at: begin + 2_000 })]);
    await vi.waitFor(async () => expect(await minutes()).toMatchObject([{ volumeLamports: 3 * SOL }]), {
      timeout: 15_000,
    });
    await stop();
    expect(await samples.countDocuments({ grain: 'full' })).toBe(2);
  });
});

describe('the store', () => {
  test('every read uses an index', async () => {
    const { uri } = testDatabase();
    const connection = await connect(uri);
    const store = createMarketStore(connection, silentLog);
    await store.prepare();
    const now = Date.now();
    await store.write({
      tokens: [],
      trades: [],
      samples: [],
      journal: [],
      journalBelow: null,
      rate: { solUsd: 1, at: now, source: 'solana' },
    });

    const watched = await mongoose.createConnection(uri, { monitorCommands: true }).asPromise();
    open.push({ close: () => watched.close(true) });
    const finds: mongoose.mongo.BSON.Document[] = [];
    watched.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') finds.push(command);
    });
    const reads = createMarketStore(watched, silentLog);
    await reads.loadState(now, 300_000);
    await reads.recentTokens('solana', now);
    await reads.tokens([address(1)]);
    await reads.tradesOf(address(1));
    await reads.outdatedScores();
    await reads.journalEnd();
    for await (const entry of reads.journal()) expect(entry).toBeNull();
    expect(finds.length).toBeGreaterThanOrEqual(9);
    for (const { find, filter, sort, limit } of finds) {
      const plan = await connection.db?.command({
        explain: { find, filter, ...(sort && { sort }), ...(limit && { limit }) },
      });
      const text = JSON.stringify(plan?.queryPlanner?.winningPlan ?? plan);
      expect(text, `${find} ${JSON.stringify(filter)}`).toMatch(/IXSCAN|IDHACK|EXPRESS|EOF/);
      expect(text, `${find} ${JSON.stringify(filter)}`).not.toContain('COLLSCAN');
    }
  });

  test('a repeated write changes nothing', async () => {
    const connection = await connect(testDatabase().uri);
    const store = createMarketStore(connection, silentLog);
    await store.prepare();
    const observed = trade({ chain: onChain() });
    const record = {
      _id: 'once:0',
      address: observed.address,
      at: new Date(),
      side: observed.side,
      wallet: 'a',
      lamports: 1,
      amount: 2,
      price: null,
      signature: 'once',
      slot: null,
    };
    const batch = { tokens: [], trades: [record], samples: [], journal: [], journalBelow: null, rate: null };
    await store.write(batch);
    await store.write(batch);
    expect(await store.tradesOf(observed.address)).toEqual([record]);
  });
});

/** A clock that stands still: no checkpoint becomes due. */
function standingClock() {
  const now = Date.now();
  return { now: () => now };
}

describe('the journal', () => {
  test('brings back trades that age and size have deleted before their checkpoint, after a crash', async () => {
    const { uri } = testDatabase();
    const connection = await connect(uri);
    const first = await startMarket(connection, () => true, standingClock());
    const now = Date.now();
    first.observe([rate(150, { at: now }), created({ at: now })]);
    const { tokens, trades } = tokenModels(connection);
    await vi.waitFor(async () => expect(await tokens.countDocuments()).toBe(1));
    const lost = connection.collection<{ _id: number; isEnd?: boolean }>('journal');
    first.observe([trade({ at: now, wallet: 'a' }), trade({ at: now, wallet: 'b' })]);
    await vi.waitFor(() => expect(first.market.liveRecord(address(1))).toMatchObject({ buys: 2 }));
    await vi.waitFor(async () => expect(await lost.countDocuments()).toBeGreaterThan(1));
    const stored = await tokens.findById(address(1)).lean();
    const entries = await lost.find().toArray();
    await first.stop();
    // As the process has left them, had it been killed, and the bounds had deleted all trades.
    await lost.deleteMany({});
    await lost.insertMany(entries);
    await tokens.replaceOne({ _id: address(1) }, stored ?? {});
    await trades.deleteMany({});
    expect(stored).toMatchObject({ buys: 0 });
    expect(entries.some(({ isEnd }) => isEnd)).toBe(false);

    const again = await connect(uri);
    const second = await startMarket(again);
    expect(second.market.liveRecord(address(1))).toMatchObject({ buys: 2, holderCount: 2, complete: true });
    expect(await trades.countDocuments()).toBe(2);
    expect(second.market.liveRecord(address(1))?.version).toBeGreaterThan(
      first.market.liveRecord(address(1))?.version ?? 0,
    );
  });

  test('a list contains everything up to its position, which no checkpoint has yet', async () => {
    const connection = await connect(testDatabase().uri);
    const { market, feed, observe } = await startMarket(connection, () => true, standingClock());
    const now = Date.now();
    const bus = testBus();
    const { tokens } = tokenModels(connection);
    const index = createLiveIndex({ tokens, bus, clock, log: silentLog, isLive: market.has });
    await index.start();
    open.push({ close: async () => index.stop() });
    const queries = createTokenQueries({ models: tokenModels(connection), index, market, clock });
    observe([rate(150, { at: now }), created({ at: now })]);
    await vi.waitFor(async () => expect(await tokens.countDocuments()).toBe(1));
    observe([trade({ at: now, reserves: reservesWith(4 * SOL) })]);
    const before = feed.head().seq;
    await vi.waitFor(() => expect(market.published().seq).toBeGreaterThan(before));
    const { records } = await queries.list({});
    expect(records).toMatchObject([{ buys: 1, liquidityLamports: 4 * SOL }]);
    expect(await queries.byAddress(address(1))).toMatchObject({ buys: 1 });
    expect(await queries.trades(address(1))).toHaveLength(1);
    expect(await queries.samples(await expectFound(queries, address(1)), '10m')).toMatchObject([
      { volumeLamports: SOL },
    ]);
    expect(await tokens.findById(address(1)).lean()).toMatchObject({ buys: 0 });
  });
});

async function expectFound(queries: ReturnType<typeof createTokenQueries>, of: string) {
  const found = await queries.byAddress(of);
  if (found === null) throw new Error('the token is not found');
  return found;
}
