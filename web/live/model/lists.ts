import type { FeedCursor } from '../../../common/live/protocol.ts';
import type { Token } from '../../../common/tokens/model.ts';

/**
 * The lists a client keeps: `newest` all tokens, `fresh` those of the last hour, `search` the answer to the text in the
 * search box. All are kept newest first, whatever the order on screen.
 */
export const listNames = ['newest', 'fresh', 'runners', 'mightRun', 'search'] as const;
export type ListName = (typeof listNames)[number];

/** The most rows each list keeps; together they stay within what `MAX_TOKENS` allows. */
export const listCapacity: Record<ListName, number> = {
  newest: 1_200,
  fresh: 200,
  runners: 200,
  mightRun: 200,
  search: 1_200,
};

/** Token atoms a browser keeps at most, beside those on screen. */
export const MAX_TOKENS = Object.values(listCapacity).reduce((sum, rows) => sum + rows, 0);

/** A fetched list and what has happened to it since. */
export interface List {
  addresses: string[];
  /** What the answer already contained of the feed (F3); null where the server did not say. */
  cursor: FeedCursor | null;
  /** When the last answer arrived, epoch ms; null before the first. */
  fetchedAt: number | null;
  /** True while the server has older rows than the last one. */
  more: boolean;
  /** Tokens that match on the server in all; null while unknown. Events after `countedTo` are added to it. */
  total: number | null;
  countedTo: number;
}

export function emptyList(): List {
  return { addresses: [], cursor: null, fetchedAt: null, more: false, total: null, countedTo: 0 };
}

/** Creation, or detection where the creation is unknown, epoch ms: what lists are ordered by. */
export function listedAt(token: Token): number {
  return Date.parse(token.createdAt ?? token.detectedAt);
}

/** Creation, epoch ms; null while it is not known. */
export function createdAtOf(token: Token): number | null {
  return token.createdAt === null ? null : Date.parse(token.createdAt);
}

/** Newest first; tokens of the same moment by address, so that the order is the same however they arrived. */
export function compareListed(a: Token, b: Token): number {
  const later = listedAt(b) - listedAt(a);
  if (later !== 0) return later;
  return a.address < b.address ? 1 : -1;
}

/** Puts a token in its place. `tokens` knows every row of the list. Returns whether the list changed. */
export function insert(list: List, token: Token, tokens: ReadonlyMap<string, Token>, capacity: number): boolean {
  if (list.addresses.includes(token.address)) return false;
  const at = placeOf(list.addresses, token, tokens);
  // Older than the last row while the server has more of them: it will come with its page, in its order.
  if (at === list.addresses.length && list.more) return false;
  list.addresses.splice(at, 0, token.address);
  if (list.addresses.length > capacity) {
    list.addresses.length = capacity;
    list.more = true;
  }
  return true;
}

function placeOf(addresses: readonly string[], token: Token, tokens: ReadonlyMap<string, Token>): number {
  let low = 0;
  let high = addresses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = tokens.get(addresses[middle] ?? '');
    if (other && compareListed(other, token) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Takes a token out. Returns whether it was there. */
export function remove(list: List, address: string): boolean {
  const at = list.addresses.indexOf(address);
  if (at < 0) return false;
  list.addresses.splice(at, 1);
  return true;
}

/** Sorts again after the time that orders a token has changed. */
export function reorder(list: List, tokens: ReadonlyMap<string, Token>): void {
  const rows = list.addresses.flatMap((address) => tokens.get(address) ?? []);
  list.addresses = rows.sort(compareListed).map((token) => token.address);
}
