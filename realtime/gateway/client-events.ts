import type { Logger } from 'pino';
import { z } from 'zod';
import { type ErrorCode, PublicError } from '../../common/errors.ts';
import { fieldErrors, parseInput } from '../../common/field-errors.ts';
import { type Ack, type ClientEventName, clientEvents } from '../../common/live/events.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import { createBucket, type GatewayLimits, take } from '../limits.ts';
import { createRecordedSubscriptions, type RecordWatch } from './recorded-subscriptions.ts';
import { mayJoin, subscribe, unsubscribe, watchedUser } from './topics.ts';

/** Cost of a replay in events, since it reads the log and fills a queue. */
const REPLAY_COST = 5;

interface Deps {
  recordWatch: RecordWatch;
  replay: (client: Client, cursor: FeedCursor) => void;
  limits: GatewayLimits;
  clock: Clock;
  log: Logger;
}

/** Input with a topic of any text. */
const namesTopic = z.object({ topic: z.string() });

type Handler = (client: Client, input: unknown) => Ack | Promise<Ack>;

/** Creates the handler of client events. Any input leads to one ack: none may throw, end the process, or stay without an ack (L3). */
export function createClientEvents({ recordWatch, replay, limits, clock, log }: Deps) {
  const recorded = createRecordedSubscriptions({ recordWatch, maxTopics: limits.topics, log });
  const handlers: Record<ClientEventName, Handler> = {
    subscribe: handler(clientEvents.subscribe, (client, { topic }) => {
      const watched = watchedUser(client, topic);
      if (watched === null || !mayJoin(client.user, topic)) return subscribe(client, topic, limits.topics);
      return recorded.subscribe(client, topic, watched);
    }),
    unsubscribe: handler(clientEvents.unsubscribe, (client, { topic }) => {
      recorded.leave(client, topic);
      return unsubscribe(client, topic);
    }),
    replay: handler(clientEvents.replay, (client, cursor) => {
      if (!isAllowed(client, REPLAY_COST)) return failure('too-many-requests');
      replay(client, cursor);
      return { ok: true };
    }),
    echo: handler(clientEvents.echo, () => ({ ok: true })),
  };

  function isAllowed(client: Client, cost: number): boolean {
    const now = clock.now();
    client.eventLimit ??= createBucket(limits.eventsPerSecond, now);
    return take(client.eventLimit, limits.eventsPerSecond, now, cost);
  }

  function handle(client: Client, name: unknown, inputs: unknown[]): Ack | Promise<Ack> {
    if (!isAllowed(client, 1)) return failure('too-many-requests');
    if (!isClientEvent(name)) return failure('unknown-event');
    if (inputs.length > 1) return failure('invalid-input');
    return handlers[name](client, inputs[0]);
  }

  return (client: Client, name: unknown, args: unknown[]): void => {
    // Socket.IO calls this from a bare tick: a throw would end the process.
    const fail = (error: unknown): void => {
      log.error({ error, event: name }, 'client event failed');
      client.socket.disconnect(true);
    };
    try {
      const last = args.at(-1);
      const ack = isAck(last) ? last : null;
      const response = handle(client, name, ack ? args.slice(0, -1) : args);
      // The last one catches: a rejection without a handler would end the process as well.
      if (response instanceof Promise) response.then(ack).catch(fail);
      else ack?.(response);
    } catch (error) {
      fail(error);
    }
  };
}

function handler<Schema extends z.ZodType>(
  schema: Schema,
  handle: (client: Client, input: z.infer<Schema>) => Ack | Promise<Ack>,
): Handler {
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

function isAck(value: unknown): value is (response: Ack) => void {
  return typeof value === 'function';
}
