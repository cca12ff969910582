import { z } from 'zod';
import { LAMPORTS_PER_SOL } from '../../../../common/tokens/units.ts';
import type { Listing, QuoteKind } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { amount, baseUnits, epochMs, said } from '../polled/payload-values.ts';
import type { ServiceSpec, PolledItem } from '../polled/service-spec.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const number = z.number().nullish();
const text = z.string().nullish();
const pair = z.object({ quote: number, usd: number }).nullish();

const poolSchema = z.object({
  poolId: z.string(),
  liquidity: pair,
  price: pair,
  tokenSupply: number,
  /** Percent; on a curve it says 100 and only means that there is no LP. */
  lpBurn: number,
  marketCap: pair,
  market: text,
  quoteToken: text,
  curve: text,
  curvePercentage: number,
  deployer: text,
  createdAt: number,
  lastUpdated: number,
  /** A key with null in it: nobody holds the authority. No key: it does not say. */
  security: z.object({ mintAuthority: text, freezeAuthority: text }).nullish(),
  txns: z.object({ volume24h: number }).nullish(),
  pumpfun: z.object({ isMayhemMode: z.boolean().nullish() }).nullish(),
});
type Pool = z.infer<typeof poolSchema>;

const detailSchema = z.object({
  // Its `creation` block is left alone: the examples repeat one and the same for every token.
  token: z.object({ mint: z.string(), name: text, symbol: text, uri: text, decimals: number, createdOn: text }),
  pools: z.array(poolSchema),
  risk: z.object({ top10: number, dev: z.object({ percentage: number }).nullish() }).nullish(),
  holders: number,
});
type Detail = z.infer<typeof detailSchema>;

/** Solana Tracker's data API (data.solanatracker.io). Limit as documented for the free plan: one call a second; a key is needed. */
export const solanaTracker: ServiceSpec = {
  name: 'solana-tracker',
  baseUrl: 'https://data.solanatracker.io',
  key: { need: 'required', header: 'x-api-key' },
  limit: () => ({ calls: 1, windowMs: 1_000 }),
  async fetchListings(api) {
    return api.items(detailSchema, await api.get('/tokens/latest')).map((detail) => tokenTold(detail));
  },
  quotes: {
    batchSize: 20,
    // Plans count calls by the month: one a run is what the smallest of them bears.
    maxPerRun: 20,
    async fetch(api, addresses) {
      const answer = api.item(
        z.object({ tokens: z.record(z.string(), z.unknown()) }),
        await api.post('/tokens/multi', { tokens: addresses }),
      );
      const wanted = new Set(addresses);
      return api
        .items(detailSchema, Object.values(answer?.tokens ?? {}))
        .filter(({ token }) => wanted.has(token.mint))
        .map((detail) => tokenTold(detail));
    },
  },
};

function tokenTold(detail: Detail): PolledItem {
  const main = mainPool(detail.pools);
  const at = epochMs(main?.lastUpdated);
  return { kind: 'token', address: detail.token.mint, at, listing: listingOf(detail, main) };
}

/**
 * The curve while the coin is on it, whatever pool somebody opens beside it; then where most of the money is: a coin that
 * left its curve has an empty one still.
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
  // Who opened the first pool made the coin; the pool it moved to is opened by the launchpad.
  const first = pools.find(isCurve) ?? (main?.market?.startsWith('pumpfun') ? null : main);
  return {
    name: said(token.name),
    symbol: said(token.symbol),
    uri: said(token.uri),
    decimals: token.decimals ?? null,
    creator: said(first?.deployer),
    createdAt: epochMs(first?.createdAt),
    bondingCurve: said(pools.find(isCurve)?.curve),
    launchpad: launchpadName(said(token.createdOn) ?? main?.market),
    holderCount: amount(detail.holders),
    ...(main === null ? {} : poolFigures(main, token.decimals)),
    facts: {
      ...(main === null ? {} : poolFacts(main)),
      metadataFile: said(token.uri) === null ? null : true,
      topTen: amount(risk?.top10),
      creatorHolds: amount(risk?.dev?.percentage),
    },
  };
}

function poolFigures(pool: Pool, decimals: number | null | undefined): Listing {
  const quote = quoteOf(pool);
  return {
    totalSupply: baseUnits(pool.tokenSupply, decimals),
    quote,
    stage: isCurve(pool) ? 'curve' : 'pool',
    pool: isCurve(pool) ? null : pool.poolId,
    price: priceOf(pool, quote),
    liquidityLamports: liquidityOf(pool, quote),
    marketCapUsd: amount(pool.marketCap?.usd),
    volumeUsd: amount(pool.txns?.volume24h),
  };
}

function poolFacts(pool: Pool): NonNullable<Listing['facts']> {
  const { security } = pool;
  return {
    mintAuthority: security == null ? null : authority(security.mintAuthority),
    freezeAuthority: security == null ? null : authority(security.freezeAuthority),
    lpLockedPercent: isCurve(pool) ? null : amount(pool.lpBurn),
  };
}

function authority(holder: string | null | undefined): 'live' | 'revoked' | null {
  if (holder === undefined) return null;
  return holder === null ? 'revoked' : 'live';
}

function quoteOf({ quoteToken }: Pool): QuoteKind | null {
  if (quoteToken == null) return null;
  if (quoteToken === SOL) return 'SOL';
  return quoteToken === USDC ? 'USDC' : 'other';
}

function priceOf({ price }: Pool, quote: QuoteKind | null): NonNullable<Listing['price']> | null {
  if (quote === 'SOL' && price?.quote != null && price.quote > 0) return { amount: price.quote, in: 'SOL' };
  return price?.usd != null && price.usd > 0 ? { amount: price.usd, in: 'USD' } : null;
}

/** pump.fun's standard curve: SOL and tokens (of 6 decimals) that it starts with, without which nothing is really in it. */
const CURVE_START_SOL = 30;
const CURVE_PRODUCT = 32_190_000_000;
/** Share by which price and reserves of a standard curve may differ: they are read at different moments. */
const CURVE_TOLERANCE = 0.01;

/** The real quote side, lamports. Of a curve the service tells twice the virtual SOL; of a pool its quote side. */
function liquidityOf(pool: Pool, quote: QuoteKind | null): number | null {
  const told = amount(pool.liquidity?.quote);
  if (quote !== 'SOL' || told === null) return null;
  if (!isCurve(pool)) return Math.round(told * LAMPORTS_PER_SOL);
  const virtual = told / 2;
  const price = pool.price?.quote ?? 0;
  // Only of the standard curve it is known how much of it is virtual.
  const isStandard = Math.abs((virtual * virtual) / CURVE_PRODUCT - price) <= price * CURVE_TOLERANCE;
  if (pool.market !== 'pumpfun' || pool.pumpfun?.isMayhemMode === true || !isStandard) return null;
  return Math.max(0, Math.round((virtual - CURVE_START_SOL) * LAMPORTS_PER_SOL));
}
