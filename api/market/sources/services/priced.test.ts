import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Listing } from '../observation.ts';
import { RequestError } from '../polled/request-error.ts';
import type { PolledItem } from '../polled/service-spec.ts';
import { fakeServiceApi } from '../polled/testing/fake-requests.ts';
import { jupiter } from './jupiter.ts';
import { solanaTracker } from './solana-tracker.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const SOL = 'So11111111111111111111111111111111111111112';

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

function listingOf(told: readonly PolledItem[], address: string): Listing | undefined {
  const found = told.find((one) => one.kind === 'token' && one.address === address);
  return found?.kind === 'token' ? found.listing : undefined;
}

describe('Jupiter', () => {
  const recent = fixture('jupiter/tokens_v2_recent.json');
  const price = `/price/v3?ids=${SOL}`;

  test('tells of new tokens and of the dollars for 1 SOL', async () => {
    const { api, asked, malformed } = fakeServiceApi({
      '/tokens/v2/recent': recent,
      [price]: fixture('jupiter/price_v3.json'),
    });
    const told = (await jupiter.fetchListings?.(api)) ?? [];
    expect(asked).toEqual(['GET /tokens/v2/recent', `GET ${price}`]);
    expect(malformed()).toBe(0);
    expect(told.at(-1)).toEqual({ kind: 'rate', solUsd: 81.632_997_104_629_75 });
    expect(told[1]).toEqual({
      kind: 'token',
      address: SLB,
      at: Date.UTC(2026, 6, 30, 12, 10),
      listing: {
        name: 'Smooth Like Butter',
        symbol: 'SLB',
        creator: 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3',
        createdAt: Date.UTC(2026, 6, 30, 12),
        decimals: 6,
        totalSupply: '1000000000000000',
        pool: null,
        launchpad: 'pump.fun',
        stage: null,
        price: { amount: 3.378427073625349e-6, in: 'USD' },
        marketCapUsd: 3378.4270736253493,
        volumeUsd: expect.closeTo(964.1625, 6),
        holderCount: 24,
        facts: { mintAuthority: 'revoked', freezeAuthority: 'revoked', topTen: 17.8084, creatorHolds: 2.7535 },
      },
    });
  });

  test('leaves unknown what it leaves out: a live authority is not told of, and never counts as revoked', async () => {
    const told = (await jupiter.fetchListings?.(fakeServiceApi({ '/tokens/v2/recent': recent, [price]: {} }).api)) ?? [];
    const bad = listingOf(told, '9SjsfWWyXHEwA7ymrE7QQxXtAfepvvJ5oA2nJoUxAMcm');
    expect(bad?.facts).toEqual({ mintAuthority: null, freezeAuthority: null, topTen: 91.4, creatorHolds: 62.5 });
    const [empty] = told;
    expect(empty).toMatchObject({ listing: { name: null, price: null, marketCapUsd: null, volumeUsd: null } });
    expect(told.some(({ kind }) => kind === 'rate')).toBe(false);
  });

  test('tells of tokens also when it has no rate', async () => {
    const { api } = fakeServiceApi({ '/tokens/v2/recent': recent, [price]: new RequestError('server', 500) });
    expect(await jupiter.fetchListings?.(api)).toHaveLength(3);
  });

  test('is asked about known tokens in one search, and only what was asked for is taken', async () => {
    const search = fixture('jupiter/tokens_v2_search.json');
    const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
    const { api, asked } = fakeServiceApi({ '/tokens/v2/search': [...search, ...recent] });
    const told = await jupiter.quotes?.fetch(api, [JUP, SLB]);
    expect(asked).toEqual([`GET /tokens/v2/search?query=${JUP}%2C${SLB}`]);
    expect(told?.map((one) => one.kind === 'token' && one.address)).toEqual([JUP, SLB]);
    expect(jupiter.quotes?.batchSize).toBe(100);
  });

  test('loses an item whose shape changed, and no other', async () => {
    const changed = [{ ...recent[0], decimals: 'six' }, 'nonsense', null, recent[1], { ...recent[2], id: undefined }];
    const { api, malformed } = fakeServiceApi({ '/tokens/v2/recent': changed, [price]: [] });
    expect((await jupiter.fetchListings?.(api))?.length).toBe(1);
    expect(malformed()).toBe(5);
    const other = fakeServiceApi({ '/tokens/v2/recent': { tokens: [] }, [price]: 'down' });
    expect(await jupiter.fetchListings?.(other.api)).toEqual([]);
    expect(other.malformed()).toBe(2);
  });

  test('is asked half as often without a key', () => {
    expect(jupiter.limit(true)).toEqual({ calls: 60, windowMs: 60_000 });
    expect(jupiter.limit(false)).toEqual({ calls: 5, windowMs: 10_000 });
  });
});

describe('Solana Tracker', () => {
  const slb = fixture('solana-tracker/tokens_mint.json');
  const latest = fixture('solana-tracker/tokens_latest.json');
  const all = fixture('solana-tracker/tokens_multi_all.json');

  async function about(details: readonly { token: { mint: string } }[]) {
    const addresses = details.map(({ token }) => token.mint);
    const tokens = Object.fromEntries(details.map((detail) => [detail.token.mint, detail]));
    const fake = fakeServiceApi({ '/tokens/multi': { tokens } });
    const told = (await solanaTracker.quotes?.fetch(fake.api, addresses)) ?? [];
    return { ...fake, told, first: listingOf(told, addresses[0] ?? '') };
  }

  test('tells what it knows of a coin on its curve', async () => {
    const { told, asked, bodies } = await about([slb]);
    expect([asked, bodies]).toEqual([['POST /tokens/multi'], [{ tokens: [SLB] }]]);
    expect(told).toEqual([
      {
        kind: 'token',
        address: SLB,
        at: 1_785_413_400_000,
        listing: {
          name: 'Smooth Like Butter',
          symbol: 'SLB',
          uri: 'https://ipfs.io/ipfs/bafkreic43ynnj6d2ck6yjzcw5jfal6zerujcnr2z4bjrn2fhbjltzclu34',
          decimals: 6,
          creator: 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3',
          createdAt: 1_785_412_800_000,
          bondingCurve: 'Cm7tEVsTyyTXtCqsAsEg5SBB3sjoqUbJEdb69vUwXqrj',
          launchpad: 'pump.fun',
          holderCount: 24,
          totalSupply: '1000000000000000',
          quote: 'SOL',
          stage: 'curve',
          pool: null,
          price: { amount: 4.138707673190432e-8, in: 'SOL' },
          // 73 is twice the virtual 36.5 SOL, of which 30 are not there.
          liquidityLamports: 6_500_000_000,
          marketCapUsd: 3378.4270736253493,
          volumeUsd: 964,
          facts: {
            mintAuthority: 'revoked',
            freezeAuthority: 'revoked',
            // On a curve there is no LP that could be burnt.
            lpLockedPercent: null,
            metadataFile: true,
            topTen: 17.4835,
            creatorHolds: 2.7534883660147,
          },
        },
      },
    ]);
  });

  test('tells of a coin in its pool by the pool, whatever is left of the curve', async () => {
    const { first } = await about(all.graduated);
    expect(first).toMatchObject({
      stage: 'pool',
      pool: '5UH61hrcBSgE3fLXQ4bMTtXb7e1bVvSeisJq7z8V8yvE',
      price: { amount: 1.9289130860019372e-8, in: 'SOL' },
      liquidityLamports: 18_503_268_912,
      facts: { lpLockedPercent: 100 },
    });
  });

  test('tells of a coin on its curve by the curve, whatever pool somebody has opened beside it', async () => {
    const [amm] = all.graduated[0].pools;
    const rich = { ...amm, liquidity: { quote: 50_000, usd: 9_000_000 } };
    const { first } = await about([{ ...slb, pools: [rich, ...slb.pools] }]);
    expect(first).toMatchObject({ stage: 'curve', pool: null, liquidityLamports: 6_500_000_000 });
  });

  test('derives the real SOL of a curve, and not of one that is no standard one', async () => {
    const { first } = await about(all.graduating);
    expect(first?.liquidityLamports).toBe(Math.round((184.205822434 / 2 - 30) * 1e9));
    const [pool] = slb.pools;
    const changes = [
      { pumpfun: { isMayhemMode: true } },
      { market: 'moonshot' },
      { liquidity: { quote: 90 } },
      { quoteToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
      { liquidity: { quote: null } },
    ];
    for (const change of changes) {
      expect((await about([{ ...slb, pools: [{ ...pool, ...change }] }])).first?.liquidityLamports).toBeNull();
    }
  });

  test('does not believe the creation block, and knows what it was not told as unknown', async () => {
    const { api } = fakeServiceApi({ '/tokens/latest': latest });
    const told = (await solanaTracker.fetchListings?.(api)) ?? [];
    const [fresh, other] = told;
    expect(fresh).toMatchObject({ address: latest[0].token.mint, listing: { creator: null, createdAt: null } });
    expect(fresh).not.toHaveProperty('listing.price');
    expect(other).toMatchObject({
      listing: { creator: '6hepaQw3pugEBnwY2JBuYGoE5kZjho4DCSHAUKZhcoe', createdAt: 1_743_276_571_192 },
    });
    expect(JSON.stringify(told)).not.toContain(latest[0].token.creation.creator);
  });

  test('an authority that is held is live; one that is not spoken of is unknown', async () => {
    const [pool] = slb.pools;
    const held = { ...slb, pools: [{ ...pool, security: { mintAuthority: 'somebody' } }] };
    expect((await about([held])).first?.facts).toMatchObject({ mintAuthority: 'live', freezeAuthority: null });
  });

  test('loses an item whose shape changed, and no other', async () => {
    const { api, malformed } = fakeServiceApi({ '/tokens/latest': [{ ...slb, pools: 'none' }, 5, slb] });
    expect(await solanaTracker.fetchListings?.(api)).toHaveLength(1);
    expect(malformed()).toBe(2);
    const garbled = await about([]);
    expect(garbled.told).toEqual([]);
    const none = fakeServiceApi({ '/tokens/multi': ['what?'] });
    expect(await solanaTracker.quotes?.fetch(none.api, [SLB])).toEqual([]);
    expect(none.malformed()).toBe(1);
  });
});
