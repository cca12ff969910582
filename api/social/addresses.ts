import bs58 from 'bs58';
import { pumpProgram, pumpSwapProgram, quoteMints } from '../market/sources/solana/programs.ts';

/** Base58 of 32 bytes, alone: neither the middle of a signature nor of a word. */
const CANDIDATE = /(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![0-9A-Za-z])/g;
const ADDRESS_BYTES = 32;

/** Pages whose address holds the mint as it is. Others write it in lower case, or write that of a pool. */
const MINT_PAGES: ReadonlySet<string> = new Set(['pump.fun', 'www.pump.fun', 'solscan.io', 'birdeye.so', 'jup.ag']);

/** Named often, and never the new coin that a post is about. */
const NO_COINS: ReadonlySet<string> = new Set([...quoteMints, pumpProgram, pumpSwapProgram]);

/**
 * Addresses that a post names, each once, in order. Whether one is a mint, only the chain knows: a wallet looks the same.
 * `links` are the pages that the shortened links of the post lead to.
 */
export function mintAddresses(text: string, links: readonly string[] = []): string[] {
  const texts = [text, ...links.filter(isMintPage)];
  const candidates = texts.flatMap((one) => one.match(CANDIDATE) ?? []);
  return [...new Set(candidates)].filter((candidate) => !NO_COINS.has(candidate) && isAddress(candidate));
}

function isMintPage(link: string): boolean {
  return URL.canParse(link) && MINT_PAGES.has(new URL(link).hostname);
}

function isAddress(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === ADDRESS_BYTES;
}
