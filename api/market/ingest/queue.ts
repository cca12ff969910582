import type { Logger } from 'pino';
import { sourceNames } from '../../../common/sources/model.ts';
import type { Clock } from '../../../common/time.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import type { EventMeter } from '../health.ts';
import type { MarketStore } from '../publish/store.ts';
import type { CreatedObservation, Observation, RateObservation, SymbolsObservation } from '../sources/observation.ts';
import type { Source, SourceContext, StoredToken } from '../sources/source.ts';
import type { TokenObservation } from '../token/merge/merge.ts';
import { isPossible } from './bounds.ts';

/** Observations merged in one tick; the rest waits for the next, so that no tick blocks for long. */
const MAX_BATCH = 5_000;
/** Capacity of the queue. A source that can wait does so far below it; beyond it the newest observations are dropped. */
const MAX_QUEUE = 200_000;
/** Events remembered to drop duplicates: about an hour of all pump.fun trades. */
const RECENT_EVENTS = 50_000;
/** Observations before a creation among which its trades are searched: far more than a slot has. */
const MAX_LATE = 500;
/** Removed tokens remembered, so that later reports do not bring them back. */
const BLOCKED_TOKENS = 100_000;

/** A tick's share of the queue, in the order of arrival and without duplicates. */
export interface IngestBatch {
  rates: RateObservation[];
  symbols: SymbolsObservation[];
  tokens: TokenObservation[];
  /** Receive times (epoch ms) of the live observations among `tokens`. */
  received: number[];
}

/** Observations that wait to be merged. */
export type IngestQueue = ReturnType<typeof createIngestQueue>;

/** Creates the queue between the sources and the merge. */
export function createIngestQueue(log: Logger) {
  let queue: Observation[] = [];
  let isUnwanted: ((observation: Observation) => boolean) | null = null;
  let dropped = 0;
  const backfilled = new WeakSet<Observation>();
  const seen = createGrowingCache<true>(RECENT_EVENTS);
  const blocked = createGrowingCache<true>(BLOCKED_TOKENS);

  function wanted(observations: readonly Observation[]): readonly Observation[] {
    const drop = isUnwanted;
    return drop === null ? observations : observations.filter((observation) => !drop(observation));
  }

  function markSeen(eventId: string): boolean {
    if (seen.has(eventId)) return false;
    seen.set(eventId, true);
    return true;
  }

  return {
    get size(): number {
      return queue.length;
    },
    /**
     * Appends observations. Never throws and never waits. Returns the number of those refused as impossible, see bounds.ts.
     * `backfill`: read afterwards rather than live.
     */
    add(observations: readonly Observation[], how?: 'backfill'): number {
      let refused = 0;
      const droppedBefore = dropped;
      for (const observation of wanted(observations)) {
        if (!isPossible(observation)) refused += 1;
        else if (queue.length >= MAX_QUEUE) dropped += 1;
        else {
          queue.push(observation);
          if (how === 'backfill') backfilled.add(observation);
        }
      }
      if (dropped > droppedBefore) log.error({ dropped }, 'ingest queue full, newest observations dropped');
      return refused;
    },
    /** Removes and returns the next batch. */
    take(): IngestBatch {
      const batch: IngestBatch = { rates: [], symbols: [], tokens: [], received: [] };
      for (const observation of queue.splice(0, MAX_BATCH)) {
        if (observation.kind === 'rate') batch.rates.push(observation);
        else if (observation.kind === 'symbols') batch.symbols.push(observation);
        else if (blocked.has(observation.address)) continue;
        else if (!('chain' in observation) || markSeen(`${observation.chain.signature}:${observation.chain.index}`)) {
          batch.tokens.push(observation);
          if (observation.kind === 'created') moveCreationUp(batch.tokens, observation);
        }
      }
      batch.received = batch.tokens.filter((one) => !backfilled.has(one)).map(({ receivedAt }) => receivedAt);
      return batch;
    },
    /** Remembers the chain event `<signature>:<index>`. Returns false when it was seen before. */
    markSeen,
    /** Drops every present and future observation about these tokens. */
    block(addresses: readonly string[]): void {
      for (const address of addresses) blocked.set(address, true);
    },
    isBlocked: (address: string): boolean => blocked.has(address),
    /** Drops present and future observations that match, until it is called with null. */
    filter(unwanted: ((observation: Observation) => boolean) | null): void {
      isUnwanted = unwanted;
      queue = [...wanted(queue)];
    },
  };
}

/** Moves a creation, the last of a batch, before a trade of its coin in the same slot that was read first. */
function moveCreationUp(tokens: TokenObservation[], creation: CreatedObservation): void {
  const { slot } = creation.chain;
  if (slot === null) return;
  const last = tokens.length - 1;
  let first = last;
  for (let index = last - 1; index >= Math.max(0, last - MAX_LATE); index -= 1) {
    const one = tokens[index];
    if (one?.kind === 'trade' && one.address === creation.address && (one.chain.slot ?? -1) >= slot) first = index;
  }
  if (first === last) return;
  tokens.pop();
  tokens.splice(first, 0, creation);
}

/** Receives every observation before it is merged. `backfilled`: read afterwards rather than live. */
export type OnObserved = (source: string, observations: readonly Observation[], backfilled: boolean) => void;

export interface SourceContextDeps {
  queue: IngestQueue;
  store: Pick<MarketStore, 'recentTokens' | 'tokens'>;
  /** Returns whether the token is in memory. */
  has: (address: string) => boolean;
  /** Returns the addresses of pinned tokens. */
  pinned: () => readonly string[];
  usage: SourceContext['usage'];
  meter: EventMeter;
  clock: Clock;
  log: Logger;
  /** Must be quick and must not throw. */
  onObserved: OnObserved;
  /** Receives the number of observations refused as impossible. */
  onRefused: (source: string, count: number) => void;
}

/** Creates the context that a source receives at its start: the way into the queue, and its tokens of the last day. */
export function createSourceContext(source: Source, deps: SourceContextDeps): SourceContext {
  const { queue, store, has, pinned, usage, meter, clock, log, onObserved, onRefused } = deps;
  // `replay:<file>` marks its tokens as detected by `replay`.
  const detectedBy = sourceNames.find((name) => source.name === name || source.name.startsWith(`${name}:`));
  return {
    observe(observations, how) {
      meter.add(source.name, observations.length);
      onObserved(source.name, observations, how === 'backfill');
      const refused = queue.add(observations, how);
      if (refused > 0) onRefused(source.name, refused);
    },
    backlog: () => queue.size,
    async storedTokens(also = []) {
      if (detectedBy === undefined) return [];
      const isPinned = new Set(pinned());
      const addresses = new Set([...isPinned, ...also]);
      const first = addresses.size === 0 ? [] : await store.tokens([...addresses]);
      const recent = await store.recentTokens(detectedBy, clock.now());
      const own = first.filter((record) => record.detectedBy === detectedBy);
      return [
        ...own
          .filter(({ _id }) => isPinned.has(_id))
          .map((record) => ({ ...storedToken(record), isPinned: true as const })),
        ...own.filter(({ _id }) => !isPinned.has(_id)).map(storedToken),
        ...recent.filter(({ _id }) => !addresses.has(_id)).map(storedToken),
      ];
    },
    async followed(addresses) {
      const found = new Set(addresses.filter(has));
      const others = addresses.filter((address) => !found.has(address));
      const stored = others.length === 0 ? [] : await store.tokens(others);
      for (const { _id } of stored) found.add(_id);
      return found;
    },
    usage,
    log: log.child({ source: source.name }),
  };
}

function storedToken(record: TokenRecord): StoredToken {
  const { _id: address, symbol, creator, lastTradeAt, stage, reserves, lastSignature } = record;
  const createdAt = record.createdAt ?? record.listedAt;
  const isListed = record.detectedBy === 'simulator' && record.cluster === 'local';
  const token = { address, symbol, creator, createdAt, lastTradeAt, stage, reserves, lastSignature };
  return isListed ? { ...token, isListed } : token;
}
