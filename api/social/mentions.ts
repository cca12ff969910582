import bs58 from 'bs58';
import { pumpProgram, pumpSwapProgram, quoteMints } from '../market/sources/solana/programs.ts';

/** Base58 of 32 bytes, not within a signature or a word. */
const CANDIDATE = /(?<![0-9A-Za-z])[1-9A-HJ-NP-Za-km-z]{32,44}(?![0-9A-Za-z])/g;
const ADDRESS_BYTES = 32;

/** Sites whose URLs contain the mint unchanged. Others have it in lower case, or the address of a pool. */
const MINT_PAGES: ReadonlySet<string> = new Set(['pump.fun', 'www.pump.fun', 'solscan.io', 'birdeye.so', 'jup.ag']);

/** Frequent addresses that are never a new coin. */
const KNOWN_ADDRESSES: ReadonlySet<string> = new Set([...quoteMints, pumpProgram, pumpSwapProgram]);

/** An address in a post. */
export interface Mention {
  address: string;
  /** Handle of the account, without the @; null when unknown. */
  account: string | null;
  postId: string;
  /** Epoch ms. */
  at: number;
}

/** Mentions of one address. */
export interface MentionCount {
  address: string;
  posts: number;
  lastAt: number;
}

/** A mention is kept for a day, ms. */
const KEPT = 24 * 3_600_000;
/** Most mentions kept: far more than a few accounts write in a day. */
const MAX_MENTIONS = 1_000;

/** Mentions of the last day, bounded in number. */
export function createMentions() {
  let all: Mention[] = [];

  function fresh(now: number): Mention[] {
    all = all.filter(({ at }) => now - at < KEPT);
    return all;
  }

  return {
    add(mention: Mention): void {
      all.push(mention);
      if (all.length > MAX_MENTIONS) all.shift();
    },
    /** Returns the mentions of an address; null without any. */
    of(address: string, now: number): MentionCount | null {
      const found = fresh(now).filter((mention) => mention.address === address);
      const last = found.at(-1);
      return last === undefined ? null : { address, posts: found.length, lastAt: last.at };
    },
    /** Returns the newest mentions, newest first. */
    newest: (count: number, now: number): Mention[] => fresh(now).slice(-count).reverse(),
  };
}

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
