import bs58 from 'bs58';
import { pumpProgram, pumpSwapProgram, quoteMints } from '../market/sources/solana/programs.ts';

/** Base58 of 32 bytes, not within a signature or a word. */
const CANDIDATE = /(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![0-9A-Za-z])/g;
const ADDRESS_BYTES = 32;

/** Sites whose URLs contain the mint unchanged. Others have it in lower case, or the address of a pool. */
const MINT_PAGES: ReadonlySet<string> = new Set(['pump.fun', 'www.pump.fun', 'solscan.io', 'birdeye.so', 'jup.ag']);

/** Frequent addresses that are never a new coin. */
const KNOWN_ADDRESSES: ReadonlySet<string> = new Set([...quoteMints, pumpProgram, pumpSwapProgram]);

/**
 * Returns the addresses in a post, each once, in order. An address may be a mint or a wallet; the two look
 * alike. `links`: targets of the post's shortened links.
 */
export function mintAddresses(text: string, links: readonly string[] = []): string[] {
  const texts = [text, ...links.filter(isMintPage)];
  const candidates = texts.flatMap((one) => one.match(CANDIDATE) ?? []);
  return [...new Set(candidates)].filter((candidate) => !KNOWN_ADDRESSES.has(candidate) && isAddress(candidate));
}

function isMintPage(link: string): boolean {
  return URL.canParse(link) && MINT_PAGES.has(new URL(link).hostname);
}

function isAddress(text: string): boolean {
  return bs58.decodeUnsafe(text)?.length === ADDRESS_BYTES;
}
