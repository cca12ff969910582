import type { FeedCursor } from '../../../common/live/protocol.ts';
import { isNew } from '../../../common/tokens/lists.ts';
import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { createRing } from './event-ring.ts';
import type { FeedEntry } from './events.ts';
import {
  compareListed,
  emptyList,
  type List,
  type ListName,
  listCapacity,
  listedAt,
  listNames,
  reorder,
} from './lists.ts';
import { fold } from './reducer.ts';
import { emptyState, forget, leave, type MarketState, upsert } from './state.ts';

/** Events that are kept while an earlier one is missing; beyond it, everything is fetched again instead. */
const HELD_MAX = 2_000;

/** How an answer relates to the list it is for: it is the list from its newest row on, or the page after its last row. */
export type AnswerKind = 'first' | 'older';

export interface ListAnswer {
  list: ListName;
  kind: AnswerKind;
  tokens: readonly Token[];
  cursor: FeedCursor | null;
  /** X-Total-Count; null where the list has none. */
  total: number | null;
  /** Whether the server has more rows after the last one. */
  more: boolean;
}

/** What became of an answer: `stale` ones are to be asked for again. */
export type Verdict = 'taken' | 'older-than-known' | 'stale';

/**
 * The client's half of the feed: which events are in, which are missing, and what the lists look like with them.
 * It knows no socket, no timer and no store, so every order of arrival can be tried on it.
 */
export interface FeedModel {
  readonly state: MarketState;
  /** Where to go on after a disconnect (F2); null before the first hello or answer. */
  cursor(): FeedCursor | null;
  /** The place after which events are missing (F4); null while nothing is. */
  missing(): FeedCursor | null;
  /** Lists that must be fetched again, because events were lost for good. */
  outdated(): ReadonlySet<ListName>;
  /** The server told its epoch and its head, on connecting. */
  hello(head: FeedCursor): void;
  /** The server can't replay, or too much is missing: lists are fetched again. */
  resync(): void;
  disconnected(): void;
  event(entry: FeedEntry): void;
  answer(answer: ListAnswer): Verdict;
  /** A single token was fetched. Events after its cursor are laid over it. */
  token(token: Token, cursor: FeedCursor | null): void;
  stats(value: TokenStats, cursor: FeedCursor | null): void;
  /** Forgets a list that nobody looks at. */
  drop(list: ListName): void;
  /** Takes tokens that are older than an hour out of the list of new ones. */
  age(): void;
}

export function createFeedModel(now: () => number): FeedModel {
  const state = emptyState();
  const ring = createRing();
  const held = new Map<number, FeedEntry>();
  const outdated = new Set<ListName>();
  /** Epoch the connected server told; null while disconnected. */
  let epoch: string | null = null;
  let cursor: FeedCursor | null = null;
  /** The latest event that is known to exist in the cursor's epoch. */
  let target = 0;

  function advance(): void {
    if (!cursor) return;
    for (const seq of held.keys()) if (seq <= cursor.seq) held.delete(seq);
    for (let next = held.get(cursor.seq + 1); next; next = held.get(cursor.seq + 1)) {
      held.delete(next.payload.seq);
      take(next, cursor);
    }
  }

  function take(entry: FeedEntry, at: FeedCursor): void {
    cursor = { epoch: at.epoch, seq: entry.payload.seq };
    ring.push(entry);
    fold(state, entry, now());
  }

  function restartAt(place: FeedCursor, head: number): void {
    cursor = place;
    target = Math.max(head, place.seq);
    ring.reset(place.seq);
  }

  function resync(): void {
    held.clear();
    cursor = null;
    target = 0;
    for (const address of state.tokens.keys()) state.distrusted.add(address);
    for (const name of listNames) if (state.lists[name].fetchedAt !== null) outdated.add(name);
    // Counts of the time before the gap can't be continued; the next answer sets them anew.
    state.stats.countedTo = Number.MAX_SAFE_INTEGER;
  }

  /** Brings what was just read at `place` up to date with events that are already in (F3). */
  function overlay(place: FeedCursor | null): void {
    if (!place) return;
    if (!cursor) restartAt(place, Math.max(place.seq, ...held.keys()));
    if (!cursor || cursor.epoch !== place.epoch) return;
    if (place.seq < ring.base()) {
      // Events between the answer and the oldest kept one are gone here: they are asked for once more, like a gap.
      restartAt(place, Math.max(target, cursor.seq));
    } else {
      for (const entry of ring.after(place.seq)) fold(state, entry, now());
    }
    advance();
  }

  function hold(entry: FeedEntry): void {
    held.set(entry.payload.seq, entry);
    target = Math.max(target, entry.payload.seq);
    if (held.size > HELD_MAX) resync();
  }

  return {
    state,
    cursor: () => cursor,
    missing: () => (cursor && cursor.seq < target ? cursor : null),
    outdated: () => outdated,
    hello(head) {
      epoch = head.epoch;
      if (cursor?.epoch === head.epoch) {
        target = Math.max(target, head.seq);
        return;
      }
      const fetched = listNames.filter((name) => state.lists[name].fetchedAt !== null);
      const known = fetched.flatMap((name) => {
        const place = state.lists[name].cursor;
        if (place?.epoch === head.epoch && !outdated.has(name)) return place.seq;
        outdated.add(name);
        return [];
      });
      held.clear();
      if (known.length < fetched.length) for (const address of state.tokens.keys()) state.distrusted.add(address);
      restartAt({ epoch: head.epoch, seq: Math.min(head.seq, ...known) }, head.seq);
    },
    resync,
    disconnected() {
      epoch = null;
    },
    event(entry) {
      const { seq } = entry.payload;
      if (!cursor && epoch !== null && outdated.size === 0) cursor = { epoch, seq: seq - 1 };
      if (!cursor || seq > cursor.seq + 1) hold(entry);
      else if (seq === cursor.seq + 1) {
        take(entry, cursor);
        target = Math.max(target, seq);
        advance();
      }
    },
    answer(answer) {
      const list = state.lists[answer.list];
      const verdict = judge(list, answer, epoch, outdated.has(answer.list));
      if (verdict !== 'taken') return verdict;
      outdated.delete(answer.list);
      for (const token of answer.tokens) upsert(state, token);
      if (answer.kind === 'first') setRows(state, answer, now());
      else appendRows(state, answer);
      state.dirty.lists.add(answer.list);
      overlay(answer.cursor);
      return 'taken';
    },
    token(token, place) {
      upsert(state, token);
      overlay(place);
    },
    stats(value, place) {
      state.stats = { value, countedTo: place?.seq ?? cursor?.seq ?? 0 };
      state.dirty.stats = true;
      if (place) overlay(place);
    },
    drop(name) {
      outdated.delete(name);
      state.lists[name] = emptyList();
      state.dirty.lists.add(name);
    },
    age() {
      for (const address of [...state.lists.fresh.addresses]) {
        const token = state.tokens.get(address);
        if (!token) forget(state, address);
        else if (!isNew(listedAt(token), now())) leave(state, 'fresh', address);
      }
    },
  };
}

/** Whether an answer may be used. */
function judge(list: List, answer: ListAnswer, epoch: string | null, outdated: boolean): Verdict {
  const { cursor } = answer;
  // Read before the server began anew: what it contains can't be placed among the events that now arrive.
  if (epoch !== null && cursor !== null && cursor.epoch !== epoch) return 'stale';
  if (answer.kind === 'older') return outdated ? 'stale' : 'taken';
  const known = outdated ? null : list.cursor;
  if (known && cursor && known.epoch === cursor.epoch && cursor.seq < known.seq) return 'older-than-known';
  return 'taken';
}

function setRows(state: MarketState, answer: ListAnswer, now: number): void {
  const capacity = listCapacity[answer.list];
  const rows = answer.tokens.map((token) => state.tokens.get(token.address) ?? token).sort(compareListed);
  state.lists[answer.list] = {
    addresses: rows.slice(0, capacity).map((token) => token.address),
    cursor: answer.cursor,
    fetchedAt: now,
    more: answer.more || rows.length > capacity,
    total: answer.total,
    countedTo: answer.cursor?.seq ?? 0,
  };
}

function appendRows(state: MarketState, answer: ListAnswer): void {
  const list = state.lists[answer.list];
  const capacity = listCapacity[answer.list];
  const known = new Set(list.addresses);
  const rows = answer.tokens.filter((token) => !known.has(token.address)).map((token) => token.address);
  list.more = answer.more || list.addresses.length + rows.length > capacity;
  list.addresses = [...list.addresses, ...rows];
  reorder(list, state.tokens);
  list.addresses.length = Math.min(list.addresses.length, capacity);
}
