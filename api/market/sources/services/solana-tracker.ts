import { z } from 'zod';
import { LAMPORTS_PER_SOL } from '../../../../common/tokens/units.ts';
import type { SolanaTrackerPlan } from '../../../config/sources.ts';
import type { Listing, QuoteKind } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { authority, baseUnits, epochMs, nonBlank, nonNegative } from '../polled/payload-values.ts';
import type { PolledItem, ServiceSpec } from '../polled/service-spec.ts';
import { quoteOfMint } from '../solana/programs.ts';

const number = z.number().nullish();
const text = z.string().nullish();
const pair = z.object({ quote: number, usd: number }).nullish();

const poolSchema = z.object({
  poolId: z.string(),
  liquidity: pair,
  price: pair,
  tokenSupply: number,
  /** Percent; 100 on a curve, which has no LP. */
  lpBurn: number,
  marketCap: pair,
  market: text,
  quoteToken: text,
  curve: text,
  curvePercentage: number,
  deployer: text,
  createdAt: number,
  lastUpdated: number,
  /** Null: the authority is revoked. Missing: unknown. */
  security: z.object({ mintAuthority: text, freezeAuthority: text }).nullish(),
  txns: z.object({ volume24h: number }).nullish(),
  pumpfun: z.object({ isMayhemMode: z.boolean().nullish() }).nullish(),
});
type Pool = z.infer<typeof poolSchema>;

const detailSchema = z.object({
  // The `creation` block is ignored: the examples repeat the same one for every token.
  token: z.object({ mint: z.string(), name: text, symbol: text, uri: text, decimals: number, createdOn: text }),
  pools: z.array(poolSchema),
  risk: z.object({ top10: number, dev: z.object({ percentage: number }).nullish() }).nullish(),
  holders: number,
});
type Detail = z.infer<typeof detailSchema>;

/**
 * Requests that each plan includes a month (docs.solanatracker.io, Subscription Plans). The free plan has had 2,500 and
 * 10,000: the smaller one never runs out.
 */
const requestsPerMonth: Record<SolanaTrackerPlan, number> = {
  free: 2_500,
  starter: 50_000,
  advanced: 200_000,
  pro: 1_000_000,
  premium: 10_000_000,
  business: 25_000_000,
  enterprise: 100_000_000,
};

/** Returns Solana Tracker's data API (data.solanatracker.io) under a plan. It needs a key. */
export function createSolanaTracker(plan: SolanaTrackerPlan): ServiceSpec {
  return { ...solanaTracker, allowance: { perMonth: requestsPerMonth[plan], listings: 1, quotes: 1 } };
}

const solanaTracker: ServiceSpec = {
  name: 'solana-tracker',
  baseUrl: 'https://data.solanatracker.io',
  key: { need: 'required', header: 'x-api-key' },
  // Documented for the free plan.
  limit: () => ({ calls: 1, windowMs: 1_000 }),
  // A retry would cost a request of the month; the next run follows anyway.
  retries: 0,
  async fetchListings(api) {
    return api.items(detailSchema, await api.get('/tokens/latest')).map(toItem);
  },
  quotes: {
    batchSize: 20,
    // One request a run.
    maxPerRun: 20,
    async fetch(api, addresses) {
      const response = api.item(
        z.object({ tokens: z.record(z.string(), z.unknown()) }),
        await api.post('/tokens/multi', { tokens: addresses }),
      );
      const wanted = new Set(addresses);
      return api
        .items(detailSchema, Object.values(response?.tokens ?? {}))
        .filter(({ token }) => wanted.has(token.mint))
        .map(toItem);
    },
  },
};

function toItem(detail: Detail): PolledItem {
  const main = mainPool(detail.pools);
  const at = epochMs(main?.lastUpdated);
  return { kind: 'token', address: detail.token.mint, at, listing: listingOf(detail, main) };
}

/**
 * Returns the unfinished curve, even with a pool beside it; otherwise the pool with the most money, because a coin that left
 * its curve keeps an empty one.
 */
function mainPool(pools: readonly Pool[]): Pool | null {
  const worth = (pool: Pool) => pool.liquidity?.usd ?? 0;
  const unfinished = pools.find((pool) => isCurve(pool) && (pool.curvePercentage ?? 100) < 100 && worth(pool) > 0);
  if (unfinished !== undefined) return unfinished;
  return pools.reduce<Pool | null>((best, pool) => (best === null || worth(pool) > worth(best) ? pool : best), null);
}

const isCurve = (pool: Pool) => pool.curve != null || pool.curvePercentage != null;

function listingOf(detail: Detail, main: Pool | null): Listing {
  const { token, pools, risk } = detail;
  // The creator opens the first pool; the launchpad opens the pool after migration.
  const first = pools.find(isCurve) ?? (main?.market?.startsWith('pumpfun') ? null : main);
  return {
    name: nonBlank(token.name),
    symbol: nonBlank(token.symbol),
    uri: nonBlank(token.uri),
    decimals: token.decimals ?? null,
    creator: nonBlank(first?.deployer),
    createdAt: epochMs(first?.createdAt),
    bondingCurve: nonBlank(pools.find(isCurve)?.curve),
    launchpad: launchpadName(nonBlank(token.createdOn) ?? main?.market),
    holderCount: nonNegative(detail.holders),
    ...(main === null ? {} : poolFigures(main, token.decimals)),
    facts: {
      ...(main === null ? {} : poolFacts(main)),
      metadataFile: nonBlank(token.uri) === null ? null : true,
      topTen: nonNegative(risk?.top10),
      creatorHolds: nonNegative(risk?.dev?.percentage),
    },
  };
}

function poolFigures(pool: Pool, decimals: number | null | undefined): Listing {
  const quote = pool.quoteToken == null ? null : quoteOfMint(pool.quoteToken);
  return {
    totalSupply: baseUnits(pool.tokenSupply, decimals),
    quote,
    stage: isCurve(pool) ? 'curve' : 'pool',
    pool: isCurve(pool) ? null : pool.poolId,
    price: priceOf(pool, quote),
    liquidityLamports: liquidityOf(pool, quote),
    marketCapUsd: nonNegative(pool.marketCap?.usd),
    volumeUsd: nonNegative(pool.txns?.volume24h),
  };
}

function poolFacts(pool: Pool): NonNullable<Listing['facts']> {
  const { security } = pool;
  return {
    mintAuthority: security == null ? null : authority(security.mintAuthority),
    freezeAuthority: security == null ? null : authority(security.freezeAuthority),
    lpLockedPercent: isCurve(pool) ? null : nonNegative(pool.lpBurn),
  };
}

function priceOf({ price }: Pool, quote: QuoteKind | null): NonNullable<Listing['price']> | null {
  if (quote === 'SOL' && price?.quote != null && price.quote > 0) return { amount: price.quote, in: 'SOL' };
  return price?.usd != null && price.usd > 0 ? { amount: price.usd, in: 'USD' } : null;
}

/** Virtual SOL at the start of pump.fun's standard curve, and its product with the virtual tokens (of 6 decimals). */
const CURVE_START_SOL = 30;
const CURVE_PRODUCT = 32_190_000_000;
/** Allowed difference between price and reserves of a standard curve, as a share: they are read at different moments. */
const CURVE_TOLERANCE = 0.01;

/** Returns the real quote side, lamports. The service reports twice the virtual SOL of a curve, and the quote side of a pool. */
function liquidityOf(pool: Pool, quote: QuoteKind | null): number | null {
  const reported = nonNegative(pool.liquidity?.quote);
  if (quote !== 'SOL' || reported === null) return null;
  if (!isCurve(pool)) return Math.round(reported * LAMPORTS_PER_SOL);
  const virtual = reported / 2;
  const price = pool.price?.quote ?? 0;
  // The virtual part is known only for the standard curve.
  const isStandard = Math.abs((virtual * virtual) / CURVE_PRODUCT - price) <= price * CURVE_TOLERANCE;
  if (pool.market !== 'pumpfun' || pool.pumpfun?.isMayhemMode === true || !isStandard) return null;
  return Math.max(0, Math.round((virtual - CURVE_START_SOL) * LAMPORTS_PER_SOL));
}
