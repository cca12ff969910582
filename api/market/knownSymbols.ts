/** Symbols that everybody knows, and the mints they belong to: a new coin with one of them borrows a name. */
export const knownSymbols: ReadonlyMap<string, string> = new Map([
  ['SOL', 'So11111111111111111111111111111111111111112'],
  ['WSOL', 'So11111111111111111111111111111111111111112'],
  ['USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  ['USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'],
  ['BONK', 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'],
  ['JUP', 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
]);
