import { z } from 'zod';
import { authority, mintSchema, nonBlank } from '../polled/payload-values.ts';
import { nullIfUnknown } from '../polled/request-error.ts';
import type { PolledItem, ServiceApi, ServiceSpec } from '../polled/service-spec.ts';

const responseSchema = z.record(z.string(), z.unknown());
const tokenSchema = z.object({
  mint: mintSchema,
  decimals: z.int().min(0).max(18).nullish(),
  // Null means revoked, missing means unknown.
  mintAuthority: z.string().nullable().optional(),
  freezeAuthority: z.string().nullable().optional(),
  tokenList: z.object({ name: z.string().nullish(), symbol: z.string().nullish() }).nullish(),
  tokenMetadata: z
    .object({
      onChainInfo: z
        .object({
          name: z.string().nullish(),
          symbol: z.string().nullish(),
          uri: z.string().max(2_048).nullish(),
          isMutable: z.boolean().nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** SolanaFM: content of mint and metadata accounts. It is unconfirmed whether the service still runs. */
export const solanafm: ServiceSpec = {
  name: 'solanafm',
  baseUrl: 'https://api.solana.fm',
  key: { need: 'optional', header: 'ApiKey' },
  // Limit of the free plan; others are not documented.
  limit: () => ({ calls: 10, windowMs: 1_000 }),
  quotes: { batchSize: 50, maxPerRun: 200, fetch: fetchTokens },
};

async function fetchTokens(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const response = await nullIfUnknown(api.post('/v1/tokens', { tokens: addresses }));
  const found = response === null ? null : api.item(responseSchema, response);
  if (found === null) return [];
  return addresses.flatMap((address): PolledItem[] => {
    // Own keys only: the record comes from outside.
    if (!Object.hasOwn(found, address) || found[address] === null) return [];
    const token = api.item(tokenSchema, found[address]);
    return token?.mint === address ? [toItem(token)] : [];
  });
}

function toItem({ mint, tokenList, tokenMetadata, ...token }: z.output<typeof tokenSchema>): PolledItem {
  const account = tokenMetadata?.onChainInfo;
  return {
    kind: 'token',
    address: mint,
    listing: {
      name: nonBlank(account?.name) ?? nonBlank(tokenList?.name),
      symbol: nonBlank(account?.symbol) ?? nonBlank(tokenList?.symbol),
      uri: nonBlank(account?.uri),
      decimals: token.decimals ?? null,
      facts: {
        mintAuthority: authority(token.mintAuthority),
        freezeAuthority: authority(token.freezeAuthority),
        metadataMutable: account?.isMutable ?? null,
        metadataFile: account?.uri == null ? null : nonBlank(account.uri) !== null,
      },
    },
  };
}
