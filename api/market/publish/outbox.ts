import type { Logger } from 'pino';
import type { FeedCursor } from '../../../common/live/protocol.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import { diffToken, type PatchContext } from '../../../common/tokens/patch.ts';
import type { FeedEvent, Publisher } from '../../../realtime/publisher.ts';
import type { EventBus } from '../../events/bus.ts';
import type { DomainEvents, TokenChange } from '../../events/events.ts';
import { presentRisk, presentToken, presentTrade } from '../../tokens/present.ts';
import type { TokenRecord, TradeRecord } from '../../tokens/record.ts';
import type { ListChange } from '../token/lifecycle.ts';
import type { LiveToken } from '../token/state/live-token.ts';

/** Patches in one feed event: a client applies one event at a time and must not wait for megabytes. */
const MAX_PATCHES = 500;

/** Tokens removed for good: by address, or all of them. */
export type RemovedTokens = { addresses: string[] } | { all: true };

export type Outbox = ReturnType<typeof createOutbox>;

export interface OutboxDeps {
  publisher: Publisher;
  bus: Pick<EventBus, 'emit' | 'hasSubscribers'>;
  log: Logger;
}

/** Domain events of a tick, emitted once the feed has it. */
type SealedEvent = { [Name in TokenEventName]: { name: Name; payload: DomainEvents[Name] } }[TokenEventName];
type TokenEventName = 'token-changed' | 'token-listed' | 'trade';

/** Changes that are not sealed yet. */
interface Pending {
  tokens: Set<LiveToken>;
  lists: ListChange[];
  trades: { live: LiveToken; record: TradeRecord }[];
}

/** Changes of a tick, published in this order: new tokens, updates, list changes. */
export function createOutbox(deps: OutboxDeps) {
  const { publisher, bus, log } = deps;
  const pending: Pending = { tokens: new Set(), lists: [], trades: [] };
  const feed = createFeedQueue(publisher, log);
  const roomEvents: (() => void)[] = [];
  let domainEvents: SealedEvent[] = [];
  const removals: RemovedTokens[] = [];

  /** Presents the trades of a token if anything receives them. */
  function sealTrades({ _id: address, decimals }: TokenRecord, records: readonly TradeRecord[]): void {
    const hasListeners = publisher.hasMembers({ address });
    const hasSubscribers = bus.hasSubscribers('trade');
    if (!hasListeners && !hasSubscribers) return;
    const payload = { address, trades: records.map((trade) => presentTrade(trade, decimals)) };
    if (hasListeners) roomEvents.push(() => publisher.send('token-trades', { address }, payload));
    if (hasSubscribers) domainEvents.push({ name: 'trade', payload });
  }

  return {
    /** Tokens to publish with the next tick. */
    tokens: pending.tokens,
    addToken: (live: LiveToken) => void pending.tokens.add(live),
    addLists: (changes: readonly ListChange[]) => void pending.lists.push(...changes),
    addTrade: (live: LiveToken, record: TradeRecord) => void pending.trades.push({ live, record }),
    /** Drops everything about removed tokens that is not sealed yet. */
    forget(removed: ReadonlySet<LiveToken>) {
      for (const live of removed) pending.tokens.delete(live);
      pending.lists = pending.lists.filter(({ live }) => !removed.has(live));
      pending.trades = pending.trades.filter(({ live }) => !removed.has(live));
    },
    /** Adds removals to the next publication, after everything that is sealed. */
    addRemovals(added: readonly RemovedTokens[]) {
      removals.push(...added);
      for (const payload of added) feed.push({ event: 'tokens-removed', payload });
    },
    /** Adds changes of tokens that are not in memory to the next publication. The context holds the time and the rate. */
    addPatches: (patches: readonly TokenPatch[], context: PatchContext) => feed.push(...updatesOf(patches, context)),
    /** Builds the events from the present state. The context holds the tick's time and rate. */
    seal(context: PatchContext) {
      const sealed = sealTokens(pending.tokens, context);
      for (const event of sealed.feed) feed.push(event);
      if (sealed.changes.length > 0) {
        domainEvents.push({ name: 'token-changed', payload: { at: context.at, changes: sealed.changes } });
      }
      for (const { record } of sealed.risks) {
        const target = { address: record._id };
        if (!publisher.hasMembers(target)) continue;
        const payload = { ...target, version: record.version, risk: presentRisk(record) };
        roomEvents.push(() => publisher.send('token-risk', target, payload));
      }
      for (const { live, list, active } of pending.lists.splice(0)) {
        const token = presentToken(live.record);
        feed.push({ event: list, payload: { token, active } });
        domainEvents.push({ name: 'token-listed', payload: { list, token, active } });
      }
      for (const [{ record }, trades] of groupTrades(pending.trades.splice(0))) sealTrades(record, trades);
    },
    /**
     * Publishes everything that is sealed: to the rooms, to the feed, and as domain events. Resolves with the feed position
     * that covers all of it, or with null when the feed has dropped it: then a new epoch makes clients fetch it.
     * The domain events do not wait for the feed's acknowledgement: trading goes on while the feed is away.
     */
    publish(): Promise<FeedCursor | null> {
      const events = domainEvents;
      domainEvents = [];
      // Before clients refetch: a subscriber drops its cached lists.
      for (const removed of removals.splice(0)) bus.emit('token-removed', removed);
      for (const send of roomEvents.splice(0)) send();
      const published = feed.publish();
      for (const { name, payload } of events) bus.emit(name, payload);
      return published;
    },
  };
}

/** Creates the events of the feed that the next publication takes. */
function createFeedQueue(publisher: Publisher, log: Logger) {
  let waiting: FeedEvent[] = [];
  return {
    push: (...events: readonly FeedEvent[]): void => void waiting.push(...events),
    /** Publishes all of them. Resolves with the feed position after them; null when the feed has dropped them. */
    async publish(): Promise<FeedCursor | null> {
      if (waiting.length === 0) return publisher.cursor();
      const events = waiting;
      waiting = [];
      try {
        const cursor = await publisher.publish(events);
        // A new epoch replaces them: clients fetch again, and lists are as new as the next publication.
        return cursor.seq === 0 ? null : cursor;
      } catch (error) {
        // Not kept: publications that fail together would return in another order. A new epoch replaces them, too.
        log.error({ error, dropped: events.length }, 'feed unavailable, events dropped for a new epoch');
        return null;
      }
    },
  };
}

function groupTrades(trades: readonly Pending['trades'][number][]): Map<LiveToken, TradeRecord[]> {
  const groups = new Map<LiveToken, TradeRecord[]>();
  for (const { live, record } of trades) {
    const group = groups.get(live);
    if (group) group.push(record);
    else groups.set(live, [record]);
  }
  return groups;
}

/** Builds the events of changed tokens and empties the set. */
function sealTokens(tokens: Set<LiveToken>, { at, solUsd }: PatchContext) {
  const feed: FeedEvent[] = [];
  const patches: TokenPatch[] = [];
  const changes: TokenChange[] = [];
  const risks: LiveToken[] = [];
  for (const live of tokens) {
    live.changed = false;
    if (live.factsChanged) risks.push(live);
    live.factsChanged = false;
    const token = presentToken(live.record);
    const isNew = live.published === null;
    if (live.published === null || live.mustReplace) {
      feed.push({ event: 'new-token', payload: { token } });
      live.mustReplace = false;
    } else {
      const patch = diffToken(live.published, token, solUsd);
      if (patch) patches.push(patch);
    }
    changes.push({ token, isNew, isComplete: live.record.complete });
    // Overwritten in place: objects that survive from one change to the next would fill the old generation.
    if (live.published === null) live.published = { ...token };
    else Object.assign(live.published, token);
  }
  tokens.clear();
  feed.push(...updatesOf(patches, { at, solUsd }));
  return { feed, changes, risks };
}

function updatesOf(patches: readonly TokenPatch[], { at, solUsd }: PatchContext): FeedEvent[] {
  const events: FeedEvent[] = [];
  for (let from = 0; from < patches.length; from += MAX_PATCHES) {
    events.push({ event: 'token-updates', payload: { at, solUsd, patches: patches.slice(from, from + MAX_PATCHES) } });
  }
  return events;
}
