import type { TokenRecord } from '../../tokens/record.ts';
import type { LiveToken } from '../token/state/live-token.ts';

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
