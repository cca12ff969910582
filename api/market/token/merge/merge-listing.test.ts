import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedObservation, Listing, Observation, SourceName } from '../../sources/observation.ts';
import { fakeServiceApi } from '../../sources/polled/testing/fake-service-api.ts';
import { jupiter } from '../../sources/services/jupiter.ts';
import { rugcheck } from '../../sources/services/rugcheck.ts';
import { solanaTracker } from '../../sources/services/solana-tracker.ts';
import { solscan } from '../../sources/services/solscan.ts';
import { testEngine } from '../../testing/market.ts';
import { address, created, facts, rate, reservesWith, START, trade } from '../../testing/observations.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const CREATOR = 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3';

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../../sources/services/fixtures', name), 'utf8'));
}

function listed(listing: Listing, overrides: Partial<Omit<ListedObservation, 'listing'>> = {}): ListedObservation {
  const at = overrides.at ?? START;
  return {
    kind: 'listed',
    source: 'jupiter',
    at,
    receivedAt: at,
    address: address(1),
    mayBegin: true,
    ...overrides,
    listing,
  };
}

/** What the fixtures of all services say of one and the same coin. */
async function words(): Promise<ListedObservation[]> {
  const asks = [
    { spec: jupiter, answers: { '/tokens/v2/search': fixture('jupiter/tokens_v2_recent.json') } },
    {
      spec: solanaTracker,
      answers: { '/tokens/multi': { tokens: { [SLB]: fixture('solana-tracker/tokens_mint.json') } } },
    },
    { spec: solscan, answers: { '/token/meta': fixture('solscan/token_meta.json') } },
    {
      spec: rugcheck,
      answers: { [`/v1/tokens/${SLB}/report/summary`]: fixture('rugcheck/report_summary.json') },
    },
  ];
  const told: ListedObservation[] = [];
  for (const { spec, answers } of asks) {
    const { api } = fakeServiceApi(answers);
    for (const one of (await spec.quotes?.fetch(api, [SLB])) ?? []) {
      if (one.kind !== 'token') continue;
      // As if all were of one moment: which one was heard last decides nothing.
      told.push(listed(one.listing, { source: spec.name, address: one.address, at: START }));
    }
  }
  return told;
}

/** The events of the chain about the same coin. */
function events(): Observation[] {
  const token = { address: SLB, creator: CREATOR, at: START - 60_000 };
  const place = (signature: string) => ({ chain: { signature, index: 0, slot: 1_000 } });
  const names = { name: 'Smooth Like Butter', symbol: 'SLB', bondingCurve: 'the curve' };
  return [
    created({ ...token, ...place('creation'), ...names }),
    trade({ ...token, ...place('buy'), at: START - 50_000, wallet: 'buyer', reserves: reservesWith(6_500_000_000) }),
  ];
}

/** The stored token, without what tells when and by whom it was heard of first. */
async function mergedFrom(observations: readonly Observation[], oneTick: boolean) {
  const { engine, store, see, tick } = testEngine({ solUsd: 81.633 });
  if (oneTick) await see(...observations);
  else for (const observation of observations) await see(observation);
  // Score and growth are made in their own time.
  for (let ticks = 0; ticks < 12; ticks += 1) await tick(1_000);
  expect(engine.size).toBe(1);
  const record = store.records.get(SLB);
  if (!record) throw new Error('not stored');
  const { version, lastUpdated, detectedAt, detectedBy, storedAt, publishedAt, keepUntil, spark, openSample, ...rest } =
    record;
  // Since when a fact is so depends on when it was first heard.
  const known = Object.entries(record.facts).map(([key, fact]) => [key, fact && { ...fact, at: null }]);
  return { ...rest, facts: Object.fromEntries(known) };
}

describe('the mint that all sources describe', () => {
  test('becomes one token, the same one in whatever order they speak', async () => {
    const told = await words();
    expect(new Set(told.map(({ source }) => source))).toEqual(
      new Set(['jupiter', 'solana-tracker', 'solscan', 'rugcheck']),
    );
    const first = await mergedFrom(told, true);
    expect(first).toMatchObject({
      name: 'Smooth Like Butter',
      symbol: 'SLB',
      creator: CREATOR,
      launchpad: 'pump.fun',
      cluster: 'mainnet',
      stage: 'curve',
      price: 4.138707673190432e-8,
      liquidityLamports: 6_500_000_000,
      holderCount: 24,
    });
    await fc.assert(
      fc.asyncProperty(shuffled(told), fc.boolean(), async (order, oneTick) => {
        expect(await mergedFrom(order, oneTick)).toEqual(first);
      }),
      { numRuns: 20 },
    );
  });

  test('with the chain among them: its word counts, whenever it is heard', async () => {
    const told = await words();
    const { fieldSources, ...first } = await mergedFrom([...events(), ...told], false);
    expect(fieldSources).toMatchObject({ name: { source: 'solana' }, metadataMutable: { source: 'rugcheck' } });
    expect(first).toMatchObject({ bondingCurve: 'the curve', createdAt: START - 60_000, complete: true, buys: 1 });
    await fc.assert(
      // The chain tells its own events in order.
      fc.asyncProperty(shuffled(told), fc.nat(told.length), async (order, at) => {
        const { fieldSources: _notes, ...merged } = await mergedFrom(
          [...order.slice(0, at), ...events(), ...order.slice(at)],
          false,
        );
        expect(merged).toEqual(first);
      }),
      { numRuns: 20 },
    );
  });

  const shuffled = <Item>(items: readonly Item[]) =>
    fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
});

describe('a data service', () => {
  test('makes a token of what nobody else knows', async () => {
    const { store, see, events: said } = testEngine({ solUsd: 100 });
    await see(
      listed({
        name: 'Butter',
        symbol: 'BTR',
        createdAt: START - 3_000,
        decimals: 6,
        totalSupply: '1000000000000000',
        price: { amount: 0.001, in: 'USD' },
        holderCount: 12,
      }),
    );
    const record = store.records.get(address(1));
    expect(record).toMatchObject({
      detectedBy: 'jupiter',
      cluster: 'mainnet',
      launchpad: 'unknown',
      listedAt: START - 3_000,
      price: 0.00001,
      marketCapUsd: 1_000_000,
      holderCount: 12,
      // Nobody told of these, and no trade was heard: that is not none.
      volumeUsd: null,
      liquidityLamports: null,
      complete: false,
      searchTerms: expect.arrayContaining(['butter', 'btr']),
    });
    expect(said.map(({ event }) => event)).toContain('new-token');
  });

  test('begins no token by an answer about one that is gone', async () => {
    const { engine, see } = testEngine();
    await see(listed({ name: 'Gone' }, { mayBegin: false }));
    expect(engine.size).toBe(0);
  });

  test('a dollar price counts once a rate is known, and follows it', async () => {
    const { store, see, tick } = testEngine({ solUsd: null });
    await see(listed({ price: { amount: 0.002, in: 'USD' }, marketCapUsd: 5_000 }));
    const record = () => store.records.get(address(1));
    expect(record()).toMatchObject({ price: null, marketCapUsd: 5_000 });
    await see(rate(100));
    await tick(1_000);
    expect(record()?.price).toBe(0.00002);
    await see(rate(200, { at: START + 10_000 }));
    for (let ticks = 0; ticks < 10; ticks += 1) await tick(100);
    expect(record()?.price).toBe(0.00001);
  });

  test('what it does not know takes nothing away', async () => {
    const { store, see } = testEngine();
    await see(listed({ name: 'Butter', creator: 'somebody', holderCount: 5, facts: { topTen: 10 } }));
    await see(listed({ name: null, symbol: ' ', creator: '', holderCount: null, facts: { topTen: null } }));
    expect(store.records.get(address(1))).toMatchObject({
      name: 'Butter',
      symbol: null,
      creator: 'somebody',
      holderCount: 5,
    });
    expect(store.records.get(address(1))?.facts.topTen?.value).toBe(10);
  });

  test('figures of a later time count before those of a better source', async () => {
    const { store, see } = testEngine({ solUsd: 100 });
    const say = (source: SourceName, amount: number, at: number) =>
      see(listed({ price: { amount, in: 'SOL' } }, { source, at }));
    await say('solana-tracker', 1, START);
    await say('jupiter', 2, START + 60_000);
    expect(store.records.get(address(1))?.price).toBe(1);
    await say('jupiter', 3, START + 600_000);
    expect(store.records.get(address(1))?.price).toBe(3);
    await say('solana-tracker', 4, START + 60_000);
    expect(store.records.get(address(1))?.price).toBe(3);
  });

  test('says nothing against the chain, until that was not heard for an hour', async () => {
    const { store, see } = testEngine({ solUsd: 100 });
    await see(created(), trade({ at: START + 1_000, reserves: reservesWith(5_000_000_000) }));
    const ours = store.records.get(address(1))?.price;
    const word: Listing = { price: { amount: 7, in: 'SOL' }, liquidityLamports: 42, volumeUsd: 9, holderCount: 1_000 };
    await see(listed(word, { at: START + 60_000 }));
    expect(store.records.get(address(1))).toMatchObject({
      price: ours,
      liquidityLamports: 5_000_000_000,
      holderCount: 1,
    });
    await see(listed(word, { at: START + 4_000_000 }));
    expect(store.records.get(address(1))).toMatchObject({
      price: 7,
      liquidityLamports: 42,
      volumeUsd: 9,
      holderCount: 1,
    });
    await see(trade({ at: START + 4_100_000, reserves: reservesWith(6_000_000_000) }));
    expect(store.records.get(address(1))).toMatchObject({ liquidityLamports: 6_000_000_000 });
  });

  test('an account that was read says more of the authorities than a service, before and after it', async () => {
    const said = (mintAuthority: 'live' | 'revoked') => listed({ facts: { mintAuthority } }, { at: START + 5_000 });
    for (const order of [
      [said('revoked'), facts({ mintAuthority: 'live' })],
      [said('revoked'), facts({ mintAuthority: 'live' }), said('revoked')],
    ]) {
      const { store, see } = testEngine();
      for (const observation of order) await see(observation);
      expect(store.records.get(address(1))?.facts.mintAuthorityLive).toMatchObject({ value: true });
    }
  });

  test('rugs of the creator that it knows of count, and those that were seen here', async () => {
    const { store, see } = testEngine();
    await see(listed({ creator: 'rugger', createdAt: START, facts: { creatorRugged: 3 } }, { source: 'rugcheck' }));
    await see(listed({ name: 'Next' }, { at: START + 1_000 }));
    expect(store.records.get(address(1))?.facts.creatorRugged).toEqual({ value: 3, at: START, source: 'RugCheck' });
  });

  test('survives a restart: what it said is stored', async () => {
    const first = testEngine({ solUsd: 100 });
    await first.see(listed({ price: { amount: 0.002, in: 'USD' }, createdAt: START }));
    const { store } = first;
    const again = testEngine({ store, solUsd: 50 });
    await again.engine.load();
    await again.see(listed({ name: 'Butter' }, { mayBegin: false, at: START + 1_000 }));
    expect(store.records.get(address(1))).toMatchObject({ name: 'Butter', price: 0.00004 });
  });

  test('values that cannot be what they say are unknown, and what a maker chose is cut', async () => {
    const { store, see } = testEngine();
    await see(
      listed({
        name: 'n'.repeat(5_000),
        symbol: 's'.repeat(5_000),
        creator: 'c'.repeat(5_000),
        createdAt: START + 3_600_000,
        decimals: 6.5,
        totalSupply: '1e9',
        price: { amount: Number.NaN, in: 'SOL' },
        liquidityLamports: -5,
        marketCapUsd: Number.POSITIVE_INFINITY,
        volumeUsd: -1,
        holderCount: 3.4,
        facts: { topTen: 250, lpLockedPercent: -3 },
      }),
    );
    const record = store.records.get(address(1));
    expect([record?.name?.length, record?.symbol?.length]).toEqual([100, 32]);
    expect(record).toMatchObject({
      creator: null,
      createdAt: null,
      decimals: null,
      totalSupply: null,
      price: null,
      liquidityLamports: null,
      marketCapUsd: null,
      volumeUsd: null,
      holderCount: 3,
      facts: { topTen: null, lpUnlocked: null },
    });
  });
});
