import type { Logger } from 'pino';
import { z } from 'zod';
import { type ErrorCode, PublicError } from '../../common/errors.ts';
import { fieldErrors, parseInput } from '../../common/field-errors.ts';
import { type Ack, type ClientEventName, clientEvents } from '../../common/live/events.ts';
import { choiceOfList } from '../../common/live/lists.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';
import { rooms, type Topic } from '../../common/live/rooms.ts';
import type { Clock } from '../../common/time.ts';
import type { Client } from '../client.ts';
import { createBucket, type GatewayLimits, take } from '../limits.ts';
import type { ListOpenings, Lists } from './lists.ts';
import { checkRoom, isList, mayJoin, subscribe, topicsOf, unsubscribe, watchedUser } from './topics.ts';

/** Cost of a replay in events, since it reads the log and fills a queue. */
const REPLAY_COST = 5;
/** Cost of a list in events, since it takes a scan of all tokens. */
const LIST_COST = 3;

/** Input with a topic of any text. */
const namesTopic = z.object({ topic: z.string() });

type Handler = (client: Client, input: unknown) => Ack | Promise<Ack>;

/** Creates the handler of client events. Any input leads to one ack: none may throw, end the process, or stay without an ack (L3). */
export function createClientEvents(deps: {
  recordWatch: RecordWatch;
  lists: Pick<Lists, 'has' | 'hasRoom'>;
  openings: ListOpenings;
  replay: (client: Client, cursor: FeedCursor) => void;
  /** Receives the position that a client reports. */
  reported: (client: Client, cursor: FeedCursor) => void;
  limits: GatewayLimits;
  clock: Clock;
  log: Logger;
}) {
  const { recordWatch, lists, openings, replay, reported, limits, clock, log } = deps;
  const recorded = createRecordedSubscriptions({ recordWatch, maxTopics: limits.topics, log });
  const handlers: Record<ClientEventName, Handler> = {
    subscribe: handler(clientEvents.subscribe, (client, { topic }) => {
      const refused = isList(topic) ? refuseList(client, topic) : null;
      if (refused !== null) return refused;
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
    echo: handler(clientEvents.echo, (client, { position }) => {
      if (position) reported(client, position);
      return { ok: true };
    }),
  };

  /** Returns why a client may not follow a list; null when it may. */
  function refuseList(client: Client, topic: Topic): Ack | null {
    const list = topic.slice(rooms.list('').length);
    if (choiceOfList(list) === null) return failure('unknown-topic');
    if (!isAllowed(client, LIST_COST)) return failure('too-many-requests');
    const others = [...topicsOf(client)].filter((other) => isList(other) && other !== topic);
    if (others.length >= limits.listsPerSocket) {
      const text = `A connection can follow ${limits.listsPerSocket} lists at most.`;
      return new PublicError('too-many-requests', { text }).body();
    }
    return lists.has(list) || (lists.hasRoom() && openings.take(client.user)) ? null : failure('too-many-requests');
  }

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

/** Records that an administrator follows the room of another user. Rejects when it is not recorded. */
export type RecordWatch = (client: Client, userId: string) => Promise<void>;

/** A subscription that joins its room once it is recorded, unless the client has left before. */
interface Pending {
  ack: Promise<Ack>;
  isLeft: boolean;
}

/** Subscriptions to rooms of other users: each is recorded before the client joins, and never without a record. */
function createRecordedSubscriptions(deps: { recordWatch: RecordWatch; maxTopics: number; log: Logger }) {
  const { recordWatch, maxTopics, log } = deps;
  const pendingOf = new WeakMap<Client, Map<Topic, Pending>>();

  async function join(client: Client, topic: Topic, recording: Promise<void>, pending: () => Pending): Promise<Ack> {
    try {
      await recording;
    } catch (error) {
      if (error instanceof PublicError) return error.body();
      log.error({ error, topic }, 'subscription not recorded');
      return new PublicError('internal').body();
    }
    // A socket that is gone meanwhile must not leave a member in the room.
    if (!client.socket.connected) return new PublicError('unauthenticated').body();
    return pending().isLeft ? { ok: true } : subscribe(client, topic, maxTopics);
  }

  return {
    /** Resolves with the ack, also when recording fails. */
    subscribe(client: Client, topic: Topic, userId: string): Promise<Ack> {
      const pendings = pendingOf.get(client) ?? new Map<Topic, Pending>();
      pendingOf.set(client, pendings);
      const known = pendings.get(topic);
      if (known !== undefined) return known.ack;
      const full = checkRoom(client, topic, maxTopics, pendings.size);
      if (full !== null) return Promise.resolve(full);
      const ack = join(client, topic, recordWatch(client, userId), () => pending).finally(() => {
        if (pendings.get(topic) === pending) pendings.delete(topic);
      });
      const pending: Pending = { ack, isLeft: false };
      pendings.set(topic, pending);
      return ack;
    },
    /** Gives up a subscription that is being recorded. */
    leave(client: Client, topic: Topic): void {
      const pendings = pendingOf.get(client);
      const pending = pendings?.get(topic);
      if (pending === undefined) return;
      pending.isLeft = true;
      pendings?.delete(topic);
    },
  };
}
