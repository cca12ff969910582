/** Symbols that everybody knows, and the mints they belong to. */
const builtIn: readonly (readonly [string, string])[] = [
  ['SOL', 'So11111111111111111111111111111111111111112'],
  ['WSOL', 'So11111111111111111111111111111111111111112'],
  ['USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  ['BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'],
  ['JUP', 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
];

/** Symbols taken from sources: far more than the one list that there is has. */
const MAX_ADDED = 20_000;

/** Symbols of known coins: a new coin with one of them borrows a name. Symbols are in capitals. */
export class KnownSymbols {
  readonly #mints = new Map<string, readonly string[]>(builtIn.map(([symbol, mint]) => [symbol, [mint]]));

  /** Several coins may share a symbol: then each of them has a right to it. What is built in stays as it is. */
  add(symbols: ReadonlyMap<string, readonly string[]>): void {
    const own = new Set(builtIn.map(([symbol]) => symbol));
    for (const [symbol, mints] of symbols) {
      if (own.has(symbol) || mints.length === 0) continue;
      if (this.#mints.size >= builtIn.length + MAX_ADDED && !this.#mints.has(symbol)) continue;
      this.#mints.set(symbol, mints);
    }
  }

  /** Mint of the known coin whose symbol a coin has taken; null when it is nobody's, or the coin's own. */
  borrowedFrom(symbol: string, address: string): string | null {
    const mints = this.#mints.get(symbol);
    return mints === undefined || mints.includes(address) ? null : (mints[0] ?? null);
  }
}
