import { describe, expect, test } from 'vitest';
import { recordOf, testEngine } from './testing/market.ts';
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

describe('merging', () => {
  test('stores a created token with the fields of its creation [S3-01, S3-02]', async () => {
    const { see, store } = testEngine();
    await see(created());
    expect(recordOf(store)).toMatchObject({
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
    expect(recordOf(store).price).toBeCloseTo(30 / 1_073_000_000, 18);
    expect(recordOf(store).marketCapUsd).toBeCloseTo(2795.9, 1);
  });

  test('liquidity is the real quote side; the initial one is taken after the transaction of the creation [S3-03]', async () => {
    const { see, store } = testEngine();
    const creation = created();
    await see(
      creation,
      trade({ chain: onChain({ signature: creation.chain.signature, index: 1 }), reserves: reservesWith(2 * SOL) }),
      trade({ reserves: reservesWith(5 * SOL), at: START + 1_000 }),
    );
    expect(recordOf(store)).toMatchObject({ initialLiquidityLamports: 2 * SOL, liquidityLamports: 5 * SOL, buys: 2 });
  });

  test('volume is the traded amount in dollars [S3-04]', async () => {
    const { see, store } = testEngine({ solUsd: 150 });
    await see(created(), trade(), trade({ side: 'sell', quoteAmount: SOL / 2 }));
    expect(recordOf(store).volumeUsd).toBeCloseTo(225, 9);
  });

  test('dollar figures are null until a rate is known [S3-05]', async () => {
    const { see, tick, store } = testEngine({ solUsd: null });
    await see(created(), trade());
    expect(recordOf(store)).toMatchObject({ marketCapUsd: null, volumeUsd: null });
    await see(rate(200));
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(recordOf(store).volumeUsd).toBe(200);
    expect(recordOf(store).marketCapUsd).toBeGreaterThan(5_000);
    expect(store.storedRate).toEqual({ solUsd: 200, at: START, source: 'solana' });
  });

  test('a USDC coin without a rate has unknown amounts; its later price needs only the rate [S3-03]', async () => {
    const { see, tick, store } = testEngine({ solUsd: null });
    const reserves = { ...startReserves(), virtualQuote: 4_500_000_000, realQuote: 300_000_000 };
    await see(created({ quote: 'USDC', reserves }), trade({ quote: 'USDC', quoteAmount: 150_000_000, reserves }));
    expect(recordOf(store)).toMatchObject({ price: null, liquidityLamports: null, volumeUsd: 150 });
    await see(rate(150));
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(recordOf(store)).toMatchObject({ liquidityLamports: 2 * SOL });
    expect(recordOf(store).price).toBeCloseTo(30 / 1_073_000_000, 18);
    // Its dollars are its own.
    expect(recordOf(store).volumeUsd).toBe(150);
  });

  test('a token first observed by a trade is incomplete', async () => {
    const { see, store, events } = testEngine();
    await see(trade({ at: START - 5_000, receivedAt: START }));
    expect(recordOf(store)).toMatchObject({
      complete: false,
      createdAt: null,
      listedAt: START,
      name: null,
      holderCount: null,
      decimals: 6,
      initialLiquidityLamports: null,
      riskScore: null,
    });
    expect(recordOf(store).price).not.toBeNull();
    expect(events[0]).toMatchObject({ event: 'new-token', payload: { token: { createdAt: null, holderCount: null } } });
  });

  test('a simulated token carries the source "simulator" [S3-09, S3-10]', async () => {
    const { see, events } = testEngine();
    await see(created({ source: 'simulator', launchpad: 'simulator', cluster: null }));
    expect(events[0]).toMatchObject({
      payload: { token: { metadata: { source: 'simulator', detectedBy: 'simulator', cluster: null } } },
    });
  });

  test('drops duplicates by signature and index', async () => {
    const { see, store } = testEngine();
    const bought = trade();
    await see(created(), bought, bought);
    await see(bought, trade({ chain: { ...bought.chain, index: 1 } }));
    expect(recordOf(store).buys).toBe(2);
    expect(store.trades.size).toBe(2);
  });

  test('a chain event takes precedence over an account; of two equal sources the newer wins', async () => {
    const { see, store } = testEngine();
    await see(facts({ totalSupply: '5', decimals: 2 }), created({ at: START }));
    await see(facts({ totalSupply: '7' }, { at: START + 60_000 }));
    expect(recordOf(store)).toMatchObject({ totalSupply: '1000000000000000', decimals: 6 });
    await see(created({ at: START - 1_000, name: 'Older' }));
    expect(recordOf(store).name).toBe('Pepe Coin');
    await see(created({ at: START + 1_000, name: 'Newer' }));
    expect(recordOf(store).name).toBe('Newer');
    expect(recordOf(store).fieldSources.name).toEqual({ source: 'solana', at: START + 1_000 });
  });

  test('an unknown value replaces nothing', async () => {
    const { see, store } = testEngine();
    await see(created(), facts({ mintAuthority: 'live', totalSupply: null }));
    await see(facts({ mintAuthority: null }, { at: START + 1_000 }));
    expect(recordOf(store).facts.mintAuthorityLive?.value).toBe(true);
    expect(recordOf(store).totalSupply).not.toBeNull();
  });

  test('a late trade is counted but does not set the price back', async () => {
    const { see, store } = testEngine();
    await see(created(), trade({ at: START + 5_000, reserves: reservesWith(5 * SOL) }));
    const { price } = recordOf(store);
    await see(trade({ at: START + 4_000, reserves: reservesWith(1 * SOL) }));
    expect(recordOf(store)).toMatchObject({ price, buys: 2, liquidityLamports: 5 * SOL });
    const at = START + 5_000;
    await see(trade({ at, reserves: reservesWith(6 * SOL), chain: onChain({ slot: 20 }) }));
    await see(trade({ at, reserves: reservesWith(7 * SOL), chain: onChain({ slot: 19 }) }));
    expect(recordOf(store).liquidityLamports).toBe(6 * SOL);
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
    expect(recordOf(store).stage).toBe('complete');
    await see(migrated());
    expect(recordOf(store)).toMatchObject({ stage: 'pool', pool: 'pool', liquidityLamports: 85 * SOL });
    expect(recordOf(store).facts.lpUnlocked?.value).toBe(0);
    await see({ ...completed, chain: onChain() });
    expect(recordOf(store).stage).toBe('pool');
  });

  test('the version increments with every change and only then', async () => {
    const { see, tick, store } = testEngine();
    await see(created());
    await see(trade(), trade());
    expect(recordOf(store).version).toBe(3);
    const { version } = recordOf(store);
    await see(facts({ transferFeeBps: 0 }));
    await see(facts({ transferFeeBps: 0 }));
    expect(recordOf(store).version).toBe(version + 1);
    await tick(1_100);
    const settled = recordOf(store).version;
    await tick(100);
    expect(recordOf(store).version).toBe(settled);
  });

  test('facts about an unknown token create none', async () => {
    const { see, store, events } = testEngine();
    await see(facts({ decimals: 6 }), migrated());
    expect(store.records.size).toBe(0);
    expect(events).toEqual([]);
  });
});

describe('scoring', () => {
  test('a fresh coin without a finding has no score, and its reason [S3-06]', async () => {
    const { see, store } = testEngine();
    await see(created());
    expect(recordOf(store)).toMatchObject({ riskScore: null, riskReason: 'no-buyers' });
    await see(trade());
    expect(recordOf(store)).toMatchObject({ riskScore: null, riskReason: 'no-buyers' });
  });

  test('bad news counts at once: a large first buy of the developer gives a score [S3-06]', async () => {
    const { see, store } = testEngine();
    await see(created(), trade({ wallet: 'creator', chain: onChain({ slot: 1_000 }), tokenAmount: 1.01e14 }));
    const { riskScore, riskReason, facts: known } = recordOf(store);
    expect(known.developerBought?.value).toBe(10.1);
    expect(known.developerSoldEarly).toBeNull();
    // Developer above 10 % → 5, largest wallet above 10 % → 2, a low score is not earned → 31.
    expect({ riskScore, riskReason }).toEqual({ riskScore: 38, riskReason: 'developerStake' });
  });

  test('age alone changes the score: after 2 min size counts, after 5 min no early sale is known', async () => {
    const { see, tick, store } = testEngine();
    await see(created(), trade());
    await tick(120_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    // 1 SOL → 2, one holder → 3, not earned → 31.
    expect(recordOf(store)).toMatchObject({ riskScore: 36, riskReason: 'holders' });
    await tick(181_000);
    for (let ticks = 0; ticks < 10; ticks += 1) await tick();
    expect(recordOf(store).facts.developerSoldEarly?.value).toBe(0);
  });

  test('a rug counts against the creator’s other coins', async () => {
    const { see, tick, store, events } = testEngine();
    await see(created(), trade({ wallet: 'creator', reserves: reservesWith(10 * SOL) }));
    await see(created({ address: address(2), at: START + 1_000 }));
    expect(recordOf(store, 2).facts.creatorRugged?.value).toBe(0);
    const at = START + 2_000;
    await see(trade({ wallet: 'creator', side: 'sell', at, quoteAmount: 9 * SOL, reserves: reservesWith(SOL) }));
    for (let ticks = 0; ticks < 20; ticks += 1) await tick();
    expect(recordOf(store, 1).rugged).toBe(true);
    expect(recordOf(store, 2).facts.creatorRugged?.value).toBe(1);
    const patches = events.flatMap((event) => (event.event === 'token-updates' ? event.payload.patches : []));
    expect(patches).toContainEqual(
      expect.objectContaining({ address: address(2), scamProbability: expect.any(Number) }),
    );
  });
});
