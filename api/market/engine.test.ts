import { describe, expect, test } from 'vitest';
import { feedEvents } from '../../common/live.ts';
import { type MemoryStore, testEngine } from './testing/market.ts';
import {
  address,
  created,
  facts,
  migrated,
  onChain,
  rate,
  reservesWith,
  START,
  startReserves,
  trade,
} from './testing/observations.ts';

const SOL = 1_000_000_000;
const HOUR = 3_600_000;

function record(store: MemoryStore, number = 1) {
  const found = store.records.get(address(number));
  if (!found) throw new Error('not stored');
  return found;
}

describe('merging', () => {
  test('S3-01 S3-02 a created token is stored with what its creation tells', async () => {
    const { see, store } = testEngine();
    await see(created());
    expect(record(store)).toMatchObject({
      _id: address(1),
      name: 'Pepe Coin',
      symbol: 'PEPE',
      decimals: 6,
      totalSupply: '1000000000000000',
      creator: 'creator',
      createdAt: START,
      listedAt: START,
      stage: 'curve',
      liquidityLamports: 0,
      initialLiquidityLamports: 0,
      complete: true,
      holderCount: 0,
      version: 1,
    });
    expect(record(store).price).toBeCloseTo(30 / 1_073_000_000, 18);
    expect(record(store).marketCapUsd).toBeCloseTo(2795.9, 1);
  });

  test('S3-03 liquidity is the real quote side; the initial one is that after the transaction of the creation', async () => {
    const { see, store } = testEngine();
    const creation = created();
    await see(
      creation,
      trade({ chain: onChain({ signature: creation.chain.signature, index: 1 }), reserves: reservesWith(2 * SOL) }),
      trade({ reserves: reservesWith(5 * SOL), at: START + 1_000 }),
    );
    expect(record(store)).toMatchObject({ initialLiquidityLamports: 2 * SOL, liquidityLamports: 5 * SOL, buys: 2 });
  });

  test('S3-04 volume is what was traded, in dollars', async () => {
    const { see, store } = testEngine({ solUsd: 150 });
    await see(created(), trade(), trade({ side: 'sell', quoteAmount: SOL / 2 }));
    expect(record(store).volumeUsd).toBeCloseTo(225, 9);
  });

  test('S3-05 without a rate the figures in dollars are null, and come with the rate', async () => {
    const { see, tick, store } = testEngine({ solUsd: null });
    await see(created(), trade());
    expect(record(store)).toMatchObject({ marketCapUsd: null, volumeUsd: null });
    await see(rate(200));
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(record(store).volumeUsd).toBe(200);
    expect(record(store).marketCapUsd).toBeGreaterThan(5_000);
    expect(store.storedRate).toEqual({ solUsd: 200, at: START, source: 'solana' });
  });

  test('S3-03 a USDC coin without a rate has unknown amounts; its later price needs only the rate', async () => {
    const { see, tick, store } = testEngine({ solUsd: null });
    const reserves = { ...startReserves(), virtualQuote: 4_500_000_000, realQuote: 300_000_000 };
    await see(created({ quote: 'USDC', reserves }), trade({ quote: 'USDC', quoteAmount: 150_000_000, reserves }));
    expect(record(store)).toMatchObject({ price: null, liquidityLamports: null, volumeUsd: null });
    await see(rate(150));
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(record(store)).toMatchObject({ liquidityLamports: 2 * SOL });
    expect(record(store).price).toBeCloseTo(30 / 1_073_000_000, 18);
    // One trade's SOL value was never known: the sum of the others would be too low.
    expect(record(store).volumeUsd).toBeNull();
  });

  test('a token first seen by a trade is incomplete: what was before is unknown', async () => {
    const { see, store, events } = testEngine();
    await see(trade({ at: START - 5_000, receivedAt: START }));
    expect(record(store)).toMatchObject({
      complete: false,
      createdAt: null,
      listedAt: START,
      name: null,
      holderCount: null,
      decimals: 6,
      initialLiquidityLamports: null,
      riskScore: null,
    });
    expect(record(store).price).not.toBeNull();
    expect(events[0]).toMatchObject({ event: 'new-token', payload: { token: { createdAt: null, holderCount: null } } });
  });

  test('S3-09 S3-10 a simulated token carries the source "simulator"', async () => {
    const { see, events } = testEngine();
    await see(created({ source: 'simulator', launchpad: 'simulator', cluster: null }));
    expect(events[0]).toMatchObject({
      payload: { token: { metadata: { source: 'simulator', detectedBy: 'simulator', cluster: null } } },
    });
  });

  test('duplicates are dropped by signature and index', async () => {
    const { see, store } = testEngine();
    const bought = trade();
    await see(created(), bought, bought);
    await see(bought, trade({ chain: { ...bought.chain, index: 1 } }));
    expect(record(store).buys).toBe(2);
    expect(store.trades.size).toBe(2);
  });

  test('an event of the chain counts before an account that was read; among equals the newer counts', async () => {
    const { see, store } = testEngine();
    await see(facts({ totalSupply: '5', decimals: 2 }), created({ at: START }));
    await see(facts({ totalSupply: '7' }, { at: START + 60_000 }));
    expect(record(store)).toMatchObject({ totalSupply: '1000000000000000', decimals: 6 });
    await see(created({ at: START - 1_000, name: 'Older' }));
    expect(record(store).name).toBe('Pepe Coin');
    await see(created({ at: START + 1_000, name: 'Newer' }));
    expect(record(store).name).toBe('Newer');
    expect(record(store).fieldSources.name).toEqual({ source: 'solana', at: START + 1_000 });
  });

  test('what a source does not know takes nothing away', async () => {
    const { see, store } = testEngine();
    await see(created(), facts({ mintAuthority: 'live', totalSupply: null }));
    await see(facts({ mintAuthority: null }, { at: START + 1_000 }));
    expect(record(store).facts.mintAuthorityLive?.value).toBe(true);
    expect(record(store).totalSupply).not.toBeNull();
  });

  test('a trade that comes late counts, but does not turn the price back', async () => {
    const { see, store } = testEngine();
    await see(created(), trade({ at: START + 5_000, reserves: reservesWith(5 * SOL) }));
    const { price } = record(store);
    await see(trade({ at: START + 4_000, reserves: reservesWith(1 * SOL) }));
    expect(record(store)).toMatchObject({ price, buys: 2, liquidityLamports: 5 * SOL });
    const at = START + 5_000;
    await see(trade({ at, reserves: reservesWith(6 * SOL), chain: onChain({ slot: 20 }) }));
    await see(trade({ at, reserves: reservesWith(7 * SOL), chain: onChain({ slot: 19 }) }));
    expect(record(store).liquidityLamports).toBe(6 * SOL);
  });

  test('a coin moves from curve to complete to pool, and never back', async () => {
    const { see, store } = testEngine();
    const completed = {
      kind: 'completed',
      source: 'solana',
      at: START,
      receivedAt: START,
      address: address(1),
    } as const;
    await see(created(), { ...completed, chain: onChain() });
    expect(record(store).stage).toBe('complete');
    await see(migrated());
    expect(record(store)).toMatchObject({ stage: 'pool', pool: 'pool', liquidityLamports: 85 * SOL });
    expect(record(store).facts.lpUnlocked?.value).toBe(0);
    await see({ ...completed, chain: onChain() });
    expect(record(store).stage).toBe('pool');
  });

  test('versions rise with every change, and only with one', async () => {
    const { see, tick, store } = testEngine();
    await see(created());
    await see(trade(), trade());
    expect(record(store).version).toBe(3);
    const { version } = record(store);
    await see(facts({ transferFeeBps: 0 }));
    await see(facts({ transferFeeBps: 0 }));
    expect(record(store).version).toBe(version + 1);
    await tick(1_100);
    const settled = record(store).version;
    await tick(100);
    expect(record(store).version).toBe(settled);
  });

  test('facts about a token that nobody knows begin none', async () => {
    const { see, store, events } = testEngine();
    await see(facts({ decimals: 6 }), migrated());
    expect(store.records.size).toBe(0);
    expect(events).toEqual([]);
  });
});

describe('scoring', () => {
  test('S3-06 a fresh coin has a score at once, from what its creation and first trades tell', async () => {
    const { see, store } = testEngine();
    await see(created(), trade({ wallet: 'creator', chain: onChain({ slot: 1_000 }), tokenAmount: 1e14 }));
    const { riskScore, riskCoverage, facts: known } = record(store);
    expect(known.creatorHolds?.value).toBe(10);
    expect(known.creatorSoldEarly).toBeNull();
    expect(riskCoverage).toBeGreaterThanOrEqual(50);
    // largest wallet 10 % → 0, creator above 5 % → 4, under 5 SOL of liquidity → 6, fewer than 10 holders → 5.
    expect(riskScore).toBe(15);
  });

  test('whether the creator sold early is known once 60 s are over, by time alone', async () => {
    const { see, tick, store } = testEngine();
    await see(created(), trade({ wallet: 'creator' }));
    const before = record(store).riskCoverage;
    await tick(61_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(record(store).facts.creatorSoldEarly?.value).toBe(0);
    expect(record(store).riskCoverage).toBeGreaterThan(before);
  });

  test('a creator that rugs is held against its other coins', async () => {
    const { see, tick, store, events } = testEngine();
    await see(created(), trade({ wallet: 'creator', reserves: reservesWith(10 * SOL) }));
    await see(created({ address: address(2), at: START + 1_000 }));
    expect(record(store, 2).facts.creatorRugged?.value).toBe(0);
    await see(trade({ wallet: 'creator', side: 'sell', at: START + 2_000, reserves: reservesWith(SOL) }));
    for (let ticks = 0; ticks < 20; ticks += 1) await tick();
    expect(record(store, 1).rugged).toBe(true);
    expect(record(store, 2).facts.creatorRugged?.value).toBe(1);
    const patches = events.flatMap((event) => (event.event === 'token-updates' ? event.payload.patches : []));
    expect(patches).toContainEqual(
      expect.objectContaining({ address: address(2), scamProbability: expect.any(Number) }),
    );
  });
});

describe('lists', () => {
  async function withRunner() {
    const made = testEngine();
    await made.see(created());
    const buys = Array.from({ length: 12 }, (_, buy) =>
      trade({ wallet: `wallet${buy}`, at: START + 1_000 * buy, reserves: reservesWith((buy + 1) * SOL) }),
    );
    await made.see(...buys);
    for (let ticks = 0; ticks < 60; ticks += 1) await made.tick();
    return made;
  }

  test('S4-06 a token with momentum enters the runners, and is told so after its update', async () => {
    const { events, store } = await withRunner();
    expect(record(store)).toMatchObject({ runner: true });
    const entered = events.findIndex(({ event }) => event === 'runner');
    expect(events[entered]).toMatchObject({ payload: { active: true, token: { address: address(1), runner: true } } });
    expect(events[entered - 1]).toMatchObject({ event: 'token-updates', payload: { patches: [{ runner: true }] } });
  });

  test('S4-06 it leaves the runners by the mere passing of time', async () => {
    const { events, tick, store } = await withRunner();
    await tick(6 * 60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'runner', payload: { active: false, token: { runner: false } } });
    expect(record(store)).toMatchObject({ runner: false, growthScore: 0 });
  });

  test('S4-08 a token enters Might Run when it is an hour old, and leaves when it is two, without any news', async () => {
    const { see, tick, events, store } = testEngine({ solUsd: 1_000 });
    const reserves = reservesWith(80 * SOL);
    await see(created(), trade({ reserves, quoteAmount: 2_000 * SOL, at: START + 1_000 }));
    expect(record(store).marketCapUsd).toBeGreaterThan(370_000);
    await see(rate(1_100));
    await tick(59 * 60_000);
    for (let ticks = 0; ticks < 20; ticks += 1) await tick();
    expect(events.filter(({ event }) => event === 'might-run')).toEqual([]);
    await tick(60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'might-run', payload: { active: true, token: { mightRun: true } } });
    await tick(HOUR);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(events.at(-1)).toMatchObject({ event: 'might-run', payload: { active: false } });
    expect(record(store).mightRun).toBe(false);
  });
});

describe('publishing', () => {
  test('every event keeps its contract', async () => {
    const { see, tick, events } = testEngine();
    await see(created(), trade(), created({ address: address(2), name: '', symbol: '', chain: onChain() }));
    await see(trade({ address: address(2) }), trade({ address: address(3), quote: 'other' }), migrated());
    await tick(6_000);
    expect(events.length).toBeGreaterThan(3);
    for (const [index, { event, payload }] of events.entries()) {
      expect(feedEvents[event].parse({ seq: index + 1, ...payload })).toBeTruthy();
    }
  });

  test('new tokens come first, then updates, and a token that changed often is one patch', async () => {
    const { see, events } = testEngine();
    await see(created());
    await see(trade(), created({ address: address(2) }), trade(), trade());
    expect(events.map(({ event }) => event)).toEqual(['new-token', 'new-token', 'token-updates']);
    expect(events[2]).toMatchObject({ payload: { at: START + 200, patches: [{ address: address(1), version: 4 }] } });
  });

  test('nothing is published before it is stored', async () => {
    const made = testEngine();
    let open = () => {};
    made.store.gate = new Promise((resolve) => {
      open = resolve;
    });
    made.engine.observe([created()]);
    const tick = made.engine.tick();
    const stored = new Promise<number>((resolve) => {
      made.store.onWrite = () => resolve(made.events.length);
    });
    expect(made.events).toEqual([]);
    open();
    expect(await stored).toBe(0);
    await tick;
    expect(made.events).toHaveLength(1);
    expect(made.engine.stored()).toEqual({ epoch: 'test', seq: 1 });
  });

  test('while the database is away the feed goes on, and all of it is stored when it is back', async () => {
    const { see, tick, store, events, engine } = testEngine();
    await see(created());
    const stored = engine.stored();
    store.away = true;
    await see(trade(), created({ address: address(2) }));
    await see(trade({ address: address(2) }), trade({ address: address(3) }));
    await see(trade());
    expect(events.map(({ event }) => event)).toEqual([
      'new-token',
      'new-token',
      'token-updates',
      'new-token',
      'token-updates',
      'token-updates',
    ]);
    expect(store.records.size).toBe(1);
    expect(engine.stored()).toEqual(stored);
    store.away = false;
    await tick(3_000);
    await tick(100);
    await tick(100);
    expect(store.records.size).toBe(3);
    const told = events.flatMap((event) => (event.event === 'token-updates' ? event.payload.patches : []));
    const newest = told.filter((patch) => patch.address === address(1)).at(-1);
    expect(record(store)).toMatchObject({ buys: 2, version: newest?.version });
    expect(store.trades.size).toBe(4);
    expect(engine.idle).toBe(true);
    expect(engine.stored()).toEqual({ epoch: 'test', seq: events.length });
  });

  test('a token that MongoDB knew, first heard of again while it was away, keeps both its pasts', async () => {
    const first = testEngine();
    await first.see(created(), trade(), trade({ wallet: 'other' }));
    await first.tick();
    const { store, clock } = first;
    // An hour-old token that no list needs is not in memory after a start.
    const kept = { ...(await store.kept()), tokens: [] };
    store.kept = () => Promise.resolve(kept);
    const second = testEngine({ store, clock });
    await second.engine.load();
    store.away = true;
    await second.see(created({ address: address(2), chain: onChain() }));
    await second.see(trade({ wallet: 'third', reserves: reservesWith(7 * SOL), at: START + 500 }));
    store.away = false;
    await second.tick(3_000);
    await second.tick();
    await second.tick();
    expect(record(store)).toMatchObject({ name: 'Pepe Coin', buys: 3, createdAt: START, liquidityLamports: 7 * SOL });
    await second.see(trade({ wallet: 'fourth' }));
    expect(record(store)).toMatchObject({ complete: true, holderCount: 4, buys: 4 });
  });

  test('trades and risk are told to those who look at the token, and to nobody else', async () => {
    const { see, publisher } = testEngine();
    await see(created(), trade());
    expect(publisher.sent).toEqual([]);
    publisher.heard.add(`token:${address(1)}`);
    await see(trade({ side: 'sell', tokenAmount: 2_000_000, quoteAmount: SOL / 4 }), trade({ address: address(2) }));
    await see(facts({ freezeAuthority: 'live' }, { at: START + 5_000 }));
    expect(publisher.sent.map(({ event, room }) => [event, room])).toContainEqual([
      'token-trades',
      `token:${address(1)}`,
    ]);
    expect(publisher.sent[0]?.payload).toMatchObject({ trades: [{ side: 'sell', tokens: 2, sol: 0.25 }] });
    expect(publisher.sent.every(({ room }) => room === `token:${address(1)}`)).toBe(true);
  });

  test('the times received, stored and published are kept', async () => {
    const { see, tick, store } = testEngine();
    await see(created({ receivedAt: START + 40 }));
    await tick();
    expect(record(store)).toMatchObject({ detectedAt: START + 40, storedAt: START + 100, publishedAt: START + 100 });
  });
});

describe('restart', () => {
  test('everything goes on where it was: lists, wallets, duplicates, rate', async () => {
    const first = testEngine({ solUsd: null });
    const bought = trade({ wallet: 'a' });
    await first.see(rate(120), created(), bought, trade({ wallet: 'b' }));
    await first.tick();
    const second = testEngine({ store: first.store, clock: first.clock, solUsd: null });
    await second.engine.load();
    expect(second.engine.solUsd()?.rate).toBe(120);
    await second.see(bought, trade({ wallet: 'c' }));
    expect(record(first.store)).toMatchObject({ buys: 3, holderCount: 3, complete: true });
    expect(second.events.map(({ event }) => event)).toEqual(['token-updates']);
  });

  test('wallets are unknown once trades of the coin are no longer kept', async () => {
    const first = testEngine();
    const gone = trade({ wallet: 'a' });
    await first.see(created(), gone, trade({ wallet: 'b' }));
    first.store.trades.delete(`${gone.chain.signature}:${gone.chain.index}`);
    const second = testEngine({ store: first.store, clock: first.clock });
    await second.engine.load();
    await second.see(trade({ wallet: 'c' }));
    expect(record(first.store)).toMatchObject({ complete: false, holderCount: null, buys: 3 });
  });
});

describe('samples', () => {
  test('full points come with every tick that traded, a point a minute when the minute is over, a point an hour likewise', async () => {
    const { see, tick, store } = testEngine();
    await see(created(), trade({ at: START + 1_000 }), trade({ at: START + 1_000 }));
    await see(trade({ at: START + 2_000, reserves: reservesWith(2 * SOL) }));
    expect(store.samples.map(({ grain, volumeLamports }) => [grain, volumeLamports])).toEqual([
      ['full', 2 * SOL],
      ['full', SOL],
    ]);
    await tick(60_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(store.samples.at(-1)).toMatchObject({
      grain: 'minute',
      at: new Date(START + 60_000),
      volumeLamports: 3 * SOL,
      liquidityLamports: 2 * SOL,
      expiresAt: new Date(START + 60_000 + 8 * HOUR),
    });
    await tick(HOUR);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(store.samples.at(-1)).toMatchObject({ grain: 'hour', at: new Date(START + HOUR), volumeLamports: 3 * SOL });
    expect(store.samples).toHaveLength(4);
  });

  test('a history that is handed in at once becomes a point for each of its minutes', async () => {
    const { see, store } = testEngine();
    const trades = [0, 1, 1, 5].map((minute) => trade({ at: START - HOUR + minute * 60_000 }));
    await see(created({ at: START - HOUR }), ...trades);
    expect(
      store.samples.map(({ grain, at, volumeLamports }) => [
        grain,
        (at.getTime() - START + HOUR) / 60_000,
        volumeLamports,
      ]),
    ).toEqual([
      ['minute', 1, SOL],
      ['minute', 2, 2 * SOL],
      ['minute', 6, SOL],
      ['hour', 60, 4 * SOL],
    ]);
    expect(record(store).spark.map(({ at }) => at - START + HOUR)).toEqual([0, 60_000, 300_000]);
  });
});
