import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import type { Ack } from '../../common/live/events.ts';
import type { Topic } from '../../common/live/rooms.ts';
import type { Client } from '../client.ts';
import { checkRoom, subscribe } from './topics.ts';

/** Records that an administrator follows the room of another user. Rejects when it is not recorded. */
export type RecordWatch = (client: Client, userId: string) => Promise<void>;

/** A subscription that joins its room once it is recorded, unless the client has left before. */
interface Pending {
  ack: Promise<Ack>;
  isLeft: boolean;
}

/** Subscriptions to rooms of other users: each is recorded before the client joins, and never without a record. */
export interface RecordedSubscriptions {
  /** Resolves with the ack, also when recording fails. */
  subscribe(client: Client, topic: Topic, userId: string): Promise<Ack>;
  /** Gives up a subscription that is being recorded. */
  leave(client: Client, topic: Topic): void;
}

export function createRecordedSubscriptions(deps: {
  recordWatch: RecordWatch;
  maxTopics: number;
  log: Logger;
}): RecordedSubscriptions {
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
    subscribe(client, topic, userId) {
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
    leave(client, topic) {
      const pendings = pendingOf.get(client);
      const pending = pendings?.get(topic);
      if (pending === undefined) return;
      pending.isLeft = true;
      pendings?.delete(topic);
    },
  };
}
