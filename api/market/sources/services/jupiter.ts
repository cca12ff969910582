import { z } from 'zod';
import type { JupiterPlan } from '../../../config/sources.ts';
import type { Listing } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { baseUnits, epochMs, nonBlank, nonNegative } from '../polled/payload-values.ts';
import { RequestError } from '../polled/request-error.ts';
import type { PolledItem, ServiceApi, ServiceSpec } from '../polled/service-spec.ts';
import { wrappedSol } from '../solana/programs.ts';

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
  /** Omits an authority flag instead of sending false, so a missing flag means unknown. */
  audit: z
    .object({
      /** Sent for suspicious coins only. */
      isSus: z.boolean().nullish(),
      mintAuthorityDisabled: z.boolean().nullish(),
      freezeAuthorityDisabled: z.boolean().nullish(),
      topHoldersPercentage: number,
      devBalancePercentage: number,
    })
    .nullish(),
  organicScore: number,
  mcap: number,
  usdPrice: number,
  stats24h: z.object({ buyVolume: number, sellVolume: number }).nullish(),
  updatedAt: text,
});
type Token = z.infer<typeof tokenSchema>;

const priceSchema = z.object({ usdPrice: z.number().positive() });

/** Requests a second, over a sliding window of a minute, and credits a month; null: unlimited (dev.jup.ag, Plans, 2026). */
const plans: Record<JupiterPlan, { perSecond: number; perMonth: number | null }> = {
  free: { perSecond: 1, perMonth: null },
  developer: { perSecond: 10, perMonth: 25_000_000 },
  launch: { perSecond: 50, perMonth: 100_000_000 },
  pro: { perSecond: 150, perMonth: 250_000_000 },
};
const SECONDS_PER_WINDOW = 60;
/** Documented credits of the newest tokens and of a search. The price is taken to cost as much as the newest tokens. */
const CREDITS = { listings: 1, quotes: 10 };

/**
 * Returns Jupiter's Token API v2 and Price API v3 (api.jup.ag) under a plan. Its guide requires a key for every request.
 *
 * Its `liquidity` is the dollar value of both sides of all pools, not the real quote side, so it is not used.
 */
export function createJupiter(plan: JupiterPlan): ServiceSpec {
  const { perSecond, perMonth } = plans[plan];
  return {
    ...jupiter,
    limit: () => ({ calls: perSecond * SECONDS_PER_WINDOW, windowMs: 60_000 }),
    ...(perMonth !== null && { allowance: { perMonth, ...CREDITS } }),
  };
}

const jupiter: Omit<ServiceSpec, 'limit'> = {
  name: 'jupiter',
  baseUrl: 'https://api.jup.ag',
  key: { need: 'required', header: 'x-api-key' },
  async fetchListings(api) {
    const tokens = api.items(tokenSchema, await api.get('/tokens/v2/recent')).map(toItem);
    return [...tokens, ...(await fetchRate(api))];
  },
  quotes: {
    batchSize: 100,
    maxPerRun: 300,
    async fetch(api, addresses) {
      const response = await api.get('/tokens/v2/search', { query: addresses.join(',') });
      // The search also matches names.
      const wanted = new Set(addresses);
      return api
        .items(tokenSchema, response)
        .filter(({ id }) => wanted.has(id))
        .map(toItem);
    },
  },
};

/** Resolves with the dollars for 1 SOL; empty on a failure, so that the listed tokens are kept. */
async function fetchRate(api: ServiceApi): Promise<PolledItem[]> {
  try {
    const prices = await api.get('/price/v3', { ids: wrappedSol });
    // Mints without a price are omitted.
    const price = api.item(z.object({ [wrappedSol]: priceSchema.optional() }), prices)?.[wrappedSol];
    return price === undefined ? [] : [{ kind: 'rate', solUsd: price.usdPrice }];
  } catch (error) {
    // The client counts the failure for System Status.
    if (error instanceof RequestError) return [];
    throw error;
  }
}

function toItem(token: Token): PolledItem {
  return { kind: 'token', address: token.id, at: epochMs(token.updatedAt), listing: listingOf(token) };
}

function listingOf(token: Token): Listing {
  const { decimals, audit, stats24h, usdPrice } = token;
  const graduated = nonBlank(token.graduatedPool) !== null || nonBlank(token.graduatedAt) !== null;
  return {
    name: nonBlank(token.name),
    symbol: nonBlank(token.symbol),
    creator: nonBlank(token.dev),
    // Time of its first pool: the creation of a launchpad's coin.
    createdAt: epochMs(token.firstPool?.createdAt),
    decimals: decimals ?? null,
    totalSupply: baseUnits(token.totalSupply, decimals),
    pool: nonBlank(token.graduatedPool),
    launchpad: launchpadName(token.launchpad),
    stage: graduated ? 'pool' : null,
    price: usdPrice != null && usdPrice > 0 ? { amount: usdPrice, in: 'USD' } : null,
    marketCapUsd: nonNegative(token.mcap),
    volumeUsd: sum(stats24h?.buyVolume, stats24h?.sellVolume),
    holderCount: nonNegative(token.holderCount),
    facts: {
      mintAuthority: authority(audit?.mintAuthorityDisabled),
      freezeAuthority: authority(audit?.freezeAuthorityDisabled),
      topTen: nonNegative(audit?.topHoldersPercentage),
      creatorHolds: nonNegative(audit?.devBalancePercentage),
      suspicious: audit == null ? null : audit.isSus === true,
      organicScore: nonNegative(token.organicScore),
    },
  };
}

function authority(disabled: boolean | null | undefined): 'live' | 'revoked' | null {
  if (disabled == null) return null;
  return disabled ? 'revoked' : 'live';
}

/** Returns the volume of both sides; a missing side counts as 0, null when both are missing. */
function sum(bought: number | null | undefined, sold: number | null | undefined): number | null {
  return bought == null && sold == null ? null : nonNegative((bought ?? 0) + (sold ?? 0));
}
