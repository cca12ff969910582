import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Listing } from '../observation.ts';
import { RequestError } from '../polled/request-error.ts';
import type { ServiceSpec, PolledItem } from '../polled/service-spec.ts';
import { fakeServiceApi } from '../polled/testing/fake-requests.ts';
import { dexscreener } from './dexscreener.ts';
import { rugcheck } from './rugcheck.ts';
import { solanafm } from './solanafm.ts';
import { solscan } from './solscan.ts';
import { createTokenList } from './token-list.ts';

const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';

function fixture(name: string) {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8'));
}

function tokensOf(told: readonly PolledItem[]): Map<string, Listing> {
  return new Map(told.flatMap((one) => (one.kind === 'token' ? [[one.address, one.listing]] : [])));
}

async function about(spec: ServiceSpec, addresses: readonly string[], answers: Readonly<Record<string, unknown>>) {
  const fake = fakeServiceApi(answers);
  const told = (await spec.quotes?.fetch(fake.api, addresses)) ?? [];
  return { told, tokens: tokensOf(told), malformed: fake.malformed(), asked: fake.asked, bodies: fake.bodies };
}

async function fetchListings(spec: ServiceSpec, answers: Readonly<Record<string, unknown>>) {
  const fake = fakeServiceApi(answers);
  const told = (await spec.fetchListings?.(fake.api)) ?? [];
  return { told, tokens: tokensOf(told), malformed: fake.malformed(), asked: fake.asked };
}

describe('DexScreener', () => {
  const curve = 'B3cHPmFf6pokbEi1Y5ZyLSUSnXfrLQjMS5kFLEz7pump';
  const pool = 'jk1T35eWK41MBMM8AWoYVaNbjHEEQzMDetTsfnqpump';
  const asked = (...addresses: string[]) => `/tokens/v1/solana/${addresses.join(',')}`;

  test('tells what it knows of a coin on its curve and of one in a pool', async () => {
    const { tokens, malformed } = await about(dexscreener, [curve, pool, SLB], {
      [asked(curve, pool, SLB)]: fixture('dexscreener/tokens_v1.json'),
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
      // It leaves out the liquidity of a curve: that is no zero.
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

  test('takes the figures of the pair paid for in SOL, and no volume in some other coin', async () => {
    const { tokens } = await about(dexscreener, [BONK], {
      [asked(BONK)]: fixture('dexscreener/latest_dex_tokens.json').pairs,
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

  test('tells no liquidity of a pair that is not paid for in SOL, and nothing of other chains', async () => {
    const clmm = 'SMiasTnM9ZewsCJb965VQ4WpMTLJp91WeTEdk7j9bNq';
    const { tokens, malformed } = await about(dexscreener, [clmm], {
      [asked(clmm)]: fixture('dexscreener/latest_dex_search.json').pairs,
    });
    expect(tokens.get(clmm)).toMatchObject({ liquidityLamports: null, price: { amount: 88.29, in: 'USD' } });
    // The pair on Ethereum has an address that no mint has.
    expect([tokens.size, malformed]).toEqual([1, 1]);
  });

  test('looks up the coins of the newest profiles, those on Solana and each once', async () => {
    const profiles = fixture('dexscreener/token_profiles_latest.json');
    const first = profiles[0].tokenAddress;
    const { asked: paths, tokens } = await fetchListings(dexscreener, {
      '/token-profiles/latest/v1': [...profiles, profiles[0], { chainId: 'solana', tokenAddress: USDC }],
      [asked(
        ...profiles
          .filter((one: { chainId: string }) => one.chainId === 'solana')
          .map((one: { tokenAddress: string }) => one.tokenAddress),
      )]: [{ ...fixture('dexscreener/tokens_v1.json')[0], baseToken: { address: first, name: 'A', symbol: 'A' } }],
    });
    expect(paths).toHaveLength(2);
    // Without a pair nobody knows when it began: it would look like a new one.
    expect([...tokens.keys()]).toEqual([first]);
  });

  test('nothing known is nothing told', async () => {
    const { told } = await about(dexscreener, [SLB], { [asked(SLB)]: fixture('dexscreener/tokens_v1_empty.json') });
    expect(told).toEqual([]);
  });
});

describe('Solscan', () => {
  const meta = { [`/token/meta?address=${SLB}`]: fixture('solscan/token_meta.json') };

  test('tells what it has been told already when it is asked no further', async () => {
    const { tokens } = await fetchListings(solscan, {
      '/token/latest': new RequestError('rate-limited', 429),
      '/token/latest?platform_id=pumpfun&page=1&page_size=40': fixture('solscan/token_latest.json'),
    });
    expect(tokens.has(SLB)).toBe(true);
    const refused = fetchListings(solscan, { '/token/latest': new RequestError('forbidden', 401) });
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('takes a blank authority for one that it does not know', async () => {
    const answer = fixture('solscan/token_meta.json');
    const data = { ...answer.data, mint_authority: '', freeze_authority: ' ' };
    const { tokens } = await about(solscan, [SLB], { '/token/meta': { ...answer, data } });
    expect(tokens.get(SLB)?.facts).toMatchObject({ mintAuthority: null, freezeAuthority: null });
  });

  test('tells the newest coins of each launchpad', async () => {
    const refused = new RequestError('refused', 400);
    const { tokens, asked } = await fetchListings(solscan, {
      '/token/latest': { success: true, data: [] },
      '/token/latest?platform_id=meteora&page=1&page_size=40': refused,
      '/token/latest?platform_id=pumpfun&page=1&page_size=40': fixture('solscan/token_latest.json'),
    });
    expect(asked).toHaveLength(4);
    expect(tokens.get(SLB)).toEqual({
      name: 'Smooth Like Butter',
      symbol: 'SLB',
      decimals: 6,
      creator: 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3',
      createdAt: 1_785_412_800_000,
      launchpad: 'pump.fun',
    });
  });

  test('tells what it knows of a token', async () => {
    const { tokens, malformed } = await about(solscan, [SLB], meta);
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

  test('an authority that is absent is unknown, not given up', async () => {
    const { mint_authority: _mint, freeze_authority: _freeze, ...data } = fixture('solscan/token_meta.json').data;
    const answer = { success: true, data: { ...data, freeze_authority: BONK, holder: null } };
    const { tokens } = await about(solscan, [SLB], { '/token/meta': answer });
    expect(tokens.get(SLB)).toMatchObject({
      holderCount: null,
      facts: { mintAuthority: null, freezeAuthority: 'live' },
    });
  });

  test('needs a key, goes on after a token it does not know, and passes other failures on', async () => {
    expect(solscan.key).toEqual({ need: 'required', header: 'token' });
    const answers = { ...meta, [`/token/meta?address=${BONK}`]: new RequestError('not-found', 404) };
    expect([...(await about(solscan, [BONK, SLB], answers)).tokens.keys()]).toEqual([SLB]);
    const refused = about(solscan, [SLB], { '/token/meta': new RequestError('forbidden', 401) });
    await expect(refused).rejects.toThrow('plan does not allow');
  });

  test.each<{ body: unknown }>(fixture('solscan/errors.json'))(
    'an error with status 200 is counted: $status',
    async ({ body }) => {
      expect(await about(solscan, [SLB], { '/token/meta': body })).toMatchObject({ told: [], malformed: 1 });
    },
  );
});

describe('SolanaFM', () => {
  const answers = { '/v1/tokens': fixture('solanafm/v1_tokens.json') };

  test('tells what mint and metadata accounts hold', async () => {
    const { tokens, bodies, malformed } = await about(solanafm, [USDC, SLB], answers);
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

  test('what it was not asked about is not told, and an unknown token is no failure', async () => {
    expect((await about(solanafm, [SLB], answers)).told).toEqual([]);
    expect((await about(solanafm, [SLB], { '/v1/tokens': new RequestError('not-found', 404) })).told).toEqual([]);
  });

  test.each<{ body: unknown }>(fixture('solanafm/errors.json'))(
    'an error sample tells nothing: $status',
    async ({ body }) => {
      expect((await about(solanafm, [SLB], { '/v1/tokens': body })).told).toEqual([]);
    },
  );
});

describe('RugCheck', () => {
  const factsOf = async (answer: unknown) => {
    const { tokens } = await about(rugcheck, [SLB], { [`/v1/tokens/${SLB}/report/summary`]: answer });
    return tokens.get(SLB)?.facts;
  };

  test('makes facts of the risks it names', async () => {
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

  test('a coin without risks is one that nobody has measured: nothing is cleared', async () => {
    expect(await factsOf({ risks: [], score: 1, score_normalised: 1, lpLockedPct: 0 })).toEqual({
      lpLockedPercent: null,
    });
    expect(await factsOf({ risks: null, lpLockedPct: null })).toEqual({ lpLockedPercent: null });
  });

  test('one call in four seconds, without a key, and coins without a report are passed over', async () => {
    expect(rugcheck.limit(false)).toEqual({ calls: 1, windowMs: 4_000 });
    const answers = {
      [`/v1/tokens/${BONK}/report/summary`]: new RequestError('refused', 400),
      [`/v1/tokens/${USDC}/report/summary`]: new RequestError('not-found', 404),
      [`/v1/tokens/${SLB}/report/summary`]: fixture('rugcheck/report_summary.json'),
    };
    expect([...(await about(rugcheck, [BONK, USDC, SLB], answers)).tokens.keys()]).toEqual([SLB]);
  });
});

describe('Solana token list', () => {
  const list = { '/solana.tokenlist.json': fixture('token-list/solana_tokenlist_excerpt.json') };

  test('tells the symbols of coins with a page at CoinGecko, and no tokens', async () => {
    const { told, malformed } = await fetchListings(createTokenList(), list);
    const symbols = new Map([['AGEUR', ['CbNYA9n3927uXUukee2Hf4tm3xxkffJPPZvGazc2EAH1']]]);
    expect(told).toEqual([{ kind: 'symbols', symbols }]);
    expect(malformed).toBe(0);
  });

  test('is downloaded once, and again only after a failure', async () => {
    const spec = createTokenList();
    const broken = fakeServiceApi({ '/solana.tokenlist.json': { tokens: 'none' } });
    expect(await spec.fetchListings?.(broken.api)).toEqual([]);
    const { api, asked } = fakeServiceApi(list);
    expect(await spec.fetchListings?.(api)).toHaveLength(1);
    expect(await spec.fetchListings?.(api)).toEqual([]);
    expect(asked).toHaveLength(1);
  });
});
