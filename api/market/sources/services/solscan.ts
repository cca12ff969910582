import { z } from 'zod';
import { launchpadName } from '../polled/launchpad-names.ts';
import { authority, mintSchema } from '../polled/mint.ts';
import { nullIfUnknown } from '../polled/or-unknown.ts';
import { amount, epochMs, said } from '../polled/payload-values.ts';
import { RequestError } from '../polled/request-error.ts';
import type { ServiceApi, ServiceSpec, PolledItem } from '../polled/service-spec.ts';

/** Launchpads whose newest coins are asked for, as Solscan calls them. */
const PLATFORMS = ['pumpfun', 'letsbonkfun_launchpad', 'raydium_launchlab', 'meteora'] as const;
/** One of the sizes of a page that it knows. */
const PAGE = 40;

const answerSchema = z.object({ success: z.literal(true), data: z.unknown() });
const rowSchema = z.object({
  address: mintSchema,
  name: z.string().nullish(),
  symbol: z.string().nullish(),
  decimals: z.int().min(0).max(18).nullish(),
  creator: mintSchema.nullish(),
  created_time: z.number().nullish(),
});
const metaSchema = rowSchema.extend({
  /** Base units. */
  supply: z.union([z.string().regex(/^\d{1,40}$/), z.int().nonnegative().transform(String)]).nullish(),
  holder: z.int().nonnegative().nullish(),
  metadata_uri: z.string().max(2_048).nullish(),
  // Null is an answer: nobody has it any more.
  mint_authority: z.string().nullable().optional(),
  freeze_authority: z.string().nullable().optional(),
  price: z.number().nullish(),
  market_cap: z.number().nullish(),
  volume_24h: z.number().nullish(),
});

/** Solscan Pro API v2, which needs a key of a paid plan. */
export const solscan: ServiceSpec = {
  name: 'solscan',
  baseUrl: 'https://pro-api.solscan.io/v2.0',
  key: { need: 'required', header: 'token' },
  limit: () => ({ calls: 1_000, windowMs: 60_000 }),
  async fetchListings(api) {
    const told: PolledItem[] = [];
    for (const platform of PLATFORMS) {
      try {
        told.push(...(await latest(api, platform)));
      } catch (error) {
        // What was paid for is told all the same. The client has counted the failure, and System Status shows it.
        if (told.length > 0 && error instanceof RequestError) return told;
        throw error;
      }
    }
    return told;
  },
  // A call costs 100 units of the 20 million that the smallest plan has in a month: with 4 for listings and 15 here, a run
  // every five minutes takes 16.4 million.
  quotes: { batchSize: 1, maxPerRun: 15, fetch: meta },
};

async function latest(api: ServiceApi, platform: string): Promise<PolledItem[]> {
  const query = { platform_id: platform, page: 1, page_size: PAGE };
  const rows = data(api, await nullIfUnknown(api.get('/token/latest', query)));
  if (rows === null) return [];
  const launchpad = launchpadName(platform);
  return api.items(rowSchema, rows).map((row) => ({
    kind: 'token',
    address: row.address,
    listing: { ...identity(row), launchpad },
  }));
}

async function meta(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const told: PolledItem[] = [];
  for (const address of addresses) {
    const found = data(api, await nullIfUnknown(api.get('/token/meta', { address })));
    const token = found === null ? null : api.item(metaSchema, found);
    if (token?.address === address) told.push(tokenOf(token));
  }
  return told;
}

/** What the envelope holds; null when there is none. */
function data(api: ServiceApi, answer: unknown): unknown {
  return answer === null ? null : (api.item(answerSchema, answer)?.data ?? null);
}

function identity(row: z.output<typeof rowSchema>) {
  return {
    name: said(row.name),
    symbol: said(row.symbol),
    decimals: row.decimals ?? null,
    creator: row.creator ?? null,
    createdAt: epochMs(row.created_time),
  };
}

function tokenOf(token: z.output<typeof metaSchema>): PolledItem {
  const price = amount(token.price);
  const uri = said(token.metadata_uri);
  return {
    kind: 'token',
    address: token.address,
    listing: {
      ...identity(token),
      uri,
      totalSupply: token.supply ?? null,
      price: price === null || price === 0 ? null : { amount: price, in: 'USD' },
      marketCapUsd: amount(token.market_cap),
      volumeUsd: amount(token.volume_24h),
      holderCount: token.holder ?? null,
      facts: {
        mintAuthority: authority(token.mint_authority),
        freezeAuthority: authority(token.freeze_authority),
        // That it shows no file yet does not mean that there is none.
        metadataFile: uri === null ? null : true,
      },
    },
  };
}
