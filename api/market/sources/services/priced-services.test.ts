import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Listing } from '../observation.ts';
import { RequestError } from '../polled/request-error.ts';
import type { PolledItem } from '../polled/service-spec.ts';
import { fakeServiceApi } from '../polled/testing/fake-service-api.ts';
import { createJupiter } from './jupiter.ts';
import { createSolanaTracker } from './solana-tracker.ts';

const jupiter = createJupiter('free');
const solanaTracker = createSolanaTracker('free');
const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const SOL = 'So11111111111111111111111111111111111111112';

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

function listingOf(items: readonly PolledItem[], address: string): Listing | undefined {
  const found = items.find((one) => one.kind === 'token' && one.address === address);
  return found?.kind === 'token' ? found.listing : undefined;
}

describe('Jupiter', () => {
  const recent = fixture('jupiter/tokens_v2_recent.json');
  const price = `/price/v3?ids=${SOL}`;

  test('reports new tokens and the dollars for 1 SOL', async () => {
    const { api, requests, malformed } = fakeServiceApi({
      '/tokens/v2/recent': recent,
      [price]: fixture('jupiter/price_v3.json'),
    });
    const items = (await jupiter.fetchListings?.(api)) ?? [];
    expect(requests).toEqual(['GET /tokens/v2/recent', `GET ${price}`]);
    expect(malformed()).toBe(0);
    expect(items.at(-1)).toEqual({ kind: 'rate', solUsd: 81.632_997_104_629_75 });
    expect(items[1]).toEqual({
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
        facts: {
          mintAuthority: 'revoked',
          freezeAuthority: 'revoked',
          topTen: 17.8084,
          creatorHolds: 2.7535,
          suspicious: false,
          organicScore: 0,
        },
      },
    });
  });

  test('treats missing values as unknown: a missing authority flag never counts as revoked', async () => {
    const items =
      (await jupiter.fetchListings?.(fakeServiceApi({ '/tokens/v2/recent': recent, [price]: {} }).api)) ?? [];
    const bad = listingOf(items, '9SjsfWWyXHEwA7ymrE7QQxXtAfepvvJ5oA2nJoUxAMcm');
    expect(bad?.facts).toEqual({
      mintAuthority: null,
      freezeAuthority: null,
      topTen: 91.4,
      creatorHolds: 62.5,
      suspicious: true,
      organicScore: 0,
    });
    const [empty] = items;
    expect(empty).toMatchObject({ listing: { name: null, price: null, marketCapUsd: null, volumeUsd: null } });
    expect(items.some(({ kind }) => kind === 'rate')).toBe(false);
  });

  test('reports tokens without a rate', async () => {
    const { api } = fakeServiceApi({ '/tokens/v2/recent': recent, [price]: new RequestError('server', 500) });
    expect(await jupiter.fetchListings?.(api)).toHaveLength(3);
  });

  test('fetches known tokens in one search and ignores other matches', async () => {
    const search = fixture('jupiter/tokens_v2_search.json');
    const JUP = 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN';
    const { api, requests } = fakeServiceApi({ '/tokens/v2/search': [...search, ...recent] });
    const items = await jupiter.quotes?.fetch(api, [JUP, SLB]);
    expect(requests).toEqual([`GET /tokens/v2/search?query=${JUP}%2C${SLB}`]);
    expect(items?.map((one) => one.kind === 'token' && one.address)).toEqual([JUP, SLB]);
    expect(jupiter.quotes?.batchSize).toBe(100);
  });

  test('drops only items of the wrong shape', async () => {
    const changed = [{ ...recent[0], decimals: 'six' }, 'nonsense', null, recent[1], { ...recent[2], id: undefined }];
    const { api, malformed } = fakeServiceApi({ '/tokens/v2/recent': changed, [price]: [] });
    expect((await jupiter.fetchListings?.(api))?.length).toBe(1);
    expect(malformed()).toBe(5);
    const other = fakeServiceApi({ '/tokens/v2/recent': { tokens: [] }, [price]: 'down' });
    expect(await jupiter.fetchListings?.(other.api)).toEqual([]);
    expect(other.malformed()).toBe(2);
  });

  test('requires a key, and takes limit and credits from the plan', () => {
    expect(jupiter.key).toEqual({ need: 'required', header: 'x-api-key' });
    expect(jupiter.limit(true)).toEqual({ calls: 60, windowMs: 60_000 });
    expect(jupiter.allowance).toBeUndefined();
    const developer = createJupiter('developer');
    expect(developer.limit(true)).toEqual({ calls: 600, windowMs: 60_000 });
    expect(developer.allowance).toEqual({ perMonth: 25_000_000, listings: 1, quotes: 10 });
  });
});

describe('Solana Tracker', () => {
  const slb = fixture('solana-tracker/tokens_mint.json');
  const latest = fixture('solana-tracker/tokens_latest.json');
  const all = fixture('solana-tracker/tokens_multi_all.json');

  async function fetchQuotes(details: readonly { token: { mint: string } }[]) {
    const addresses = details.map(({ token }) => token.mint);
    const tokens = Object.fromEntries(details.map((detail) => [detail.token.mint, detail]));
    const fake = fakeServiceApi({ '/tokens/multi': { tokens } });
    const items = (await solanaTracker.quotes?.fetch(fake.api, addresses)) ?? [];
    return { ...fake, items, first: listingOf(items, addresses[0] ?? '') };
  }

  test('reports a coin on its curve', async () => {
    const { items, requests, bodies } = await fetchQuotes([slb]);
    expect([requests, bodies]).toEqual([['POST /tokens/multi'], [{ tokens: [SLB] }]]);
    expect(items).toEqual([
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
          // 73 is twice the virtual 36.5 SOL, of which 30 are not real.
          liquidityLamports: 6_500_000_000,
          marketCapUsd: 3378.4270736253493,
          volumeUsd: 964,
          facts: {
            mintAuthority: 'revoked',
            freezeAuthority: 'revoked',
            // A curve has no LP.
            lpLockedPercent: null,
            metadataFile: true,
            topTen: 17.4835,
            creatorHolds: 2.7534883660147,
          },
        },
      },
    ]);
  });

  test('uses the pool of a migrated coin, not the rest of its curve', async () => {
    const { first } = await fetchQuotes(all.graduated);
    expect(first).toMatchObject({
      stage: 'pool',
      pool: '5UH61hrcBSgE3fLXQ4bMTtXb7e1bVvSeisJq7z8V8yvE',
      price: { amount: 1.9289130860019372e-8, in: 'SOL' },
      liquidityLamports: 18_503_268_912,
      facts: { lpLockedPercent: 100 },
    });
  });

  test('uses the curve of a coin on its curve, not a pool beside it', async () => {
    const [amm] = all.graduated[0].pools;
    const rich = { ...amm, liquidity: { quote: 50_000, usd: 9_000_000 } };
    const { first } = await fetchQuotes([{ ...slb, pools: [rich, ...slb.pools] }]);
    expect(first).toMatchObject({ stage: 'curve', pool: null, liquidityLamports: 6_500_000_000 });
  });

  test('derives the real SOL of standard curves only', async () => {
    const { first } = await fetchQuotes(all.graduating);
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
      expect((await fetchQuotes([{ ...slb, pools: [{ ...pool, ...change }] }])).first?.liquidityLamports).toBeNull();
    }
  });

  test('ignores the creation block and treats missing values as unknown', async () => {
    const { api } = fakeServiceApi({ '/tokens/latest': latest });
    const items = (await solanaTracker.fetchListings?.(api)) ?? [];
    const [fresh, other] = items;
    expect(fresh).toMatchObject({ address: latest[0].token.mint, listing: { creator: null, createdAt: null } });
    expect(fresh).not.toHaveProperty('listing.price');
    expect(other).toMatchObject({
      listing: { creator: '6hepaQw3pugEBnwY2JBuYGoE5kZjho4DCSHAUKZhcoe', createdAt: 1_743_276_571_192 },
    });
    expect(JSON.stringify(items)).not.toContain(latest[0].token.creation.creator);
  });

  test('treats a held authority as live and a missing one as unknown', async () => {
    const [pool] = slb.pools;
    const held = { ...slb, pools: [{ ...pool, security: { mintAuthority: 'holder' } }] };
    expect((await fetchQuotes([held])).first?.facts).toMatchObject({ mintAuthority: 'live', freezeAuthority: null });
  });

  test('drops only items of the wrong shape', async () => {
    const { api, malformed } = fakeServiceApi({ '/tokens/latest': [{ ...slb, pools: 'none' }, 5, slb] });
    expect(await solanaTracker.fetchListings?.(api)).toHaveLength(1);
    expect(malformed()).toBe(2);
    const garbled = await fetchQuotes([]);
    expect(garbled.items).toEqual([]);
    const none = fakeServiceApi({ '/tokens/multi': ['garbage'] });
    expect(await solanaTracker.quotes?.fetch(none.api, [SLB])).toEqual([]);
    expect(none.malformed()).toBe(1);
  });
});
