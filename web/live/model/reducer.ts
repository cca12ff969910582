import type { FeedPayload } from '../../../common/live/events.ts';
import { isNew } from '../../../common/tokens/lists.ts';
import type { Token, TokenStats } from '../../../common/tokens/model.ts';
import { applyPatch } from '../../../common/tokens/patch.ts';
import type { FeedEntry } from './events.ts';
import { listedAt, listNames, reorder } from './lists.ts';
import { enter, forget, leave, type MarketState, upsert } from './state.ts';

/**
 * Applies one event. Applying it twice, or applying once more an unbroken run of events that ends with the latest one,
 * changes nothing (F5): tokens are decided by address and version, membership of a list by the last event about it,
 * and totals by the number of the event.
 */
export function fold(state: MarketState, entry: FeedEntry, now: number): void {
  switch (entry.event) {
    case 'new-token':
      foldNewToken(state, entry.payload.seq, entry.payload.token, now);
      break;
    case 'token-updates':
      foldUpdates(state, entry.payload);
      break;
    case 'runner':
      foldListChange(state, 'runners', entry.payload);
      break;
    case 'might-run':
      foldListChange(state, 'mightRun', entry.payload);
      break;
    case 'tokens-removed':
      foldRemoved(state, entry.payload);
      break;
  }
}

/** As many points as a sparkline has; a line that is shorter gets points more often, so that a young token has one soon. */
const SPARK_POINTS = 20;
const SPARK_EVERY_MS = 60_000;
const YOUNG_SPARK_EVERY_MS = 5_000;

/** Patches don't carry the sparkline: it goes on here with the prices they tell. */
function withSparkPoint(state: MarketState, before: Token, after: Token, at: number): Token {
  if (before.price === null || after.price === before.price) return after;
  const every = before.spark.length < SPARK_POINTS ? YOUNG_SPARK_EVERY_MS : SPARK_EVERY_MS;
  const last = state.sparkedAt.get(after.address) ?? Date.parse(before.lastUpdated);
  state.sparkedAt.set(after.address, last);
  if (at - last < every) return after;
  state.sparkedAt.set(after.address, at);
  // The price before the change: the current one is drawn as the line's end anyway.
  return { ...after, spark: [...after.spark, before.price].slice(-SPARK_POINTS) };
}

/** Whether a list's answer already contained the event (F3). */
function contained(state: MarketState, name: (typeof listNames)[number], seq: number): boolean {
  return seq <= (state.lists[name].cursor?.seq ?? 0);
}

function foldNewToken(state: MarketState, seq: number, token: Token, now: number): void {
  upsert(state, token);
  if (!contained(state, 'newest', seq)) enter(state, 'newest', token.address);
  if (!contained(state, 'fresh', seq) && isNew(listedAt(token), now)) enter(state, 'fresh', token.address);
  countTokens(state, seq, 1, (stats) => ({
    ...stats,
    newLastHour: stats.newLastHour + (isNew(listedAt(token), now) ? 1 : 0),
    launches: stats.launches.map((count, span) => (span === stats.launches.length - 1 ? count + 1 : count)),
  }));
}

function foldUpdates(state: MarketState, { patches, ...context }: FeedPayload<'token-updates'>): void {
  for (const patch of patches) {
    const known = state.tokens.get(patch.address);
    // A patch tells the difference to the version before it: on a token that is to be replaced it would mix two states.
    if (!known || state.distrusted.has(patch.address)) continue;
    const next = applyPatch(known, patch, context);
    if (next === known) continue;
    state.tokens.set(patch.address, withSparkPoint(state, known, next, context.at));
    state.dirty.tokens.add(patch.address);
    if (patch.createdAt !== undefined) replace(state, patch.address);
  }
}

/** Moves a token to its place in every list that has it, after its time has changed. */
function replace(state: MarketState, address: string): void {
  for (const name of listNames) {
    if (!state.lists[name].addresses.includes(address)) continue;
    reorder(state.lists[name], state.tokens);
    state.dirty.lists.add(name);
  }
}

function foldListChange(
  state: MarketState,
  name: 'runners' | 'mightRun',
  { seq, token, active }: FeedPayload<'runner'>,
): void {
  upsert(state, token);
  if (!contained(state, name, seq)) {
    if (active) enter(state, name, token.address);
    else leave(state, name, token.address);
  }
  if (seq > state.stats.countedTo && state.stats.value) {
    const stats = state.stats.value;
    state.stats = { value: { ...stats, [name]: Math.max(0, stats[name] + (active ? 1 : -1)) }, countedTo: seq };
    state.dirty.stats = true;
  }
}

function foldRemoved(state: MarketState, payload: FeedPayload<'tokens-removed'>): void {
  const addresses = 'all' in payload ? [...state.tokens.keys()] : payload.addresses;
  for (const address of addresses) {
    for (const name of listNames) if (!contained(state, name, payload.seq)) leave(state, name, address);
    // A list that was read after the removal and has the token says that it came back: the removal is old news.
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
  const { newest } = state.lists;
  if (newest.total !== null && seq > newest.countedTo) {
    newest.total = Math.max(0, newest.total + by);
    newest.countedTo = seq;
    state.dirty.lists.add('newest');
  }
  if (state.stats.value && seq > state.stats.countedTo) {
    const stats = state.stats.value;
    state.stats = { value: { ...change(stats), total: Math.max(0, stats.total + by) }, countedTo: seq };
    state.dirty.stats = true;
  }
}
