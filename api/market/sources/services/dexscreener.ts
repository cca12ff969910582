import { z } from 'zod';
import { solToLamports } from '../../../../common/tokens/units.ts';
import type { Listing, QuoteKind } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { epochMs, mintSchema, nonBlank, nonNegative } from '../polled/payload-values.ts';
import type { PolledItem, ServiceApi, ServiceSpec } from '../polled/service-spec.ts';
import { quoteMints, quoteOfMint } from '../solana/programs.ts';

const CHAIN = 'solana';
/** Most addresses of one request. */
const BATCH = 30;
/** Exchanges that are a launchpad's curve; all others are pools. */
const CURVES: ReadonlySet<string> = new Set([
  'pumpfun',
  'launchlab',
  'moonshot',
  'moonit',
  'meteoradbc',
  'boop',
  'bonkfun',
]);

const profileSchema = z.object({ chainId: z.string(), tokenAddress: z.string() });
/** Prices are strings, to keep their digits. */
const numeric = z.union([z.string().regex(/^\d{1,30}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i), z.number()]).transform(Number);
const pairSchema = z.object({
  chainId: z.string(),
  dexId: z.string(),
  pairAddress: z.string().max(64),
  baseToken: z.object({ address: mintSchema, name: z.string().nullish(), symbol: z.string().nullish() }),
  quoteToken: z.object({ address: z.string().max(64) }),
  priceNative: numeric.nullish(),
  priceUsd: numeric.nullish(),
  volume: z.object({ h24: z.number().nullish() }).nullish(),
  liquidity: z.object({ quote: z.number().nullish() }).nullish(),
  marketCap: z.number().nullish(),
  pairCreatedAt: z.number().nullish(),
});
type Pair = z.output<typeof pairSchema>;

/** DexScreener: coins with a paid profile, and figures of all coins that trade. */
export const dexscreener: ServiceSpec = {
  name: 'dexscreener',
  baseUrl: 'https://api.dexscreener.com',
  key: { need: 'none' },
  // Profiles allow 60 a minute and tokens 300; the smaller limit covers both.
  limit: () => ({ calls: 60, windowMs: 60_000 }),
  async fetchListings(api) {
    const profiles = api.items(profileSchema, await api.get('/token-profiles/latest/v1'));
    // The list covers all chains and may repeat a token.
    const onSolana = profiles.filter(({ chainId, tokenAddress }) => chainId === CHAIN && isCoin(tokenAddress));
    const addresses = [...new Set(onSolana.map(({ tokenAddress }) => tokenAddress))];
    // Profiles are sold at any age; only the pairs have the creation time.
    return addresses.length === 0 ? [] : await fetchTokens(api, addresses.slice(0, BATCH));
  },
  quotes: { batchSize: BATCH, maxPerRun: 10 * BATCH, fetch: fetchTokens },
};

function isCoin(address: string): boolean {
  return mintSchema.safeParse(address).success && !quoteMints.has(address);
}

async function fetchTokens(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const pairs = api.items(pairSchema, await api.get(`/tokens/v1/${CHAIN}/${addresses.join(',')}`));
  return addresses.flatMap((address): PolledItem[] => {
    // Pairs with the token as quote do not price it.
    const own = pairs.filter(({ chainId, baseToken }) => chainId === CHAIN && baseToken.address === address);
    const main = mainPair(own);
    return main === null ? [] : [{ kind: 'token', address, listing: listingOf(main, own) }];
  });
}

/**
 * Returns the pair whose figures represent the token: quoted in SOL if possible, then the highest volume. Liquidity does not
 * decide: its owner can inflate it with a position far from the price.
 */
function mainPair(pairs: readonly Pair[]): Pair | null {
  const rank = (pair: Pair) => (quoteOf(pair) === 'SOL' ? 1 : 0);
  const traded = (pair: Pair) => nonNegative(pair.volume?.h24) ?? 0;
  return pairs.toSorted((a, b) => rank(b) - rank(a) || traded(b) - traded(a))[0] ?? null;
}

function listingOf(main: Pair, all: readonly Pair[]): Listing {
  const curve = all.find(({ dexId }) => CURVES.has(dexId));
  const quote = quoteOf(main);
  // Owners of two coins can fake the volume between them.
  const paid = all.filter((pair) => pair === main || quoteOf(pair) !== 'other');
  const volumes = paid.flatMap(({ volume }) => nonNegative(volume?.h24) ?? []);
  const createdAt = all.flatMap(({ pairCreatedAt }) => epochMs(pairCreatedAt) ?? []);
  return {
    name: nonBlank(main.baseToken.name),
    symbol: nonBlank(main.baseToken.symbol),
    createdAt: createdAt.length === 0 ? null : Math.min(...createdAt),
    launchpad: curve === undefined ? null : launchpadName(curve.dexId),
    quote,
    stage: stageOf(all),
    pool: CURVES.has(main.dexId) ? null : nonBlank(main.pairAddress),
    price: priceOf(main, quote),
    liquidityLamports: quote === 'SOL' ? lamports(main.liquidity?.quote) : null,
    marketCapUsd: nonNegative(main.marketCap),
    volumeUsd: volumes.length === 0 ? null : volumes.reduce((sum, volume) => sum + volume, 0),
  };
}

/** Returns null with both a curve and a pool: anyone can open a pool for a coin that is still on its curve. */
function stageOf(pairs: readonly Pair[]): 'curve' | 'pool' | null {
  const curves = pairs.filter(({ dexId }) => CURVES.has(dexId)).length;
  if (curves === 0) return 'pool';
  return curves === pairs.length ? 'curve' : null;
}

function quoteOf({ quoteToken }: Pair): QuoteKind {
  return quoteOfMint(quoteToken.address);
}

function priceOf({ priceNative, priceUsd }: Pair, quote: QuoteKind): NonNullable<Listing['price']> | null {
  if (quote === 'SOL' && isPositive(priceNative)) return { amount: priceNative, in: 'SOL' };
  return isPositive(priceUsd) ? { amount: priceUsd, in: 'USD' } : null;
}

function isPositive(value: number | null | undefined): value is number {
  return (nonNegative(value) ?? 0) > 0;
}

function lamports(sol: number | null | undefined): number | null {
  const known = nonNegative(sol);
  const whole = known === null ? null : solToLamports(known);
  return Number.isSafeInteger(whole) ? whole : null;
}
