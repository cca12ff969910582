import type { FeedCursor } from '../../../common/live/protocol.ts';
import { firstIndex } from '../../../common/sorted.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';

/**
 * Lists in memory: `all` every token, `new` those of the last hour. All are ordered newest first, independent of the order on
 * screen.
 */
export const listNames = ['all', 'new', 'runners', 'mightRun'] as const;
export type ListName = (typeof listNames)[number];

/** Maximum number of rows of each list. */
export const listCapacity: Record<ListName, number> = {
  all: 1_200,
  new: 200,
  runners: 200,
  mightRun: 200,
};

/** Maximum number of tokens in memory, beside those on screen: these lists, and as many as a filtered list has at most. */
export const MAX_TOKENS = 3_000;

/** A fetched list with the events since applied. */
export interface List {
  addresses: string[];
  /** Feed position that the response includes (F3); null when the server named none. */
  cursor: FeedCursor | null;
  /** Time of the latest response, epoch ms; null before the first. */
  fetchedAt: number | null;
  /** Whether the server has older rows than the last one. */
  more: boolean;
  /** Number of matching tokens on the server; null while unknown. Includes events up to `countedTo`. */
  total: number | null;
  countedTo: number;
}

export function emptyList(): List {
  return { addresses: [], cursor: null, fetchedAt: null, more: false, total: null, countedTo: 0 };
}

/** Returns the creation, epoch ms; null while unknown. */
export function createdAtOf(token: Token): number | null {
  return token.createdAt === null ? null : Date.parse(token.createdAt);
}

/** Orders newest first; tokens of the same time by address, so that the order does not depend on their arrival. */
export function compareListed(a: Token, b: Token): number {
  const later = listedAt(b) - listedAt(a);
  if (later !== 0) return later;
  return a.address < b.address ? 1 : -1;
}

/** Inserts a token at its position. `tokens` has every row of the list. Returns whether the list changed. */
export function insert(list: List, token: Token, tokens: ReadonlyMap<string, Token>, capacity: number): boolean {
  if (list.addresses.includes(token.address)) return false;
  const at = firstIndex(list.addresses, (address) => {
    const other = tokens.get(address);
    return other !== undefined && compareListed(other, token) < 0;
  });
  // Older than the last row while the server has more rows: it will arrive with its page.
  if (at === list.addresses.length && list.more) return false;
  list.addresses.splice(at, 0, token.address);
  if (list.addresses.length > capacity) {
    list.addresses.length = capacity;
    list.more = true;
  }
  return true;
}

/** Removes a token. Returns whether it was in the list. */
export function remove(list: List, address: string): boolean {
  const at = list.addresses.indexOf(address);
  if (at < 0) return false;
  list.addresses.splice(at, 1);
  return true;
}

/** Sorts a list again after the creation of one of its tokens changed. */
export function reorder(list: List, tokens: ReadonlyMap<string, Token>): void {
  const rows = list.addresses.flatMap((address) => tokens.get(address) ?? []);
  list.addresses = rows.sort(compareListed).map((token) => token.address);
}
