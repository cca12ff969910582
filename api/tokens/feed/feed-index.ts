import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { FeedEntry, FeedLog } from '../../../realtime/feed-log/feed-log.ts';
import type { IndexedRecord } from '../list-index/columns.ts';
import { createListIndex, type ListIndex, MAX_ROWS } from '../list-index/list-index.ts';
import { createQuietRefresh, loadStored, putStored } from '../list-index/stored-rows.ts';
import type { TokenRecord } from '../record.ts';
import { createRecentChanges, type RecentChange, type RecentChanges } from './recent-changes.ts';

/** Entries of the feed log that are read at once. */
const PAGE = 1_000;
/** Time before a load that failed is tried again, ms. */
const RETRY_MS = 500;

export interface FeedIndexDeps {
  tokens: Model<TokenRecord>;
  feedLog: Pick<FeedLog, 'head' | 'oldest' | 'since' | 'tail'>;
  clock: Clock;
  log: Logger;
  /** Default: `MAX_ROWS`. */
  maxRows?: number;
}

/**
 * Keeps the index of all lists in a process without the market: loaded from MongoDB, changed by the feed. It contains everything up
 * to the feed's head (F3), since the entries that the feed log keeps are read before the stored tokens.
 */
export function createFeedIndex(deps: FeedIndexDeps) {
  const { tokens, feedLog, clock, log } = deps;
  const index = createListIndex(deps.maxRows ?? MAX_ROWS);
  const recent = createRecentChanges(clock);
  const quiet = createQuietRefresh({ index, tokens, clock, log, isLive: () => false });
  const loader = createLoader(deps, index, recent);
  let untail = () => {};

  return Object.assign(index, {
    /** Follows the feed, and loads the index, at first and with every interruption of the feed. */
    start(): void {
      untail = feedLog.tail({ entries: loader.take, message: () => {}, interrupted: loader.reload });
      loader.reload();
      quiet.start();
    },
    /** Resolves once the index is loaded. */
    ready: loader.ready,
    /** Returns whether MongoDB may lack the token because it is not written yet. */
    mayBeUnstored: index.isRecent,
    /** Returns the newest known state of a token that was read from the database. */
    current: recent.current,
    async stop(): Promise<void> {
      untail();
      quiet.stop();
      await loader.stop();
    },
  });
}

/** Creates the loads of the index: each begins with the entries that the feed log keeps, and an interruption makes it useless. */
function createLoader(
  { tokens, feedLog, log, maxRows = MAX_ROWS }: FeedIndexDeps,
  index: ListIndex,
  recent: RecentChanges,
) {
  let loading = new AbortController();
  let loaded = Promise.resolve();
  /** False while entries of the feed log are read that come before those of the tail. */
  let isCaughtUp = false;

  const takeAll = (entries: readonly FeedEntry[]) => {
    for (const entry of entries) takeEntry(index, recent, entry);
  };

  async function catchUp(signal: AbortSignal): Promise<void> {
    isCaughtUp = false;
    index.clear();
    recent.clear();
    let cursor = feedLog.oldest();
    while (cursor.seq < feedLog.head().seq) {
      const found = await feedLog.since(cursor, PAGE);
      signal.throwIfAborted();
      if ('resync' in found) throw new Error(`the feed was interrupted: ${found.resync}`);
      takeAll(found.entries);
      cursor = { ...cursor, seq: found.entries.at(-1)?.seq ?? cursor.seq };
    }
    isCaughtUp = true;
  }

  async function load(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await catchUp(signal);
        await loadStored(index, { tokens, maxRows, onRecord: (record) => putCurrent(index, recent, record), signal });
        return;
      } catch (error) {
        log.debug({ error }, 'list index not loaded, retrying');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  return {
    /** Takes the next entries of the feed. */
    take(entries: readonly FeedEntry[]): void {
      if (isCaughtUp) takeAll(entries);
    },
    reload(): void {
      loading.abort();
      loading = new AbortController();
      loaded = load(loading.signal);
    },
    /** Resolves once the last load has ended. */
    async ready(): Promise<void> {
      for (let last: Promise<void> | null = null; last !== loaded; ) {
        last = loaded;
        await last;
      }
    },
    async stop(): Promise<void> {
      loading.abort();
      await loaded;
    },
  };
}

function takeEntry(index: ListIndex, recent: RecentChanges, { event, payload }: FeedEntry): void {
  switch (event) {
    case 'token-updates':
      for (const patch of payload.patches) {
        recent.addPatch(patch, payload);
        index.patch(patch, payload);
      }
      return;
    case 'tokens-removed':
      if ('all' in payload) {
        index.clear();
        recent.clear();
      } else {
        index.remove(payload.addresses);
        recent.remove(payload.addresses);
      }
      return;
    case 'new-token':
    case 'runner':
    case 'might-run':
      recent.addToken(payload.token);
      index.put(payload.token, Date.parse(payload.token.lastUpdated));
  }
}

/** Puts a stored token into the index, with the newer changes that the feed carried. */
function putCurrent(index: ListIndex, recent: RecentChanges, record: IndexedRecord): void {
  const change: RecentChange | undefined = recent.of(record._id);
  putStored(index, record);
  if (change === undefined) return;
  const { token, patch, context } = change;
  if (token !== null && token.version > record.version) index.put(token, Date.parse(token.lastUpdated));
  if (patch !== null && patch.version > record.version) index.patch(patch, context);
}
