import { z } from 'zod';
import { mintSchema } from '../polled/payload-values.ts';
import type { ServiceSpec } from '../polled/service-spec.ts';

const MAINNET = 101;
const listSchema = z.object({ tokens: z.unknown() });
const tokenSchema = z.object({
  chainId: z.int(),
  address: mintSchema,
  symbol: z.string().trim().min(1).max(64),
  extensions: z.object({ coingeckoId: z.string().nullish() }).nullish(),
});

/**
 * The Solana token list, frozen in 2022. It provides no tokens, only the symbols of well-known coins: those with a page at
 * CoinGecko, as the list itself was open to all. Downloaded once, as it never changes.
 */
export function createTokenList(): ServiceSpec {
  let downloaded = false;
  return {
    name: 'token-list',
    baseUrl: 'https://raw.githubusercontent.com/solana-labs/token-list/main/src/tokens',
    key: { need: 'none' },
    limit: () => ({ calls: 1, windowMs: 60_000 }),
    maxBytes: 8 * 1_024 * 1_024,
    // The file has 2.4 MB.
    timeoutMs: 30_000,
    // GitHub serves it as plain text.
    contentType: /^(text\/plain|application\/json)\b/i,
    async fetchListings(api) {
      if (downloaded) return [];
      const list = api.item(listSchema, await api.get('/solana.tokenlist.json'));
      const symbols = symbolsOf(list === null ? [] : api.items(tokenSchema, list.tokens));
      if (symbols.size === 0) return [];
      downloaded = true;
      return [{ kind: 'symbols', symbols }];
    },
  };
}

function symbolsOf(tokens: readonly z.output<typeof tokenSchema>[]): Map<string, string[]> {
  const symbols = new Map<string, string[]>();
  for (const { chainId, address, symbol, extensions } of tokens) {
    if (chainId !== MAINNET || !extensions?.coingeckoId) continue;
    const key = symbol.toUpperCase();
    symbols.set(key, [...(symbols.get(key) ?? []), address]);
  }
  return symbols;
}
