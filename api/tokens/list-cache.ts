import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { JsonText } from '../http/json-text.ts';

/** Lists kept at once: each call with each limit the client uses, with room to spare. */
const MAX_LISTS = 32;
/** Lists such as 'the last hour' change without an event as well: none is served longer than this (ms). */
const MAX_AGE = 2000;

/** A list as all clients get it: its body, what the feed had said before it was read, and how many match in all. */
export interface PreparedList {
  json: JsonText;
  cursor: FeedCursor;
  total: number | null;
}

/**
 * Reads and serialises each list once per stored feed number, however many clients ask: after an event all of them do,
 * at the same time. `name` must say everything the list depends on.
 */
export function createListCache(stored: () => FeedCursor, clock: Clock) {
  const lists = new Map<string, { cursor: FeedCursor; at: number; list: Promise<PreparedList> }>();

  function cached(name: string, read: () => Promise<Pick<PreparedList, 'json' | 'total'>>): Promise<PreparedList> {
    // Taken before the query (F3): the list may hold more than this number says, but never less.
    const cursor = stored();
    const known = lists.get(name);
    const fresh =
      known &&
      known.cursor.seq === cursor.seq &&
      known.cursor.epoch === cursor.epoch &&
      clock.now() - known.at < MAX_AGE;
    if (fresh) return known.list;

    const list = read().then((made) => ({ ...made, cursor }));
    lists.delete(name);
    const oldest = lists.keys().next();
    if (lists.size >= MAX_LISTS && !oldest.done) lists.delete(oldest.value);
    lists.set(name, { cursor, at: clock.now(), list });
    list.catch(() => {
      // The asker gets the error; the next one shall ask the database again.
      if (lists.get(name)?.list === list) lists.delete(name);
    });
    return list;
  }

  /** Makes the next asker read again, for what was changed past the feed. */
  const forget = () => lists.clear();
  return Object.assign(cached, { forget });
}
