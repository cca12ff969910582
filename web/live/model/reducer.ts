import type { FeedPayload } from '../../../common/live/events.ts';
import type { NumberedUpdates } from '../../../common/live/token-updates.ts';
import { isNew } from '../../../common/tokens/lists.ts';
import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { applyPatch } from '../../../common/tokens/patch.ts';
import { addSparkPoint, type SparkPoint, sparkSecond } from '../../../common/tokens/spark.ts';
import type { FeedEntry } from './events.ts';
import {
  createdAtOf,
  emptyList,
  insert,
  type List,
  type ListName,
  listCapacity,
  listNames,
  MAX_TOKENS,
  remove,
  reorder,
} from './lists.ts';

/** The client's copy of the market: plain data, from which the atoms are set. */
export interface MarketState {
  tokens: Map<string, Token>;
  /** Addresses of these tokens by their numbers, which updates name. */
  addresses: Map<number, string>;
  lists: Record<ListName, List>;
  /** Totals of the stat cards, and the last event counted in them. */
  stats: { value: TokenStats | null; countedTo: number };
  /** Tokens whose versions are no longer comparable because events were missed: the next response replaces them. */
  stale: Set<string>;
  /** Changes since the atoms were last set. Changed totals are another object. */
  dirty: { tokens: Set<string>; lists: Set<ListName> };
}

export function emptyState(): MarketState {
  return {
    tokens: new Map(),
    addresses: new Map(),
    lists: {
      all: emptyList(),
      new: emptyList(),
      runners: emptyList(),
      mightRun: emptyList(),
    },
    stats: { value: null, countedTo: 0 },
    stale: new Set(),
    dirty: { tokens: new Set(), lists: new Set() },
  };
}

/** Stores a token if it is newer than the known version (F5). */
export function upsert(state: MarketState, token: Token): void {
  const known = state.tokens.get(token.address);
  const isNewer = !known || known.version < token.version || state.stale.has(token.address);
  if (!isNewer) return;
  if (known) dropNumber(state, known);
  state.tokens.set(token.address, token);
  state.addresses.set(token.number, token.address);
  state.stale.delete(token.address);
  state.dirty.tokens.add(token.address);
}

/** Makes a token the last one that is evicted: a page that has just come must not lose its own rows. */
export function moveLast(state: MarketState, address: string): void {
  const token = state.tokens.get(address);
  if (token === undefined) return;
  state.tokens.delete(address);
  state.tokens.set(address, token);
}

/** Drops the number of a token, unless another token has it since a restart of the server. */
function dropNumber(state: MarketState, { number, address }: Token): void {
  if (state.addresses.get(number) === address) state.addresses.delete(number);
}

/** Drops a token from memory. */
function dropToken(state: MarketState, address: string): void {
  const known = state.tokens.get(address);
  if (known) {
    dropNumber(state, known);
    state.tokens.delete(address);
    state.dirty.tokens.add(address);
  }
  state.stale.delete(address);
}

/** Adds a known token to a list. */
function enter(state: MarketState, name: ListName, address: string): void {
  const token = state.tokens.get(address);
  if (token && insert(state.lists[name], token, state.tokens, listCapacity[name])) state.dirty.lists.add(name);
}

export function leave(state: MarketState, name: ListName, address: string): void {
  if (remove(state.lists[name], address)) state.dirty.lists.add(name);
}

/** Drops a token from every list and from memory. */
export function forget(state: MarketState, address: string): void {
  dropToken(state, address);
  for (const name of listNames) leave(state, name, address);
}

/** Evicts the oldest tokens that are in no list and that no page shows (`shown`) until at most `max` are left. */
export function evict(state: MarketState, shown: (address: string) => boolean, max: number = MAX_TOKENS): void {
  if (state.tokens.size <= max) return;
  const listed = new Set(listNames.flatMap((name) => state.lists[name].addresses));
  for (const address of state.tokens.keys()) {
    if (state.tokens.size <= max) return;
    if (!listed.has(address) && !shown(address)) dropToken(state, address);
  }
}

/**
 * Applies one event. Idempotent (F5), also for an unbroken run of events that ends with the latest one: a token is decided
 * by address and version, the membership of a list by the last event about it, and totals by the number of the event.
 */
export function reduce(state: MarketState, entry: FeedEntry, now: number): void {
  switch (entry.event) {
    case 'new-token':
      addToken(state, entry.payload.seq, entry.payload.token, now);
      break;
    case 'token-updates':
      applyPatches(state, entry.payload);
      break;
    case 'runner':
      changeMembership(state, 'runners', entry.payload);
      break;
    case 'might-run':
      changeMembership(state, 'mightRun', entry.payload);
      break;
    case 'tokens-removed':
      removeTokens(state, entry.payload);
      break;
  }
}

/** Adds the price to the sparkline, which patches do not carry. `at`: time of the change, epoch ms. */
function withSparkPoint(before: Token, after: Token, at: number): Token {
  if (after.price === null || after.price === before.price) return after;
  const last = before.spark.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
  const spark: SparkPoint[] = [...before.spark];
  const second = Math.max(last, sparkSecond(at, Date.parse(after.detectedAt)));
  return addSparkPoint<SparkPoint>(spark, [second, after.price], (point) => point) ? { ...after, spark } : after;
}

/** Whether the response of a list already included the event (F3). */
function isIncluded(state: MarketState, name: (typeof listNames)[number], seq: number): boolean {
  return seq <= (state.lists[name].cursor?.seq ?? 0);
}

function addToken(state: MarketState, seq: number, token: Token, now: number): void {
  upsert(state, token);
  if (!isIncluded(state, 'all', seq)) enter(state, 'all', token.address);
  if (!isIncluded(state, 'new', seq) && isNew(createdAtOf(token), now)) enter(state, 'new', token.address);
  countTokens(state, seq, 1, (stats) => ({
    ...stats,
    newLastHour: stats.newLastHour + (isNew(createdAtOf(token), now) ? 1 : 0),
    launches: stats.launches.map((count, span) =>
      span === stats.launches.length - 1 && isNew(createdAtOf(token), now) ? count + 1 : count,
    ),
  }));
}

/** Applies patches to the known tokens that they name. */
export function applyPatches(state: MarketState, updates: Omit<NumberedUpdates, 'seq'>): void {
  const { patches, ...context } = updates;
  for (const patch of patches) {
    const address = state.addresses.get(patch.number) ?? '';
    const known = state.tokens.get(address);
    // A patch is relative to the previous version: on a token that awaits replacement it would mix two states.
    if (!known || state.stale.has(address)) continue;
    const next = applyPatch(known, patch, context);
    if (next === known) continue;
    state.tokens.set(address, withSparkPoint(known, next, context.at));
    state.dirty.tokens.add(address);
    if (patch.createdAt !== undefined) reorderLists(state, address);
  }
}

/** Moves a token to its position in each of its lists after its creation changed. */
function reorderLists(state: MarketState, address: string): void {
  for (const name of listNames) {
    if (!state.lists[name].addresses.includes(address)) continue;
    reorder(state.lists[name], state.tokens);
    state.dirty.lists.add(name);
  }
}

function changeMembership(
  state: MarketState,
  name: 'runners' | 'mightRun',
  { seq, token, active }: FeedPayload<'runner'>,
): void {
  upsert(state, token);
  if (!isIncluded(state, name, seq)) {
    if (active) enter(state, name, token.address);
    else leave(state, name, token.address);
  }
  if (seq > state.stats.countedTo && state.stats.value) {
    const stats = state.stats.value;
    state.stats = { value: { ...stats, [name]: Math.max(0, stats[name] + (active ? 1 : -1)) }, countedTo: seq };
  }
}

function removeTokens(state: MarketState, payload: FeedPayload<'tokens-removed'>): void {
  const addresses = 'all' in payload ? [...state.tokens.keys()] : payload.addresses;
  for (const address of addresses) {
    for (const name of listNames) if (!isIncluded(state, name, payload.seq)) leave(state, name, address);
    // A list that was read after the removal and contains the token shows that it was detected again.
    if (!listNames.some((name) => state.lists[name].addresses.includes(address))) forget(state, address);
  }
  const removed = 'all' in payload ? Number.POSITIVE_INFINITY : addresses.length;
  countTokens(state, payload.seq, -removed, (stats) =>
    'all' in payload
      ? { ...stats, newLastHour: 0, runners: 0, mightRun: 0, launches: stats.launches.map(() => 0) }
      : stats,
  );
}

function countTokens(state: MarketState, seq: number, by: number, change: (stats: TokenStats) => TokenStats): void {
  const { all } = state.lists;
  if (all.total !== null && seq > all.countedTo) {
    all.total = Math.max(0, all.total + by);
    all.countedTo = seq;
    state.dirty.lists.add('all');
  }
  if (state.stats.value && seq > state.stats.countedTo) {
    const stats = state.stats.value;
    state.stats = { value: { ...change(stats), total: Math.max(0, stats.total + by) }, countedTo: seq };
  }
}
