import type { Logger } from 'pino';
import { z } from 'zod';
import { type ErrorCode, PublicError } from '../../common/errors.ts';
import { fieldErrors, parseInput } from '../../common/field-errors.ts';
import { type Ack, type ClientEventName, clientEvents } from '../../common/live/events.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import { type GatewayLimits, newAllowance, take } from '../limits.ts';
import { subscribe, unsubscribe } from './topics.ts';

/** A replay reads the log and fills a queue, so it counts as this many events. */
const REPLAY_COST = 5;

interface Deps {
  replay: (client: Client, cursor: FeedCursor) => void;
  limits: GatewayLimits;
  clock: Clock;
  log: Logger;
}

/** Something that was meant to be a topic. */
const namesTopic = z.object({ topic: z.string() });

type Receiver = (client: Client, input: unknown) => Ack;

/** Turns whatever a client says into one answer: nothing it sends may throw, end the process, or stay without an ack (L3). */
export function createReceive({ replay, limits, clock, log }: Deps) {
  const receivers: Record<ClientEventName, Receiver> = {
    subscribe: receiver(clientEvents.subscribe, (client, { topic }) => subscribe(client, topic, limits.topics)),
    unsubscribe: receiver(clientEvents.unsubscribe, (client, { topic }) => unsubscribe(client, topic)),
    replay: receiver(clientEvents.replay, (client, cursor) => {
      if (!isAllowed(client, REPLAY_COST)) return failure('too-many-requests');
      replay(client, cursor);
      return { ok: true };
    }),
    echo: receiver(clientEvents.echo, () => ({ ok: true })),
  };

  function isAllowed(client: Client, cost: number): boolean {
    const now = clock.now();
    client.allowance ??= newAllowance(limits.eventsPerSecond, now);
    return take(client.allowance, limits.eventsPerSecond, now, cost);
  }

  function answerTo(client: Client, name: unknown, inputs: unknown[]): Ack {
    if (!isAllowed(client, 1)) return failure('too-many-requests');
    if (!isClientEvent(name)) return failure('unknown-event');
    if (inputs.length > 1) return failure('invalid-input');
    return receivers[name](client, inputs[0]);
  }

  return (client: Client, name: unknown, args: unknown[]): void => {
    try {
      const last = args.at(-1);
      const ack = isAck(last) ? last : null;
      const answer = answerTo(client, name, ack ? args.slice(0, -1) : args);
      ack?.(answer);
    } catch (error) {
      // Socket.IO calls this from a bare tick: a throw would end the process.
      log.error({ error, event: name }, 'an event could not be handled');
      client.socket.disconnect(true);
    }
  };
}

function receiver<Schema extends z.ZodType>(
  schema: Schema,
  handle: (client: Client, input: z.infer<Schema>) => Ack,
): Receiver {
  return (client, raw) => {
    const input = parseInput(schema, raw);
    return input.success ? handle(client, input.data) : refusal(raw, input.issues);
  };
}

function refusal(raw: unknown, issues: z.core.$ZodIssue[]): Ack {
  const isOnlyTopicWrong = issues.every(({ path }) => path[0] === 'topic');
  if (isOnlyTopicWrong && namesTopic.safeParse(raw).success) return failure('unknown-topic');
  return new PublicError('invalid-input', { details: fieldErrors(issues) }).body();
}

function failure(code: ErrorCode): Ack {
  return new PublicError(code).body();
}

function isClientEvent(name: unknown): name is ClientEventName {
  return typeof name === 'string' && Object.hasOwn(clientEvents, name);
}

function isAck(value: unknown): value is (answer: Ack) => void {
  return typeof value === 'function';
}
