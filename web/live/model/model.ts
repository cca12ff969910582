import type { NumberedListUpdates } from '../../../common/live/lists.ts';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import { isNew } from '../../../common/tokens/lists.ts';
import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { createRing, type EventRing, type FeedEntry } from './events.ts';
import {
  compareListed,
  createdAtOf,
  emptyList,
  type List,
  type ListName,
  listCapacity,
  listNames,
  reorder,
} from './lists.ts';
import { applyPatches, emptyState, forget, leave, type MarketState, moveLast, reduce, upsert } from './reducer.ts';

/** Maximum number of events kept while an earlier one is missing; beyond it, lists are fetched again instead. */
const PENDING_MAX = 2_000;

/** Part of a list that a response has: its rows from the newest on, or the page after its last row. */
export type PageKind = 'first' | 'older';

export interface ListResponse {
  list: ListName;
  kind: PageKind;
  tokens: readonly Token[];
  cursor: FeedCursor | null;
  /** X-Total-Count; null where the list has none. */
  total: number | null;
  /** Whether the server has more rows after the last one. */
  more: boolean;
}

/** Result of applying a response: a `stale` one must be requested again. */
type Verdict = 'applied' | 'older-than-known' | 'stale';

/**
 * The client's half of the feed: which events are applied, which are missing, and the lists with them. It has no socket,
 * timer or store, so tests can try every order of arrival.
 */
export interface FeedModel {
  readonly state: MarketState;
  /** Position to resume from after a disconnect (F2); null before the first hello or response. */
  cursor(): FeedCursor | null;
  /** Position after which events are missing (F4); null while none are. */
  missing(): FeedCursor | null;
  /** Lists that must be fetched again because events were lost for good. */
  outdated(): ReadonlySet<ListName>;
  /** Takes the epoch and the head of the server, on connecting. Returns whether events were lost for good. */
  hello(head: FeedCursor): boolean;
  /** Called when the server cannot replay, or too much is missing: lists become outdated. */
  resync(): void;
  disconnected(): void;
  event(entry: FeedEntry): void;
  list(response: ListResponse): Verdict;
  /**
   * Takes tokens that were fetched apart from the lists, and applies the events after their cursor to them. Returns false when
   * the response is stale: it must be requested again.
   */
  tokens(tokens: readonly Token[], cursor: FeedCursor | null): boolean;
  /** Takes the changes of a filtered list: tokens that entered it become known. */
  followed(updates: Omit<NumberedListUpdates, 'list'>): void;
  stats(value: TokenStats, cursor: FeedCursor | null): void;
  /** Empties a list that no page shows. */
  drop(list: ListName): void;
  /** Removes tokens older than an hour from the list of new ones. */
  age(): void;
}

/** Positions and buffers of the model. */
interface Progress {
  /** Epoch of the connected server; null while disconnected. */
  epoch: string | null;
  cursor: FeedCursor | null;
  /** Number of the latest event known to exist in the cursor's epoch. */
  target: number;
  /** Received events that wait for an earlier one, by number. */
  pending: Map<number, FeedEntry>;
  ring: EventRing;
  outdated: Set<ListName>;
}

export function createFeedModel(now: () => number): FeedModel {
  const state = emptyState();
  const progress: Progress = {
    epoch: null,
    cursor: null,
    target: 0,
    pending: new Map(),
    ring: createRing(),
    outdated: new Set(),
  };
  return {
    state,
    cursor: () => progress.cursor,
    missing: () => (progress.cursor && progress.cursor.seq < progress.target ? progress.cursor : null),
    outdated: () => progress.outdated,
    hello: (head) => hello(state, progress, head),
    resync: () => resync(state, progress),
    disconnected() {
      progress.epoch = null;
    },
    event: (entry) => receive(state, progress, entry, now),
    list(response) {
      const list = state.lists[response.list];
      const verdict = judge(list, response, progress.epoch, progress.outdated.has(response.list));
      if (verdict !== 'applied') return verdict;
      progress.outdated.delete(response.list);
      for (const token of response.tokens) upsert(state, token);
      if (response.kind === 'first') setRows(state, response, now());
      else appendRows(state, response);
      state.dirty.lists.add(response.list);
      overlay(state, progress, response.cursor, now);
      return 'applied';
    },
    tokens(tokens, position) {
      if (isOfOtherEpoch(position, progress.epoch)) return false;
      for (const token of tokens) {
        upsert(state, token);
        moveLast(state, token.address);
      }
      overlay(state, progress, position, now);
      return true;
    },
    followed({ entered, patches, at, solUsd }) {
      for (const token of entered) upsert(state, token);
      applyPatches(state, { patches, at, solUsd });
    },
    stats(value, position) {
      state.stats = { value, countedTo: position?.seq ?? progress.cursor?.seq ?? 0 };
      if (position) overlay(state, progress, position, now);
    },
    drop(name) {
      progress.outdated.delete(name);
      state.lists[name] = emptyList();
      state.dirty.lists.add(name);
    },
    age() {
      for (const address of [...state.lists.new.addresses]) {
        const token = state.tokens.get(address);
        if (!token) forget(state, address);
        else if (!isNew(createdAtOf(token), now())) leave(state, 'new', address);
      }
    },
  };
}

function hello(state: MarketState, progress: Progress, head: FeedCursor): boolean {
  progress.epoch = head.epoch;
  if (progress.cursor?.epoch === head.epoch) {
    progress.target = Math.max(progress.target, head.seq);
    return false;
  }
  const fetched = listNames.filter((name) => state.lists[name].fetchedAt !== null);
  const positions = fetched.flatMap((name) => {
    const position = state.lists[name].cursor;
    if (position?.epoch === head.epoch && !progress.outdated.has(name)) return position.seq;
    progress.outdated.add(name);
    return [];
  });
  progress.pending.clear();
  const isLost = progress.cursor !== null || positions.length < fetched.length;
  if (isLost) for (const address of state.tokens.keys()) state.stale.add(address);
  restartAt(progress, { epoch: head.epoch, seq: Math.min(head.seq, ...positions) }, head.seq);
  return isLost;
}

function resync(state: MarketState, progress: Progress): void {
  progress.pending.clear();
  progress.cursor = null;
  progress.target = 0;
  for (const address of state.tokens.keys()) state.stale.add(address);
  for (const name of listNames) if (state.lists[name].fetchedAt !== null) progress.outdated.add(name);
  // Totals from before the gap cannot be continued; the next response sets them.
  state.stats.countedTo = Number.MAX_SAFE_INTEGER;
}

function receive(state: MarketState, progress: Progress, entry: FeedEntry, now: () => number): void {
  const { seq } = entry.payload;
  if (!progress.cursor && progress.epoch !== null && progress.outdated.size === 0) {
    progress.cursor = { epoch: progress.epoch, seq: seq - 1 };
  }
  const { cursor } = progress;
  if (!cursor || seq > cursor.seq + 1) {
    progress.pending.set(seq, entry);
    progress.target = Math.max(progress.target, seq);
    if (progress.pending.size > PENDING_MAX) resync(state, progress);
  } else if (seq === cursor.seq + 1) {
    apply(state, progress, entry, cursor.epoch, now());
    progress.target = Math.max(progress.target, seq);
    applyPending(state, progress, now);
  }
}

function apply(state: MarketState, progress: Progress, entry: FeedEntry, epoch: string, now: number): void {
  progress.cursor = { epoch, seq: entry.payload.seq };
  progress.ring.push(entry);
  reduce(state, entry, now);
}

/** Applies pending events that follow the cursor without a gap. */
function applyPending(state: MarketState, progress: Progress, now: () => number): void {
  const { cursor, pending } = progress;
  if (!cursor) return;
  for (const seq of pending.keys()) if (seq <= cursor.seq) pending.delete(seq);
  let seq = cursor.seq + 1;
  for (let next = pending.get(seq); next; next = pending.get(seq)) {
    pending.delete(seq);
    apply(state, progress, next, cursor.epoch, now());
    seq += 1;
  }
}

function restartAt(progress: Progress, position: FeedCursor, head: number): void {
  progress.cursor = position;
  progress.target = Math.max(head, position.seq);
  progress.ring.reset(position.seq);
}

/** Applies the events after `position` to data that was just read there (F3). */
function overlay(state: MarketState, progress: Progress, position: FeedCursor | null, now: () => number): void {
  if (!position) return;
  if (!progress.cursor) restartAt(progress, position, Math.max(position.seq, ...progress.pending.keys()));
  const { cursor, ring } = progress;
  if (!cursor || cursor.epoch !== position.epoch) return;
  if (position.seq < ring.base()) {
    // Events between the response and the oldest kept one are no longer in memory: they are requested like a gap.
    restartAt(progress, position, Math.max(progress.target, cursor.seq));
  } else {
    for (const entry of ring.after(position.seq)) reduce(state, entry, now());
  }
  applyPending(state, progress, now);
}

/** Whether it was read before the server began a new epoch: its position among the events that now arrive is unknown. */
function isOfOtherEpoch(position: FeedCursor | null, epoch: string | null): boolean {
  return epoch !== null && position !== null && position.epoch !== epoch;
}

/** Decides whether a response may be applied. */
function judge(list: List, response: ListResponse, epoch: string | null, outdated: boolean): Verdict {
  const { cursor } = response;
  if (isOfOtherEpoch(cursor, epoch)) return 'stale';
  if (response.kind !== 'first') return outdated ? 'stale' : 'applied';
  const known = outdated ? null : list.cursor;
  if (known && cursor && known.epoch === cursor.epoch && cursor.seq < known.seq) return 'older-than-known';
  return 'applied';
}

function setRows(state: MarketState, response: ListResponse, now: number): void {
  const capacity = listCapacity[response.list];
  const byAddress = new Map(response.tokens.map((token) => [token.address, state.tokens.get(token.address) ?? token]));
  const rows = [...byAddress.values()].sort(compareListed);
  state.lists[response.list] = {
    addresses: rows.slice(0, capacity).map((token) => token.address),
    cursor: response.cursor,
    fetchedAt: now,
    more: response.more || rows.length > capacity,
    total: response.total,
    countedTo: response.cursor?.seq ?? 0,
  };
}

function appendRows(state: MarketState, response: ListResponse): void {
  const list = state.lists[response.list];
  const capacity = listCapacity[response.list];
  list.addresses = [...new Set([...list.addresses, ...response.tokens.map(({ address }) => address)])];
  list.more = response.more || list.addresses.length > capacity;
  reorder(list, state.tokens);
  list.addresses.length = Math.min(list.addresses.length, capacity);
}
