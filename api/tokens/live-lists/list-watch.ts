import type { Logger } from 'pino';
import type { FilterContext } from '../../../common/tokens/filters.ts';
import type { Token, TokenPatch } from '../../../common/tokens/model.ts';
import type { FeedEntry } from '../../../realtime/feed-log/feed-log.ts';
import type { ListChange, ListWatch } from '../../../realtime/list-watch.ts';
import type { ListIndex } from '../list-index/list-index.ts';
import { createRowChanges } from './row-changes.ts';
import { createWatchedList, judgeRows, scanList, type WatchedList } from './watched-list.ts';

/** Tokens that are read at once. */
const READ_AT_ONCE = 500;

export interface ListWatchDeps {
  index: Pick<ListIndex, 'rows' | 'follow'> & { ready(): Promise<void> };
  /** Returns the present time and rate. */
  context: () => FilterContext;
  /** Returns a token in memory; null for any other. */
  liveToken: (address: string, now: number) => Token | null;
  /** Resolves with the stored ones of these tokens. */
  readTokens: (addresses: readonly string[]) => Promise<Token[]>;
  log: Logger;
}

/**
 * Follows filtered lists by the rows of the index: only changed rows are compared, and those that reach an age bound. A list
 * costs the same for any number of clients.
 */
export function createListWatch({ index, context, liveToken, readTokens, log }: ListWatchDeps): ListWatch {
  const lists = new Map<string, WatchedList>();
  const rowChanges = createRowChanges(index, lists);
  const waiting = createWaitingTokens(readTokens, log);
  let isReady = false;
  let last = context();

  function begin(list: WatchedList): void {
    // Changes until now are part of the scan.
    if (lists.size === 1) last = context();
    scanList(list, index.rows(), context());
    rowChanges.start();
  }

  void index.ready().then(() => {
    isReady = true;
    for (const list of lists.values()) begin(list);
  });

  return {
    open(name) {
      const list = createWatchedList(name);
      lists.set(name, list);
      if (isReady) begin(list);
    },
    close(name) {
      lists.delete(name);
      if (lists.size === 0) rowChanges.stop();
    },
    advance(entries, isLast) {
      if (!isReady) return [];
      const now = context();
      const rows = index.rows();
      const isMemberOf =
        ({ members }: WatchedList) =>
        ({ address }: TokenPatch) =>
          members.has(rows.byAddress.get(address) ?? -1);
      if (!isLast) {
        const updates = updatesOf(entries, now);
        return [...lists].map(([name, list]) => patchesOf(name, list, updates, isMemberOf(list)));
      }
      const changed = rowChanges.take(waiting.arrived());
      const tokenOf = waiting.finder(
        (row) => rows.addresses[row] ?? '',
        (address) => liveToken(address, now.now),
      );
      const updates = updatesOf(entries, now);
      const rateChanged = now.solUsd !== last.solUsd;
      const changes = [...lists].map(([name, list]): ListChange => {
        const checked =
          list.followsRate && rateChanged
            ? rows.addresses.keys()
            : [...changed, ...rowChanges.aged(list, last.now, now.now)];
        judgeRows(list, rows, checked, now, {
          enter(row) {
            // It enters once it is read.
            const token = tokenOf(row);
            if (token !== null) list.entered.push(token);
            return token !== null;
          },
        });
        return changeOf(name, list, updates, isMemberOf(list));
      });
      last = now;
      waiting.read();
      return changes;
    },
  };
}

interface Updates {
  at: number;
  solUsd: number | null;
  patches: readonly TokenPatch[];
}

/** Returns the patches of feed entries; at most one entry is of updates. */
function updatesOf(entries: readonly FeedEntry[], { now, solUsd }: FilterContext): Updates {
  for (const entry of entries) if (entry.event === 'token-updates') return entry.payload;
  return { at: now, solUsd, patches: [] };
}

/** Returns the patches of a list's members; tokens that left are counted until clients receive that. */
function patchesOf(
  name: string,
  { left, total }: WatchedList,
  { at, solUsd, patches }: Updates,
  isMember: (patch: TokenPatch) => boolean,
): ListChange {
  const kept = patches.filter(isMember);
  return { list: name, at, solUsd, patches: kept, entered: [], left: [], total: total + left.length };
}

/** Takes what changed in a list. */
function changeOf(
  name: string,
  list: WatchedList,
  { at, solUsd, patches }: Updates,
  isMember: (patch: TokenPatch) => boolean,
): ListChange {
  const { entered, left, total } = list;
  list.entered = [];
  list.left = [];
  // A token that was read from MongoDB may be older than a patch of it.
  const versions = new Map(entered.map(({ number, version }) => [number, version]));
  const kept = patches.filter((patch) => isMember(patch) && patch.version > (versions.get(patch.number) ?? 0));
  return { list: name, at, solUsd, patches: kept, entered, left, total };
}

/** Creates the tokens that began to match but are not in memory: they are read once, and enter then. */
function createWaitingTokens(readTokens: ListWatchDeps['readTokens'], log: Logger) {
  const wanted = new Set<string>();
  let found = new Map<string, Token>();
  let isReading = false;

  return {
    /** Returns the tokens that were read since the last call. */
    arrived: (): string[] => [...found.keys()],
    /** Returns the function that finds the token of a row, each once for all lists of this round. */
    finder(addressOf: (row: number) => string, live: (address: string) => Token | null) {
      const stored = found;
      found = new Map();
      const known = new Map<number, Token | null>();
      return (row: number): Token | null => {
        const seen = known.get(row);
        if (seen !== undefined) return seen;
        const address = addressOf(row);
        const token = live(address) ?? stored.get(address) ?? null;
        known.set(row, token);
        if (token === null) wanted.add(address);
        return token;
      };
    },
    /** Starts to read the next tokens that are wanted. */
    read(): void {
      if (isReading || wanted.size === 0) return;
      isReading = true;
      const addresses = [...wanted].slice(0, READ_AT_ONCE);
      readTokens(addresses)
        .then((tokens) => {
          for (const token of tokens) found.set(token.address, token);
          for (const address of addresses) wanted.delete(address);
        })
        .catch((error: unknown) => log.debug({ error }, 'tokens of live lists not read'))
        .finally(() => {
          isReading = false;
        });
    },
  };
}
