import { LRUCache } from 'lru-cache';
import type { SessionUser } from '../../common/auth/model.ts';
import type { ListUpdates } from '../../common/live/lists.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import type { FeedEntry } from '../feed-log/feed-log.ts';
import { type GatewayLimits, type TokenBucket, take } from '../limits.ts';
import type { ListChange, ListWatch } from '../list-watch.ts';
import { isList, topicsOf } from './topics.ts';

export type Lists = ReturnType<typeof createLists>;

export interface ListDeps {
  /** Null: this process follows no lists. */
  watch: ListWatch | null;
  position: () => FeedCursor;
  emit: (updates: ListUpdates) => void;
  limits: GatewayLimits;
  clock: Clock;
}

/** Sends the changes of followed lists after each batch of the feed, and those of time alone. */
export function createLists({ watch, position, emit, limits, clock }: ListDeps) {
  /** By open list: number of the feed and time of its last event. */
  const sent = new Map<string, { seq: number; at: number }>();
  let pending: FeedEntry[] = [];
  let flush: NodeJS.Immediate | null = null;

  function send(change: ListChange, to: number): void {
    const last = sent.get(change.list);
    if (last === undefined) return;
    const now = clock.now();
    const isEmpty = change.patches.length + change.entered.length + change.left.length === 0;
    if (isEmpty && (to === last.seq || now - last.at < limits.emptyListMs)) return;
    emit({ ...change, epoch: position().epoch, from: last.seq, to });
    sent.set(change.list, { seq: to, at: now });
  }

  function advance(): void {
    flush = null;
    const entries = pending;
    pending = [];
    if (watch === null || sent.size === 0) return;
    const parts = partsOf(entries);
    for (const part of parts) {
      const to = part.at(-1)?.seq ?? position().seq;
      for (const change of watch.advance(part, part === parts.at(-1))) send(change, to);
    }
  }

  // What time alone changed, and events without a change.
  const timer = setInterval(() => {
    if (flush === null) advance();
  }, limits.emptyListMs);

  return {
    has: (list: string): boolean => sent.has(list),
    /** Returns whether one more list can be followed. */
    hasRoom: (): boolean => watch !== null && sent.size < limits.lists,
    open(list: string): void {
      watch?.open(list);
      sent.set(list, { seq: (pending[0]?.seq ?? position().seq + 1) - 1, at: clock.now() });
    },
    close(list: string): void {
      if (sent.delete(list)) watch?.close(list);
    },
    /** Adds entries that were emitted. Their changes follow once the others who read the feed have them, too. */
    entries(entries: readonly FeedEntry[]): void {
      if (sent.size === 0) return;
      pending.push(...entries);
      flush ??= setImmediate(advance);
    },
    /** Continues at the present position: clients fetch their lists again. */
    interrupted(): void {
      pending = [];
      for (const [list, { at }] of sent) sent.set(list, { seq: position().seq, at });
    },
    stop(): void {
      clearInterval(timer);
      if (flush !== null) clearImmediate(flush);
    },
  };
}

export type ListOpenings = ReturnType<typeof createListOpenings>;

/** Bounds the lists that each user opens over all connections: an opening scans all tokens, and each open list is compared. */
export function createListOpenings(deps: { clients: Iterable<Client>; limits: GatewayLimits; clock: Clock }) {
  const { clients, limits, clock } = deps;
  // One bucket a list that may be open: the user whose bucket is dropped has opened none for the longest time.
  const buckets = new LRUCache<string, TokenBucket>({ max: limits.lists });

  /** Returns the lists that a user follows. */
  function followed(userId: string): Set<string> {
    const lists = new Set<string>();
    for (const client of clients) {
      if (client.user.id !== userId) continue;
      for (const topic of topicsOf(client)) if (isList(topic)) lists.add(topic);
    }
    return lists;
  }

  return {
    /** Returns whether the user may open one more list, and counts it. */
    take({ id }: Pick<SessionUser, 'id'>): boolean {
      const now = clock.now();
      const most = limits.listsOpenedAtOnce;
      const bucket = buckets.get(id) ?? { left: most, at: now };
      buckets.set(id, bucket);
      // The count last: it looks at all clients.
      return take(bucket, limits.listsOpenedPerSecond, now, 1, most) && followed(id).size < limits.listsPerUser;
    },
  };
}

/** Splits entries after each update of tokens: an event has one time and one rate. */
function partsOf(entries: readonly FeedEntry[]): FeedEntry[][] {
  const parts: FeedEntry[][] = [[]];
  for (const entry of entries) {
    const part = parts.at(-1) ?? [];
    part.push(entry);
    if (entry.event === 'token-updates') parts.push([]);
  }
  return parts.filter((part, place) => part.length > 0 || place === 0);
}
