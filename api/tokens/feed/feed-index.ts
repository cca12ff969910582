import { setTimeout as sleep } from 'node:timers/promises';
import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
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

/** What the feed changes: the rows of all lists, and the changes that MongoDB may lack. */
interface Contents {
  index: ListIndex;
  recent: RecentChanges;
}

/**
 * Keeps the index of all lists in a process without the market: loaded from MongoDB, changed by the feed. It contains everything up
 * to the feed's head (F3), since the entries that the feed log keeps are read before the stored tokens.
 */
export function createFeedIndex(deps: FeedIndexDeps) {
  const { tokens, feedLog, clock, log } = deps;
  const shown = createContents(deps);
  const { index } = shown;
  const quiet = createQuietRefresh({ index, tokens, clock, log, isLive: () => false });
  const loader = createLoader(deps, shown);
  let untail = () => {};

  return Object.assign(index, {
    /** Follows the feed, and loads the index, at first and with every break of the feed. */
    start(): void {
      untail = feedLog.tail({ entries: loader.take, message: () => {}, interrupted: loader.onInterrupted });
      loader.reload();
      quiet.start();
    },
    /** Resolves once the index is loaded. */
    ready: loader.ready,
    /** Returns whether MongoDB may lack the token because it is not written yet. */
    mayBeUnstored: index.isRecent,
    /** Returns the newest known state of a token that was read from the database. */
    current: <Read extends Token>(read: Read): Read => shown.recent.current(read),
    async stop(): Promise<void> {
      untail();
      quiet.stop();
      await loader.stop();
    },
  });
}

function createContents({ clock, maxRows = MAX_ROWS }: FeedIndexDeps): Contents {
  return { index: createListIndex(maxRows), recent: createRecentChanges(clock) };
}

/**
 * Creates the loads of the index: each fills contents of its own, which replace those of `shown` at its end, and begins with the
 * entries that the feed log keeps. A break of the feed makes it useless.
 */
function createLoader(deps: FeedIndexDeps, shown: Contents) {
  const { tokens, feedLog, log, maxRows = MAX_ROWS } = deps;
  let loading = new AbortController();
  let loaded = Promise.resolve();
  /** Takes the entries of the tail; null while entries of the feed log are read that come before those. */
  let following: Contents | null = null;
  /** Position of the last entry of the tail. */
  let position = feedLog.head();

  async function catchUp(contents: Contents, signal: AbortSignal): Promise<void> {
    following = null;
    let cursor = feedLog.oldest();
    while (cursor.seq < feedLog.head().seq) {
      const found = await feedLog.since(cursor, PAGE);
      signal.throwIfAborted();
      if ('resync' in found) throw new Error(`the feed was interrupted: ${found.resync}`);
      takeAll(contents, found.entries);
      cursor = { ...cursor, seq: found.entries.at(-1)?.seq ?? cursor.seq };
    }
    following = contents;
  }

  async function loadOnce(signal: AbortSignal): Promise<void> {
    const contents = createContents(deps);
    await catchUp(contents, signal);
    const onRecord = (record: IndexedRecord) => putCurrent(contents, record);
    await loadStored(contents.index, { tokens, maxRows, onRecord, signal });
    signal.throwIfAborted();
    shown.index.replace(contents.index);
    shown.recent = contents.recent;
    following = shown;
  }

  async function load(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await loadOnce(signal);
      } catch (error) {
        log.debug({ error }, 'list index not loaded, retrying');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  function reload(): void {
    position = feedLog.head();
    loading.abort();
    loading = new AbortController();
    loaded = load(loading.signal);
  }

  return {
    /** Takes the next entries of the feed. */
    take(entries: readonly FeedEntry[]): void {
      position = feedLog.head();
      if (following !== null) takeAll(following, entries);
    },
    reload,
    /** Loads again, unless the feed continues where it was: then only messages to rooms were lost. */
    onInterrupted(): void {
      const { epoch, seq } = feedLog.head();
      if (epoch !== position.epoch || seq !== position.seq) reload();
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

function takeAll(contents: Contents, entries: readonly FeedEntry[]): void {
  for (const entry of entries) takeEntry(contents, entry);
}

function takeEntry({ index, recent }: Contents, { event, payload }: FeedEntry): void {
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
function putCurrent({ index, recent }: Contents, record: IndexedRecord): void {
  const change: RecentChange | undefined = recent.of(record._id);
  putStored(index, record);
  if (change === undefined) return;
  const { token, patch, context } = change;
  if (token !== null && token.version > record.version) index.put(token, Date.parse(token.lastUpdated));
  if (patch !== null && patch.version > record.version) index.patch(patch, context);
}
