import { z } from 'zod';
import { launchpadName } from '../polled/launchpad-names.ts';
import { authority, epochMs, mintSchema, nonBlank, nonNegative } from '../polled/payload-values.ts';
import { nullIfUnknown, RequestError } from '../polled/request-error.ts';
import type { PolledItem, ServiceApi, ServiceSpec } from '../polled/service-spec.ts';

/** Launchpads whose newest coins are listed, by Solscan's names. */
const PLATFORMS = ['pumpfun', 'letsbonkfun_launchpad', 'raydium_launchlab', 'meteora'] as const;
/** One of the page sizes that Solscan supports. */
const PAGE = 40;

const responseSchema = z.object({ success: z.literal(true), data: z.unknown() });
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
  // Null means revoked, missing means unknown.
  mint_authority: z.string().nullable().optional(),
  freeze_authority: z.string().nullable().optional(),
  price: z.number().nullish(),
  market_cap: z.number().nullish(),
  volume_24h: z.number().nullish(),
});

/** Solscan Pro API v2; needs the key of a paid plan. */
export const solscan: ServiceSpec = {
  name: 'solscan',
  baseUrl: 'https://pro-api.solscan.io/v2.0',
  key: { need: 'required', header: 'token' },
  limit: () => ({ calls: 1_000, windowMs: 60_000 }),
  async fetchListings(api) {
    const items: PolledItem[] = [];
    for (const platform of PLATFORMS) {
      try {
        items.push(...(await fetchLatest(api, platform)));
      } catch (error) {
        // Paid responses are kept. The client counts the failure for System Status.
        if (items.length > 0 && error instanceof RequestError) return items;
        throw error;
      }
    }
    return items;
  },
  // A call costs 100 of the smallest plan's 20 million units a month: with 4 calls for listings and 15 here, a run every five
  // minutes costs 16.4 million.
  quotes: { batchSize: 1, maxPerRun: 15, fetch: fetchMeta },
};

async function fetchLatest(api: ServiceApi, platform: string): Promise<PolledItem[]> {
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

async function fetchMeta(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const items: PolledItem[] = [];
  for (const address of addresses) {
    const found = data(api, await nullIfUnknown(api.get('/token/meta', { address })));
    const token = found === null ? null : api.item(metaSchema, found);
    if (token?.address === address) items.push(toItem(token));
  }
  return items;
}

/** Returns the content of the envelope; null without one. */
function data(api: ServiceApi, response: unknown): unknown {
  return response === null ? null : (api.item(responseSchema, response)?.data ?? null);
}

function identity(row: z.output<typeof rowSchema>) {
  return {
    name: nonBlank(row.name),
    symbol: nonBlank(row.symbol),
    decimals: row.decimals ?? null,
    creator: row.creator ?? null,
    createdAt: epochMs(row.created_time),
  };
}

function toItem(token: z.output<typeof metaSchema>): PolledItem {
  const price = nonNegative(token.price);
  const uri = nonBlank(token.metadata_uri);
  return {
    kind: 'token',
    address: token.address,
    listing: {
      ...identity(token),
      uri,
      totalSupply: token.supply ?? null,
      price: price === null || price === 0 ? null : { amount: price, in: 'USD' },
      marketCapUsd: nonNegative(token.market_cap),
      volumeUsd: nonNegative(token.volume_24h),
      holderCount: token.holder ?? null,
      facts: {
        mintAuthority: authority(token.mint_authority),
        freezeAuthority: authority(token.freeze_authority),
        // A missing file is not proof that there is none.
        metadataFile: uri === null ? null : true,
      },
    },
  };
}
