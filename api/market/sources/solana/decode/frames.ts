import type { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createGrowingCache } from '../../../../platform/growing-cache.ts';
import type { Observation } from '../../observation.ts';
import type { DecodeFault } from './decode-event.ts';
import { createPoolRegistry, type PoolRegistry } from './pools.ts';
import { type EmittedEvent, type FetchedTransaction, loggedEvents, transactionEvents } from './program-events.ts';
import type { EventContext, Protocol, RejectReason } from './protocol.ts';
import { createPump } from './pump.ts';
import { createPumpSwap } from './pump-swap.ts';

/** Content of one WebSocket frame. */
export type Frame =
  /** Response to one of our requests. */
  | { kind: 'response'; id: number; result: unknown }
  /** Error of a request (`id`), or of the connection (`id` null). */
  | { kind: 'error'; id: number | null; code: number; message: string }
  /** A failed transaction: most frames are attempts of bots. */
  | { kind: 'failed'; signature: string; slot: number }
  /** `truncated`: the node truncated the logs; the observations are a certain beginning, and the transaction has the rest. */
  | {
      kind: 'transaction';
      signature: string;
      slot: number;
      truncated: boolean;
      observations: Observation[];
      logs: readonly string[];
    }
  /** Another JSON-RPC message. */
  | { kind: 'other' }
  | { kind: 'garbage' };

/** Number of events by outcome. */
export type FrameCounts = Record<DecodeFault | RejectReason | 'duplicate' | 'events' | 'garbage' | 'failed', number>;

export interface FrameTimes {
  /** Receive time, epoch ms. */
  receivedAt: number;
  /** Added to block times, ms; 0 for live frames. */
  shift: number;
}

export type Frames = ReturnType<typeof createFrames>;

/** Recent signatures and events kept for deduplication: over 15 minutes at mainnet's rate of about 50 events a second. */
const recentLimit = 50_000;

const responseSchema = z.object({ id: z.number(), result: z.unknown() });
const errorSchema = z.object({
  id: z.number().nullable().optional(),
  error: z.object({ code: z.number(), message: z.string() }),
});
const notificationSchema = z.object({
  method: z.literal('logsNotification'),
  params: z.object({
    result: z.object({
      context: z.object({ slot: z.int().nonnegative() }),
      value: z.object({
        signature: z.string().min(1).max(128),
        err: z.unknown(),
        logs: z.array(z.string()).nullable(),
      }),
    }),
  }),
});

/**
 * Decodes node messages into observations, live and replayed alike. Each event, by signature and index, is returned once.
 *
 * @param options.slotMs returns the present length of a slot of the cluster, ms, null while it is not known; unknown by default
 * @param options.pools names the coins of pools; its own registry by default
 * @param options.protocols creates the readers of the followed programs; pump.fun and PumpSwap by default
 */
export function createFrames(options: {
  source: EventContext['source'];
  cluster: EventContext['cluster'];
  slotMs?: () => number | null;
  pools?: PoolRegistry;
  protocols?: (pools: PoolRegistry) => readonly Protocol[];
  limit?: number;
}) {
  const {
    source,
    cluster,
    slotMs = () => null,
    pools = createPoolRegistry(),
    protocols: create = pumpProtocols,
    limit = recentLimit,
  } = options;
  const protocols = new Map(create(pools).map((protocol) => [protocol.program, protocol]));
  const programs = new Set(protocols.keys());
  const transactions = createGrowingCache<true>(limit);
  const counts = emptyCounts();
  const observe = createObserver({ source, cluster, slotMs }, protocols, counts, createGrowingCache<true>(limit));

  function readNotification(notification: z.infer<typeof notificationSchema>, times: FrameTimes): Frame {
    const { context, value } = notification.params.result;
    const { signature, logs } = value;
    const { slot } = context;
    if (value.err !== null) {
      counts.failed += 1;
      return { kind: 'failed', signature, slot };
    }
    // A node without logs sends null: the same as logs truncated at the start.
    const { events, truncated } = logs === null ? { events: [], truncated: true } : loggedEvents(logs, programs);
    const observations = observe(signature, slot, events, times);
    if (!truncated) transactions.set(signature, true);
    return { kind: 'transaction', signature, slot, truncated, observations, logs: logs ?? [] };
  }

  return {
    /** Decodes one WebSocket frame. Never throws. */
    read(raw: string, times: FrameTimes): Frame {
      const message = parseJson(raw);
      const notification = notificationSchema.safeParse(message);
      if (notification.success) return readNotification(notification.data, times);
      const refusal = errorSchema.safeParse(message);
      if (refusal.success) return { kind: 'error', id: refusal.data.id ?? null, ...refusal.data.error };
      const response = responseSchema.safeParse(message);
      if (response.success) return { kind: 'response', id: response.data.id, result: response.data.result };
      if (isOtherNotification(message)) return { kind: 'other' };
      counts.garbage += 1;
      return { kind: 'garbage' };
    },
    /** Decodes a transaction fetched over RPC; returns only events that no frame contained. Never throws. */
    readTransaction(signature: string, transaction: FetchedTransaction, times: FrameTimes): Observation[] {
      const observations = observe(signature, transaction.slot, transactionEvents(transaction, programs), times);
      transactions.set(signature, true);
      return observations;
    },
    /** Whether the transaction has been read completely. */
    isRead: (signature: string): boolean => transactions.has(signature),
    counts: (): Readonly<FrameCounts> => counts,
  };
}

const pumpProtocols = (pools: PoolRegistry): readonly Protocol[] => [createPump(pools), createPumpSwap(pools)];

function emptyCounts(): FrameCounts {
  return {
    events: 0,
    duplicate: 0,
    failed: 0,
    garbage: 0,
    unknown: 0,
    truncated: 0,
    malformed: 0,
    'quote-mint': 0,
    'too-large': 0,
    'bad-time': 0,
    impossible: 0,
    'unknown-pool': 0,
    'other-pool': 0,
  };
}

/** Returns a function that decodes the events of one transaction, in order, into observations of new events. */
function createObserver(
  { slotMs, ...origin }: Pick<EventContext, 'source' | 'cluster'> & { slotMs: () => number | null },
  protocols: ReadonlyMap<string, Protocol>,
  counts: FrameCounts,
  recentEvents: LRUCache<string, true>,
) {
  return (signature: string, slot: number, events: readonly EmittedEvent[], times: FrameTimes): Observation[] => {
    const observations: Observation[] = [];
    const indexes = new Map<Protocol, number>();
    for (const { program, bytes } of events) {
      const protocol = protocols.get(program);
      if (protocol === undefined) continue;
      const index = indexes.get(protocol) ?? protocol.firstIndex;
      indexes.set(protocol, index + 1);
      const key = `${signature}:${index}`;
      if (recentEvents.has(key)) {
        counts.duplicate += 1;
        continue;
      }
      const read = protocol.read(bytes, { ...origin, slotMs: slotMs(), chain: { signature, index, slot }, ...times });
      counts[read.ok ? 'events' : read.reason] += 1;
      // An event that could not be decoded may come again complete, from the transaction.
      if (read.ok || !isFault(read.reason)) recentEvents.set(key, true);
      if (read.ok) observations.push(read.observation);
    }
    return observations;
  };
}

function isFault(reason: DecodeFault | RejectReason): reason is DecodeFault {
  return reason === 'unknown' || reason === 'truncated' || reason === 'malformed';
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Counted as garbage by the caller: undefined matches no shape.
    return undefined;
  }
}

function isOtherNotification(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('method' in message)) return false;
  return typeof message.method === 'string' && message.method !== 'logsNotification';
}
