import { z } from 'zod';
import { authority, mintSchema } from '../polled/mint.ts';
import { nullIfUnknown } from '../polled/or-unknown.ts';
import { said } from '../polled/payload-values.ts';
import type { ServiceApi, ServiceSpec, PolledItem } from '../polled/service-spec.ts';

const answerSchema = z.record(z.string(), z.unknown());
const tokenSchema = z.object({
  mint: mintSchema,
  decimals: z.int().min(0).max(18).nullish(),
  // Null is an answer: nobody has it any more.
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

/** SolanaFM: what mint and metadata accounts hold. Nobody has confirmed of late that the service still runs. */
export const solanafm: ServiceSpec = {
  name: 'solanafm',
  baseUrl: 'https://api.solana.fm',
  key: { need: 'optional', header: 'ApiKey' },
  // The free plan's; nothing is documented of more.
  limit: () => ({ calls: 10, windowMs: 1_000 }),
  quotes: { batchSize: 50, maxPerRun: 200, fetch: tokens },
};

async function tokens(api: ServiceApi, addresses: readonly string[]): Promise<PolledItem[]> {
  const answer = await nullIfUnknown(api.post('/v1/tokens', { tokens: addresses }));
  const found = answer === null ? null : api.item(answerSchema, answer);
  if (found === null) return [];
  return addresses.flatMap((address): PolledItem[] => {
    // Own keys only: an address is never one of those that every object has.
    if (!Object.hasOwn(found, address) || found[address] === null) return [];
    const token = api.item(tokenSchema, found[address]);
    return token?.mint === address ? [tokenOf(token)] : [];
  });
}

function tokenOf({ mint, tokenList, tokenMetadata, ...token }: z.output<typeof tokenSchema>): PolledItem {
  const account = tokenMetadata?.onChainInfo;
  return {
    kind: 'token',
    address: mint,
    listing: {
      name: said(account?.name) ?? said(tokenList?.name),
      symbol: said(account?.symbol) ?? said(tokenList?.symbol),
      uri: said(account?.uri),
      decimals: token.decimals ?? null,
      facts: {
        mintAuthority: authority(token.mintAuthority),
        freezeAuthority: authority(token.freezeAuthority),
        metadataMutable: account?.isMutable ?? null,
        metadataFile: account?.uri == null ? null : said(account.uri) !== null,
      },
    },
  };
}
