import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import type { ListedObservation, Listing, Observation, SourceName } from '../../sources/observation.ts';
import { fakeServiceApi } from '../../sources/polled/testing/fake-service-api.ts';
import { createJupiter } from '../../sources/services/jupiter.ts';
import { rugcheck } from '../../sources/services/rugcheck.ts';
import { createSolanaTracker } from '../../sources/services/solana-tracker.ts';
import { solscan } from '../../sources/services/solscan.ts';
import { comparable, testEngine } from '../../testing/market.ts';
import {
  address,
  created,
  facts,
  firstBuy,
  listed,
  rate,
  reservesWith,
  START,
  trade,
} from '../../testing/observations.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const CREATOR = 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3';

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../../sources/services/fixtures', name), 'utf8'));
}

/** Returns the reports of all services about one coin, from their fixtures. */
async function reportsOfAll(): Promise<ListedObservation[]> {
  const services = [
    { spec: createJupiter('free'), responses: { '/tokens/v2/search': fixture('jupiter/tokens_v2_recent.json') } },
    {
      spec: createSolanaTracker('free'),
      responses: { '/tokens/multi': { tokens: { [SLB]: fixture('solana-tracker/tokens_mint.json') } } },
    },
    { spec: solscan, responses: { '/token/meta': fixture('solscan/token_meta.json') } },
    {
      spec: rugcheck,
      responses: { [`/v1/tokens/${SLB}/report/summary`]: fixture('rugcheck/report_summary.json') },
    },
  ];
  const reports: ListedObservation[] = [];
  for (const { spec, responses } of services) {
    const { api } = fakeServiceApi(responses);
    for (const one of (await spec.quotes?.fetch(api, [SLB])) ?? []) {
      if (one.kind !== 'token') continue;
      // All at one time, so that the order of arrival decides nothing.
      reports.push(listed(one.listing, { source: spec.name, address: one.address, at: START }));
    }
  }
  return reports;
}

/** Returns chain events about the same coin. */
function events(): Observation[] {
  const token = { address: SLB, creator: CREATOR, at: START - 60_000 };
  const place = (signature: string) => ({ chain: { signature, index: 0, slot: 1_000 } });
  const names = { name: 'Smooth Like Butter', symbol: 'SLB', bondingCurve: 'the curve' };
  return [
    created({ ...token, ...place('creation'), ...names }),
    trade({ ...token, ...place('buy'), at: START - 50_000, wallet: 'buyer', ...firstBuy(6_500_000_000) }),
  ];
}

/** Returns the stored token without the fields about its first observation. */
async function mergedFrom(observations: readonly Observation[], oneTick: boolean) {
  const { engine, store, see, tick } = testEngine({ solUsd: 81.633 });
  if (oneTick) await see(...observations);
  else for (const observation of observations) await see(observation);
  // Score and growth score have intervals of their own.
  for (let ticks = 0; ticks < 12; ticks += 1) await tick(1_000);
  expect(engine.size).toBe(1);
  const record = store.records.get(SLB);
  if (!record) throw new Error('not stored');
  return comparable(record);
}

describe('a mint reported by all sources', () => {
  test('becomes the same token in any order of reports', async () => {
    const reports = await reportsOfAll();
    expect(new Set(reports.map(({ source }) => source))).toEqual(
      new Set(['jupiter', 'solana-tracker', 'solscan', 'rugcheck']),
    );
    const first = await mergedFrom(reports, true);
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
      fc.asyncProperty(shuffled(reports), fc.boolean(), async (order, oneTick) => {
        expect(await mergedFrom(order, oneTick)).toEqual(first);
      }),
      { numRuns: rounds(20) },
    );
  });

  test('chain events take precedence at any place in the order', async () => {
    const reports = await reportsOfAll();
    const { fieldSources, ...first } = await mergedFrom([...events(), ...reports], false);
    expect(fieldSources).toMatchObject({ name: { source: 'solana' }, metadataMutable: { source: 'rugcheck' } });
    expect(first).toMatchObject({ bondingCurve: 'the curve', createdAt: START - 60_000, complete: true, buys: 1 });
    await fc.assert(
      // Chain events keep their own order.
      fc.asyncProperty(shuffled(reports), fc.nat(reports.length), async (order, at) => {
        const { fieldSources: _fieldSources, ...merged } = await mergedFrom(
          [...order.slice(0, at), ...events(), ...order.slice(at)],
          false,
        );
        expect(merged).toEqual(first);
      }),
      { numRuns: rounds(20) },
    );
  });

  const shuffled = <Item>(items: readonly Item[]) =>
    fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });
});

describe('a data service', () => {
  test('creates a token that no other source reports', async () => {
    const { store, see, events: published } = testEngine({ solUsd: 100 });
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
      // Not reported, and no trade was observed: unknown, not 0.
      volumeUsd: null,
      liquidityLamports: null,
      complete: false,
    });
    expect(published.map(({ event }) => event)).toContain('new-token');
  });

  test('a response about a removed token creates none', async () => {
    const { engine, see } = testEngine();
    await see(listed({ name: 'Gone' }, { mayBegin: false }));
    expect(engine.size).toBe(0);
  });

  test('a dollar price applies once a rate is known, and follows it', async () => {
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

  test('its unknown values replace nothing', async () => {
    const { store, see } = testEngine();
    await see(listed({ name: 'Butter', creator: 'creator2', holderCount: 5, facts: { topTen: 10 } }));
    await see(listed({ name: null, symbol: ' ', creator: '', holderCount: null, facts: { topTen: null } }));
    expect(store.records.get(address(1))).toMatchObject({
      name: 'Butter',
      symbol: null,
      creator: 'creator2',
      holderCount: 5,
    });
    expect(store.records.get(address(1))?.facts.topTen?.value).toBe(10);
  });

  test('a later report replaces that of a preferred source', async () => {
    const { store, see } = testEngine({ solUsd: 100 });
    const report = (source: SourceName, amount: number, at: number) =>
      see(listed({ price: { amount, in: 'SOL' } }, { source, at }));
    await report('solana-tracker', 1, START);
    await report('jupiter', 2, START + 60_000);
    expect(store.records.get(address(1))?.price).toBe(1);
    await report('jupiter', 3, START + 600_000);
    expect(store.records.get(address(1))?.price).toBe(3);
    await report('solana-tracker', 4, START + 60_000);
    expect(store.records.get(address(1))?.price).toBe(3);
  });

  test('replaces chain figures only after an hour without chain events', async () => {
    const { store, see } = testEngine({ solUsd: 100 });
    await see(created(), trade({ at: START + 1_000, reserves: reservesWith(5_000_000_000) }));
    const ours = store.records.get(address(1))?.price;
    const figures: Listing = {
      price: { amount: 7, in: 'SOL' },
      liquidityLamports: 42,
      volumeUsd: 9,
      holderCount: 1_000,
    };
    await see(listed(figures, { at: START + 60_000 }));
    expect(store.records.get(address(1))).toMatchObject({
      price: ours,
      liquidityLamports: 5_000_000_000,
      holderCount: 1,
    });
    await see(listed(figures, { at: START + 4_000_000 }));
    expect(store.records.get(address(1))).toMatchObject({
      price: 7,
      liquidityLamports: 42,
      volumeUsd: 9,
      holderCount: 1,
    });
    await see(trade({ at: START + 4_100_000, reserves: reservesWith(6_000_000_000) }));
    expect(store.records.get(address(1))).toMatchObject({ liquidityLamports: 6_000_000_000 });
  });

  test('an account takes precedence over a service’s authorities, before and after it', async () => {
    const reported = (mintAuthority: 'live' | 'revoked') => listed({ facts: { mintAuthority } }, { at: START + 5_000 });
    for (const order of [
      [reported('revoked'), facts({ mintAuthority: 'live' })],
      [reported('revoked'), facts({ mintAuthority: 'live' }), reported('revoked')],
    ]) {
      const { store, see } = testEngine();
      for (const observation of order) await see(observation);
      expect(store.records.get(address(1))?.facts.mintAuthorityLive).toMatchObject({ value: true });
    }
  });

  test('its count of the creator’s rugs applies beside our own', async () => {
    const { store, see } = testEngine();
    await see(listed({ creator: 'rugger', createdAt: START, facts: { creatorRugged: 3 } }, { source: 'rugcheck' }));
    await see(listed({ name: 'Next' }, { at: START + 1_000 }));
    expect(store.records.get(address(1))?.facts.creatorRugged).toEqual({ value: 3, at: START, source: 'RugCheck' });
  });

  test('its report survives a restart', async () => {
    const first = testEngine({ solUsd: 100 });
    await first.see(listed({ price: { amount: 0.002, in: 'USD' }, createdAt: START }));
    const { store } = first;
    const again = testEngine({ store, solUsd: 50 });
    await again.engine.load();
    await again.see(listed({ name: 'Butter' }, { mayBegin: false, at: START + 1_000 }));
    expect(store.records.get(address(1))).toMatchObject({ name: 'Butter', price: 0.00004 });
  });

  test('impossible values become null, and long texts are cut', async () => {
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
