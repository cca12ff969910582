import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../common/time.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { LiveToken } from '../token/state/live-token.ts';

/** Time before a source is polled about the same token again, ms, so that other tokens get their turn. */
const PAUSE = 20 * 60_000;
/** Tokens remembered per source. */
const MAX_TOKENS = 5_000;

/** Before the ranks of `rankOf`. */
const PINNED_RANK = -1;

/**
 * Returns addresses of tokens worth polling, most wanted first: pinned ones, listed ones, incomplete ones, then the
 * rest, each by latest trade. Mainnet only, since data services cover no other cluster.
 */
export function pollCandidates(tokens: Iterable<LiveToken>, limit: number): string[] {
  const wanted: { address: string; rank: number; at: number }[] = [];
  for (const { record, pin } of tokens) {
    if (record.cluster !== 'mainnet') continue;
    wanted.push({
      address: record._id,
      rank: pin === null ? rankOf(record) : PINNED_RANK,
      at: record.lastTradeAt ?? record.listedAt,
    });
  }
  wanted.sort((a, b) => a.rank - b.rank || b.at - a.at);
  return wanted.slice(0, limit).map(({ address }) => address);
}

function rankOf(record: TokenRecord): number {
  if (record.runner || record.mightRun) return 0;
  return isIncomplete(record) ? 1 : 2;
}

function isIncomplete({ name, creator, createdAt, price, holderCount, stage, facts }: TokenRecord): boolean {
  const lp = stage === 'pool' && facts.lpUnlocked === null;
  return lp || [name, creator, createdAt, price, holderCount, facts.mintAuthorityLive].includes(null);
}

/** Tokens that each source was polled about recently. */
export interface RecentlyPolled {
  /** Returns the addresses that the source was not polled about recently. */
  exclude(source: string, addresses: readonly string[]): string[];
  add(source: string, addresses: readonly string[]): void;
  /** Removes addresses that were not polled after all. */
  remove(source: string, addresses: readonly string[]): void;
}

export function createRecentlyPolled(clock: Clock): RecentlyPolled {
  /** By source: address → time of the poll. */
  const bySource = new Map<string, LRUCache<string, number>>();
  return {
    exclude(source, addresses) {
      const polled = bySource.get(source);
      const after = clock.now() - PAUSE;
      return addresses.filter((address) => (polled?.peek(address) ?? Number.NEGATIVE_INFINITY) <= after);
    },
    add(source, addresses) {
      const polled = bySource.get(source) ?? new LRUCache<string, number>({ max: MAX_TOKENS });
      bySource.set(source, polled);
      for (const address of addresses) polled.set(address, clock.now());
    },
    remove(source, addresses) {
      for (const address of addresses) bySource.get(source)?.delete(address);
    },
  };
}
