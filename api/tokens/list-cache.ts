import { LRUCache } from 'lru-cache';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER, type FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { JsonText } from '../http/json-text.ts';

/** Cached lists: each call with each filter and order in use, about 180 kB each. */
const MAX_LISTS = 96;
/** Greatest age of a cached list, ms: lists such as 'the last hour' change without an event. */
const MAX_AGE = 2_000;

/** A list as all clients receive it: its body, the feed position it covers, and what its headers carry. */
export interface PreparedList {
  json: JsonText;
  cursor: FeedCursor;
  /** Number of all matches. */
  total: number | null;
  /** Cursor of the next page. */
  next: string | null;
  /** Number of the newest tokens that the list is made from; null when these are all. */
  covered: number | null;
  /** Returns whether a new request would get this list as well. */
  isCurrent(): boolean;
}

const stateless = () => '';

/**
 * Reads and serialises each list once per feed position, however many clients request it: after an event all of
 * them do, at the same time. `name` must contain everything the list depends on beside its version.
 */
export function createListCache(published: () => FeedCursor, clock: Clock, max = MAX_LISTS) {
  const lists = new LRUCache<string, { version: string; list: Promise<PreparedList> }>({
    max,
    ttl: MAX_AGE,
    ttlResolution: 0,
    perf: clock,
  });

  /** `state`: returns what the list depends on beside the feed. Without it changes of that may show up to 2 s late. */
  function cached(
    name: string,
    read: () => Promise<Omit<PreparedList, 'cursor' | 'isCurrent'>>,
    state: () => string = stateless,
  ): Promise<PreparedList> {
    // Read before the query (F3): the list may contain more than this position, but never less.
    const cursor = published();
    const version = `${cursor.epoch} ${cursor.seq} ${state()}`;
    const known = lists.get(name);
    if (known?.version === version) return known.list;
    const isKept = () => lists.peek(name)?.list === list;
    const isCurrent = () => {
      const { epoch, seq } = published();
      return version === `${epoch} ${seq} ${state()}` && isKept();
    };
    const list = read().then((prepared) => ({ ...prepared, cursor, isCurrent }));
    lists.set(name, { version, list });
    list.catch(() => {
      // This caller gets the error; the next one queries the database again.
      if (isKept()) lists.delete(name);
    });
    return list;
  }

  /** Drops all lists, for a change that does not show in the feed position. */
  const clear = () => lists.clear();
  return Object.assign(cached, { clear });
}

/** Returns the headers with the feed position that a list covers (F3): the client applies the events after it. */
export function feedHeaders({ epoch, seq }: FeedCursor): Record<string, string> {
  return { [FEED_EPOCH_HEADER]: epoch, [FEED_SEQ_HEADER]: String(seq) };
}
