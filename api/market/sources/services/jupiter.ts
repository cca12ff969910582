import { z } from 'zod';
import type { Listing } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { amount, baseUnits, epochMs, said } from '../polled/payload-values.ts';
import { RequestError } from '../polled/request-error.ts';
import type { ServiceApi, ServiceSpec, PolledItem } from '../polled/service-spec.ts';

const SOL = 'So11111111111111111111111111111111111111112';

const number = z.number().nullish();
const text = z.string().nullish();

const tokenSchema = z.object({
  id: z.string(),
  name: text,
  symbol: text,
  decimals: number,
  dev: text,
  totalSupply: number,
  launchpad: text,
  firstPool: z.object({ createdAt: text }).nullish(),
  graduatedPool: text,
  graduatedAt: text,
  holderCount: number,
  /** Left out rather than false where an authority is live, so only what is there says something. */
  audit: z
    .object({
      mintAuthorityDisabled: z.boolean().nullish(),
      freezeAuthorityDisabled: z.boolean().nullish(),
      topHoldersPercentage: number,
      devBalancePercentage: number,
    })
    .nullish(),
  mcap: number,
  usdPrice: number,
  stats24h: z.object({ buyVolume: number, sellVolume: number }).nullish(),
  updatedAt: text,
});
type Token = z.infer<typeof tokenSchema>;

const priceSchema = z.object({ usdPrice: z.number().positive() });

/**
 * Jupiter's Token API v2 and Price API v3 (api.jup.ag). Limits as documented: a call every two seconds without a key, one a
 * second with a free one, counted over a sliding window.
 *
 * Its `liquidity` counts both sides of all pools in dollars, and says nothing of the real quote side, so it is not taken.
 */
export const jupiter: ServiceSpec = {
  name: 'jupiter',
  baseUrl: 'https://api.jup.ag',
  key: { need: 'optional', header: 'x-api-key' },
  limit: (hasKey) => (hasKey ? { calls: 60, windowMs: 60_000 } : { calls: 5, windowMs: 10_000 }),
  async fetchListings(api) {
    const tokens = api.items(tokenSchema, await api.get('/tokens/v2/recent')).map(tokenTold);
    return [...tokens, ...(await rateTold(api))];
  },
  quotes: {
    batchSize: 100,
    // A search costs ten credits where the list costs one.
    maxPerRun: 300,
    async fetch(api, addresses) {
      const answer = await api.get('/tokens/v2/search', { query: addresses.join(',') });
      // It searches by name as well: only what was asked for is an answer.
      const wanted = new Set(addresses);
      return api
        .items(tokenSchema, answer)
        .filter(({ id }) => wanted.has(id))
        .map(tokenTold);
    },
  },
};

/** Dollars for 1 SOL. Without them the tokens that were told before are still worth having. */
async function rateTold(api: ServiceApi): Promise<PolledItem[]> {
  try {
    const prices = await api.get('/price/v3', { ids: SOL });
    // What has no price is left out.
    const price = api.item(z.object({ [SOL]: priceSchema.optional() }), prices)?.[SOL];
    return price === undefined ? [] : [{ kind: 'rate', solUsd: price.usdPrice }];
  } catch (error) {
    // The client has counted it, and System Status says so.
    if (error instanceof RequestError) return [];
    throw error;
  }
}

function tokenTold(token: Token): PolledItem {
  return { kind: 'token', address: token.id, at: epochMs(token.updatedAt), listing: listingOf(token) };
}

function listingOf(token: Token): Listing {
  const { decimals, audit, stats24h, usdPrice } = token;
  const graduated = said(token.graduatedPool) !== null || said(token.graduatedAt) !== null;
  return {
    name: said(token.name),
    symbol: said(token.symbol),
    creator: said(token.dev),
    // Of its first pool, which for a launchpad's coin is the creation.
    createdAt: epochMs(token.firstPool?.createdAt),
    decimals: decimals ?? null,
    totalSupply: baseUnits(token.totalSupply, decimals),
    pool: said(token.graduatedPool),
    launchpad: launchpadName(token.launchpad),
    stage: graduated ? 'pool' : null,
    price: usdPrice != null && usdPrice > 0 ? { amount: usdPrice, in: 'USD' } : null,
    marketCapUsd: amount(token.mcap),
    volumeUsd: sum(stats24h?.buyVolume, stats24h?.sellVolume),
    holderCount: amount(token.holderCount),
    facts: {
      mintAuthority: authority(audit?.mintAuthorityDisabled),
      freezeAuthority: authority(audit?.freezeAuthorityDisabled),
      topTen: amount(audit?.topHoldersPercentage),
      creatorHolds: amount(audit?.devBalancePercentage),
    },
  };
}

function authority(disabled: boolean | null | undefined): 'live' | 'revoked' | null {
  if (disabled == null) return null;
  return disabled ? 'revoked' : 'live';
}

/** What was bought and sold; a side that is left out had nothing, both left out say nothing. */
function sum(bought: number | null | undefined, sold: number | null | undefined): number | null {
  return bought == null && sold == null ? null : amount((bought ?? 0) + (sold ?? 0));
}
