import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Listing } from '../observation.ts';
import { RequestError } from '../polled/request-error.ts';
import type { PolledItem, ServiceSpec } from '../polled/service-spec.ts';
import { fakeServiceApi } from '../polled/testing/fake-service-api.ts';
import { dexscreener } from './dexscreener.ts';
import { rugcheck } from './rugcheck.ts';
import { solanafm } from './solanafm.ts';
import { solscan } from './solscan.ts';
import { createTokenList } from './token-list.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

function fixture(name: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

function tokensOf(items: readonly PolledItem[]): Map<string, Listing> {
  return new Map(items.flatMap((one) => (one.kind === 'token' ? [[one.address, one.listing]] : [])));
}

type Responses = Readonly<Record<string, unknown>>;

async function fetchQuotes(spec: ServiceSpec, addresses: readonly string[], responses: Responses) {
  const fake = fakeServiceApi(responses);
  const items = (await spec.quotes?.fetch(fake.api, addresses)) ?? [];
  return { items, tokens: tokensOf(items), malformed: fake.malformed(), requests: fake.requests, bodies: fake.bodies };
}

async function fetchListings(spec: ServiceSpec, responses: Responses) {
  const fake = fakeServiceApi(responses);
  const items = (await spec.fetchListings?.(fake.api)) ?? [];
  return { items, tokens: tokensOf(items), malformed: fake.malformed(), requests: fake.requests };
}

describe('DexScreener', () => {
  const curve = 'B3cHPmFf6pokbEi1Y5ZyLSUSnXfrLQjMS5kFLEz7pump';
  const pool = 'jk1T35eWK41MBMM8AWoYVaNbjHEEQzMDetTsfnqpump';
  const path = (...addresses: string[]) => `/tokens/v1/solana/${addresses.join(',')}`;

  test('reports a coin on its curve and one in a pool', async () => {
    const { tokens, malformed } = await fetchQuotes(dexscreener, [curve, pool, SLB], {
      [path(curve, pool, SLB)]: fixture('dexscreener/tokens_v1.json'),
    });
    expect(malformed).toBe(0);
    expect(tokens.get(curve)).toEqual({
      name: 'Spirit of Liberty',
      symbol: 'SOL',
      createdAt: 1_783_072_140_000,
      launchpad: 'pump.fun',
      quote: 'SOL',
      stage: 'curve',
      pool: null,
      price: { amount: 0.0000001004, in: 'SOL' },
      // The liquidity of a curve is missing, which must not read as zero.
      liquidityLamports: null,
      marketCapUsd: 8201.27,
      volumeUsd: 155241.2,
    });
    expect(tokens.get(pool)).toMatchObject({
      stage: 'pool',
      pool: 'CcYbXbMHr2o9Vyz2wmJcRvi59wh42xkXf6qrzChbHPN5',
      liquidityLamports: 710_796_100_000,
      launchpad: null,
    });
    expect(tokens.size).toBe(2);
  });

  test('uses the pair quoted in SOL and ignores volume in other coins', async () => {
    const { tokens } = await fetchQuotes(dexscreener, [BONK], {
      [path(BONK)]: fixture('dexscreener/latest_dex_tokens.json').pairs,
    });
    expect(tokens.get(BONK)).toMatchObject({
      quote: 'SOL',
      price: { amount: 0.00000005508, in: 'SOL' },
      liquidityLamports: 371_886_700_000,
      marketCapUsd: 395_952_068,
      createdAt: 1_671_570_646_000,
    });
    expect(tokens.get(BONK)?.volumeUsd).toBeCloseTo(183_952.26 + 65_942.71 + 1_055.25);
  });

  test('reports no liquidity of a pair not quoted in SOL and ignores other chains', async () => {
    const clmm = 'SMiasTnM9ZewsCJb965VQ4WpMTLJp91WeTEdk7j9bNq';
    const { tokens, malformed } = await fetchQuotes(dexscreener, [clmm], {
      [path(clmm)]: fixture('dexscreener/latest_dex_search.json').pairs,
    });
    expect(tokens.get(clmm)).toMatchObject({ liquidityLamports: null, price: { amount: 88.29, in: 'USD' } });
    // The pair on Ethereum has an address that is no mint.
    expect([tokens.size, malformed]).toEqual([1, 1]);
  });

  test('fetches the coins of the newest profiles on Solana, each once', async () => {
    const profiles = fixture('dexscreener/token_profiles_latest.json');
    const first = profiles[0].tokenAddress;
    const { requests, tokens } = await fetchListings(dexscreener, {
      '/token-profiles/latest/v1': [...profiles, profiles[0], { chainId: 'solana', tokenAddress: USDC }],
      [path(
        ...profiles
          .filter((one: { chainId: string }) => one.chainId === 'solana')
          .map((one: { tokenAddress: string }) => one.tokenAddress),
      )]: [{ ...fixture('dexscreener/tokens_v1.json')[0], baseToken: { address: first, name: 'A', symbol: 'A' } }],
    });
    expect(requests).toHaveLength(2);
    // Without a pair the creation time is unknown, and the coin would look new.
    expect([...tokens.keys()]).toEqual([first]);
  });

  test('reports nothing for an empty response', async () => {
    const responses = { [path(SLB)]: fixture('dexscreener/tokens_v1_empty.json') };
    const { items } = await fetchQuotes(dexscreener, [SLB], responses);
    expect(items).toEqual([]);
  });
});

describe('Solscan', () => {
  const meta = { [`/token/meta?address=${SLB}`]: fixture('solscan/token_meta.json') };

  test('keeps the listings it has when a later request fails', async () => {
    const { tokens } = await fetchListings(solscan, {
      '/token/latest': new RequestError('rate-limited', 429),
      '/token/latest?platform_id=pumpfun&page=1&page_size=40': fixture('solscan/token_latest.json'),
    });
    expect(tokens.has(SLB)).toBe(true);
    const refused = fetchListings(solscan, { '/token/latest': new RequestError('forbidden', 401) });
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('treats a blank authority as unknown', async () => {
    const response = fixture('solscan/token_meta.json');
    const data = { ...response.data, mint_authority: '', freeze_authority: ' ' };
    const { tokens } = await fetchQuotes(solscan, [SLB], { '/token/meta': { ...response, data } });
    expect(tokens.get(SLB)?.facts).toMatchObject({ mintAuthority: null, freezeAuthority: null });
  });

  test('lists the newest coins of each launchpad', async () => {
    const refused = new RequestError('refused', 400);
    const { tokens, requests } = await fetchListings(solscan, {
      '/token/latest': { success: true, data: [] },
      '/token/latest?platform_id=meteora&page=1&page_size=40': refused,
      '/token/latest?platform_id=pumpfun&page=1&page_size=40': fixture('solscan/token_latest.json'),
    });
    expect(requests).toHaveLength(4);
    expect(tokens.get(SLB)).toEqual({
      name: 'Smooth Like Butter',
      symbol: 'SLB',
      decimals: 6,
      creator: 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3',
      createdAt: 1_785_412_800_000,
      launchpad: 'pump.fun',
    });
  });

  test('reports the figures of a token', async () => {
    const { tokens, malformed } = await fetchQuotes(solscan, [SLB], meta);
    expect(malformed).toBe(0);
    expect(tokens.get(SLB)).toMatchObject({
      totalSupply: '1000000000000000',
      holderCount: 24,
      price: { amount: 3.378427073625349e-6, in: 'USD' },
      marketCapUsd: 3378.4270736253493,
      volumeUsd: 964,
      facts: { mintAuthority: 'revoked', freezeAuthority: 'revoked', metadataFile: true },
    });
  });

  test('treats a missing authority as unknown, not as revoked', async () => {
    const { mint_authority: _mint, freeze_authority: _freeze, ...data } = fixture('solscan/token_meta.json').data;
    const response = { success: true, data: { ...data, freeze_authority: BONK, holder: null } };
    const { tokens } = await fetchQuotes(solscan, [SLB], { '/token/meta': response });
    expect(tokens.get(SLB)).toMatchObject({
      holderCount: null,
      facts: { mintAuthority: null, freezeAuthority: 'live' },
    });
  });

  test('needs a key, skips an unknown token and passes other failures on', async () => {
    expect(solscan.key).toEqual({ need: 'required', header: 'token' });
    const responses = { ...meta, [`/token/meta?address=${BONK}`]: new RequestError('not-found', 404) };
    expect([...(await fetchQuotes(solscan, [BONK, SLB], responses)).tokens.keys()]).toEqual([SLB]);
    const refused = fetchQuotes(solscan, [SLB], { '/token/meta': new RequestError('forbidden', 401) });
    await expect(refused).rejects.toThrow('plan does not include');
  });

  test.each<{ body: unknown }>(fixture('solscan/errors.json'))(
    'counts an error with status 200: $status',
    async ({ body }) => {
      expect(await fetchQuotes(solscan, [SLB], { '/token/meta': body })).toMatchObject({ items: [], malformed: 1 });
    },
  );
});

describe('SolanaFM', () => {
  const responses = { '/v1/tokens': fixture('solanafm/v1_tokens.json') };

  test('reports the content of mint and metadata accounts', async () => {
    const { tokens, bodies, malformed } = await fetchQuotes(solanafm, [USDC, SLB], responses);
    expect(bodies).toEqual([{ tokens: [USDC, SLB] }]);
    expect(malformed).toBe(0);
    expect([...tokens]).toEqual([
      [
        USDC,
        {
          name: 'USD Coin',
          symbol: 'USDC',
          uri: null,
          decimals: 6,
          facts: { mintAuthority: 'live', freezeAuthority: 'live', metadataMutable: true, metadataFile: false },
        },
      ],
    ]);
  });

  test('ignores tokens that were not requested, and an unknown token is no failure', async () => {
    expect((await fetchQuotes(solanafm, [SLB], responses)).items).toEqual([]);
    expect((await fetchQuotes(solanafm, [SLB], { '/v1/tokens': new RequestError('not-found', 404) })).items).toEqual(
      [],
    );
  });

  test.each<{ body: unknown }>(fixture('solanafm/errors.json'))(
    'reports nothing for an error sample: $status',
    async ({ body }) => {
      expect((await fetchQuotes(solanafm, [SLB], { '/v1/tokens': body })).items).toEqual([]);
    },
  );
});

describe('RugCheck', () => {
  const factsOf = async (response: unknown) => {
    const { tokens } = await fetchQuotes(rugcheck, [SLB], { [`/v1/tokens/${SLB}/report/summary`]: response });
    return tokens.get(SLB)?.facts;
  };

  test('turns named risks into facts', async () => {
    expect(await factsOf(fixture('rugcheck/report_summary.json'))).toEqual({
      metadataMutable: true,
      lpLockedPercent: 3.1401614950390733,
    });
    expect(await factsOf(fixture('rugcheck/report_summary_low_liquidity.json'))).toEqual({ lpLockedPercent: 0 });
    // 26,400 points are eleven coins.
    expect(await factsOf(fixture('rugcheck/report_rugged_creator.json'))).toEqual({
      metadataMutable: true,
      creatorRugged: 11,
      lpLockedPercent: null,
    });
    const names = ['Mint Authority still enabled', 'Freeze Authority still enabled', 'Permanent Control Enabled'];
    const risks = [...names, 'Missing file metadata', 'Something new'].map((name) => ({ name, level: 'odd' }));
    expect(await factsOf({ risks })).toEqual({
      mintAuthority: 'live',
      freezeAuthority: 'live',
      extensions: ['permanentDelegate'],
      metadataFile: false,
      lpLockedPercent: null,
    });
  });

  test('treats a coin without risks as unmeasured', async () => {
    expect(await factsOf({ risks: [], score: 1, score_normalised: 1, lpLockedPct: 0 })).toEqual({
      lpLockedPercent: null,
    });
    expect(await factsOf({ risks: null, lpLockedPct: null })).toEqual({ lpLockedPercent: null });
  });

  test('allows one call in four seconds without a key and skips coins without a report', async () => {
    expect(rugcheck.limit(false)).toEqual({ calls: 1, windowMs: 4_000 });
    const responses = {
      [`/v1/tokens/${BONK}/report/summary`]: new RequestError('refused', 400),
      [`/v1/tokens/${USDC}/report/summary`]: new RequestError('not-found', 404),
      [`/v1/tokens/${SLB}/report/summary`]: fixture('rugcheck/report_summary.json'),
    };
    expect([...(await fetchQuotes(rugcheck, [BONK, USDC, SLB], responses)).tokens.keys()]).toEqual([SLB]);
  });
});

describe('Solana token list', () => {
  const list = { '/solana.tokenlist.json': fixture('token-list/solana_tokenlist_excerpt.json') };

  test('reports the symbols of coins with a page at CoinGecko, and no tokens', async () => {
    const { items, malformed } = await fetchListings(createTokenList(), list);
    const symbols = new Map([['AGEUR', ['CbNYA9n3927uXUukee2Hf4tm3xxkffJPPZvGazc2EAH1']]]);
    expect(items).toEqual([{ kind: 'symbols', symbols }]);
    expect(malformed).toBe(0);
  });

  test('downloads once, and retries only after a failure', async () => {
    const spec = createTokenList();
    const broken = fakeServiceApi({ '/solana.tokenlist.json': { tokens: 'none' } });
    expect(await spec.fetchListings?.(broken.api)).toEqual([]);
    const { api, requests } = fakeServiceApi(list);
    expect(await spec.fetchListings?.(api)).toHaveLength(1);
    expect(await spec.fetchListings?.(api)).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});
