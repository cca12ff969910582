import { z } from 'zod';
import type { Observation } from '../../observation.ts';
import { pumpProgram } from '../programs.ts';
import { createSeen } from '../seen.ts';
import { type DecodeFault, decodeEvent } from './decode-event.ts';
import { programData } from './program-events.ts';
import { type EventContext, observeEvent, type RejectReason } from './to-observation.ts';
import { type FetchedTransaction, transactionEvents } from './transaction.ts';

/** What one WebSocket frame was. */
export type Frame =
  /** Answer to a request of ours. */
  | { kind: 'answer'; id: number; result: unknown }
  /** Refusal of a request (`id`), or of the connection (`id` null). */
  | { kind: 'error'; id: number | null; code: number; message: string }
  /** A transaction that changed nothing: most frames are attempts of bots. */
  | { kind: 'failed'; signature: string; slot: number }
  /** `truncated`: the node cut the logs; the observations are the certain beginning and the transaction has the rest. */
  | { kind: 'transaction'; signature: string; slot: number; truncated: boolean; observations: Observation[] }
  /** JSON-RPC that does not concern us. */
  | { kind: 'other' }
  | { kind: 'garbage' };

/** Why an event was dropped, and how many of them. */
export type FrameCounts = Record<DecodeFault | RejectReason | 'duplicate' | 'events' | 'garbage' | 'failed', number>;

export interface FrameTimes {
  /** When the frame was heard, epoch ms. */
  receivedAt: number;
  /** Added to times on chain, ms; 0 while live. */
  shift: number;
}

export interface Frames {
  /** Reads one frame as it came over the WebSocket. Never throws. */
  read(raw: string, times: FrameTimes): Frame;
  /** Reads a transaction fetched over RPC; what frames told of it already is left out. Never throws. */
  readTransaction(signature: string, transaction: FetchedTransaction, times: FrameTimes): Observation[];
  /** Whether all of this transaction has been read. */
  isRead(signature: string): boolean;
  counts(): Readonly<FrameCounts>;
}

/** Signatures and events remembered: at mainnet's rate of about 50 events a second more than a quarter of an hour. */
const seenLimit = 50_000;

const answerSchema = z.object({ id: z.number(), result: z.unknown() });
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
 * The one way from what a node sends to observations, live and replayed alike. Events are told apart by signature and
 * index, and each is handed on once.
 */
export function createFrames(options: {
  source: EventContext['source'];
  cluster: EventContext['cluster'];
  limit?: number;
}): Frames {
  const { limit = seenLimit } = options;
  const events = createSeen(limit);
  const transactions = createSeen(limit);
  const counts: FrameCounts = {
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
  };

  /** Event bytes in order → what is new of them. */
  function observe(signature: string, slot: number, payloads: readonly Buffer[], times: FrameTimes): Observation[] {
    const observations: Observation[] = [];
    for (const [index, bytes] of payloads.entries()) {
      const decoded = decodeEvent(bytes);
      if (!decoded.ok) {
        counts[decoded.fault] += 1;
        continue;
      }
      if (!events.add(`${signature}:${index}`)) {
        counts.duplicate += 1;
        continue;
      }
      const chain = { signature, index, slot };
      const observed = observeEvent(decoded.event, {
        source: options.source,
        cluster: options.cluster,
        chain,
        ...times,
      });
      counts[observed.ok ? 'events' : observed.reason] += 1;
      if (observed.ok) observations.push(observed.observation);
    }
    return observations;
  }

  function readNotification(notification: z.infer<typeof notificationSchema>, times: FrameTimes): Frame {
    const { context, value } = notification.params.result;
    const { signature, logs } = value;
    const { slot } = context;
    if (value.err !== null) {
      counts.failed += 1;
      return { kind: 'failed', signature, slot };
    }
    // A node that keeps no logs sends null: the same as logs that were cut at once.
    const { data, truncated } = logs === null ? { data: [], truncated: true } : programData(logs, pumpProgram);
    const payloads = data.map((text) => Buffer.from(text, 'base64'));
    const observations = observe(signature, slot, payloads, times);
    if (!truncated) transactions.add(signature);
    return { kind: 'transaction', signature, slot, truncated, observations };
  }

  function read(raw: string, times: FrameTimes): Frame {
    const message = parseJson(raw);
    const notification = notificationSchema.safeParse(message);
    if (notification.success) return readNotification(notification.data, times);
    const refusal = errorSchema.safeParse(message);
    if (refusal.success) return { kind: 'error', id: refusal.data.id ?? null, ...refusal.data.error };
    const answer = answerSchema.safeParse(message);
    if (answer.success) return { kind: 'answer', id: answer.data.id, result: answer.data.result };
    if (isOtherNotification(message)) return { kind: 'other' };
    counts.garbage += 1;
    return { kind: 'garbage' };
  }

  return {
    read,
    readTransaction(signature, transaction, times) {
      const observations = observe(signature, transaction.slot, transactionEvents(transaction, pumpProgram), times);
      transactions.add(signature);
      return observations;
    },
    isRead: (signature) => transactions.has(signature),
    counts: () => counts,
  };
}

function parseJson(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    // Counted as garbage by the caller: undefined fits none of the shapes.
    return undefined;
  }
}

function isOtherNotification(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('method' in message)) return false;
  return typeof message.method === 'string' && message.method !== 'logsNotification';
}
