import { z } from 'zod';
import { solToLamports } from '../../../../common/tokens/units.ts';
import type { Listing, QuoteKind } from '../observation.ts';
import { launchpadName } from '../polled/launchpad-names.ts';
import { mintSchema } from '../polled/mint.ts';
import { amount, epochMs, said } from '../polled/payload-values.ts';
import type { ServiceApi, ServiceSpec, PolledItem } from '../polled/service-spec.ts';
import { quoteMints, usdc, wrappedSol } from '../solana/programs.ts';

const CHAIN = 'solana';
/** Addresses that one call takes. */
const BATCH = 30;
/** Trading places that are a launchpad's curve; all others are pools. */
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
/** Prices are texts, so that they keep their digits. */
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

/** DexScreener: coins whose owners paid for a profile, and figures of all that trade. */
export const dexscreener: ServiceSpec = {
  name: 'dexscreener',
  baseUrl: 'https://api.dexscreener.com',
  key: { need: 'none' },
  // 60 in a minute for profiles and 300 for tokens; the smaller one holds for both together.
  limit: () => ({ calls: 60, windowMs: 60_000 }),
  async fetchListings(api) {
    const profiles = api.items(profileSchema, await api.get('/token-profiles/latest/v1'));
    // Profiles of all chains come in one list, and the same token may come twice.
    const ours = profiles.filter(({ chainId, tokenAddress }) => chainId === CHAIN && isCoin(tokenAddress));
    const addresses = [...new Set(ours.map(({ tokenAddress }) => tokenAddress))];
    // A profile is bought at any age: when the coin began only its pairs tell.
    return addresses.length === 0 ? [] : await tokens(api, addresses.slice(0, BATCH));
  },
  quotes: { batchSize: BATCH, maxPerRun: 10 * BATCH, fetch: tokens },
};

function isCoin(address: string): boolean {
  return mintSchema.safeParse(address).success && !quoteMints.has(address);
}

async function tokens(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const pairs = api.items(pairSchema, await api.get(`/tokens/v1/${CHAIN}/${addresses.join(',')}`));
  return addresses.flatMap((address): PolledItem[] => {
    // Pairs in which the token is what others are paid with say nothing about it.
    const own = pairs.filter(({ chainId, baseToken }) => chainId === CHAIN && baseToken.address === address);
    const main = mainPair(own);
    return main === null ? [] : [{ kind: 'token', address, listing: listingOf(main, own) }];
  });
}

/**
 * The pair whose figures stand for the token: one that is paid for in SOL where there is one, and the most traded. Not the one
 * with the most liquidity: a position far from the price makes that whatever its owner likes.
 */
function mainPair(pairs: readonly Pair[]): Pair | null {
  const rank = (pair: Pair) => (quoteOf(pair) === 'SOL' ? 1 : 0);
  const traded = (pair: Pair) => amount(pair.volume?.h24) ?? 0;
  return pairs.toSorted((a, b) => rank(b) - rank(a) || traded(b) - traded(a))[0] ?? null;
}

function listingOf(main: Pair, all: readonly Pair[]): Listing {
  const curve = all.find(({ dexId }) => CURVES.has(dexId));
  const quote = quoteOf(main);
  // What is paid for in some other coin is worth whatever the two coins' owners say.
  const paid = all.filter((pair) => pair === main || quoteOf(pair) !== 'other');
  const volumes = paid.flatMap(({ volume }) => amount(volume?.h24) ?? []);
  const began = all.flatMap(({ pairCreatedAt }) => epochMs(pairCreatedAt) ?? []);
  return {
    name: said(main.baseToken.name),
    symbol: said(main.baseToken.symbol),
    createdAt: began.length === 0 ? null : Math.min(...began),
    launchpad: curve === undefined ? null : launchpadName(curve.dexId),
    quote,
    stage: stageOf(all),
    pool: CURVES.has(main.dexId) ? null : said(main.pairAddress),
    price: priceOf(main, quote),
    liquidityLamports: quote === 'SOL' ? lamports(main.liquidity?.quote) : null,
    marketCapUsd: amount(main.marketCap),
    volumeUsd: volumes.length === 0 ? null : volumes.reduce((sum, volume) => sum + volume, 0),
  };
}

/** With both a curve and a pool it may be on either: anybody can open a pool for a coin that is still on its curve. */
function stageOf(pairs: readonly Pair[]): 'curve' | 'pool' | null {
  const curves = pairs.filter(({ dexId }) => CURVES.has(dexId)).length;
  if (curves === 0) return 'pool';
  return curves === pairs.length ? 'curve' : null;
}

function quoteOf({ quoteToken }: Pair): QuoteKind {
  if (quoteToken.address === wrappedSol) return 'SOL';
  return quoteToken.address === usdc ? 'USDC' : 'other';
}

function priceOf({ priceNative, priceUsd }: Pair, quote: QuoteKind): NonNullable<Listing['price']> | null {
  if (quote === 'SOL' && positive(priceNative)) return { amount: priceNative, in: 'SOL' };
  return positive(priceUsd) ? { amount: priceUsd, in: 'USD' } : null;
}

function positive(value: number | null | undefined): value is number {
  return (amount(value) ?? 0) > 0;
}

function lamports(sol: number | null | undefined): number | null {
  const known = amount(sol);
  const whole = known === null ? null : solToLamports(known);
  return Number.isSafeInteger(whole) ? whole : null;
}
