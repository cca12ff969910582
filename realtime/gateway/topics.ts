import type { SessionUser } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Ack } from '../../common/live/events.ts';
import { rooms, type Topic, topicSchema } from '../../common/live/rooms.ts';
import type { Client } from '../client.ts';

/** Who may hear what (L3). What is not named here, nobody may hear. */
export function mayHear(user: SessionUser, topic: Topic): boolean {
  switch (topic) {
    case 'tokens':
      return true;
    case 'admin':
    case 'diagnostics':
      return user.isAdmin;
    default:
      if (topic.startsWith('token:')) return true;
      return user.isAdmin || topic === rooms.user(user.id);
  }
}

/** What the client wants to hear, whether it hears it now or has to catch up first. */
export function topicsOf({ socket, behind }: Client): Set<Topic> {
  if (behind) return behind.topics;
  return new Set([...socket.rooms].filter(isTopic));
}

/** False for the room that Socket.IO makes for every socket. */
function isTopic(room: string): room is Topic {
  return topicSchema.safeParse(room).success;
}

/** Lets the client hear `topic`, at once or, while it is behind, as soon as it has caught up. */
export function subscribe(client: Client, topic: Topic, maxTopics: number): Ack {
  if (!mayHear(client.user, topic)) return new PublicError('forbidden').body();
  const topics = topicsOf(client);
  if (topics.size >= maxTopics && !topics.has(topic)) {
    const text = `A connection can follow ${maxTopics} topics at most.`;
    return new PublicError('too-many-requests', { text }).body();
  }
  if (client.behind) client.behind.topics.add(topic);
  else void client.socket.join(topic);
  return { ok: true };
}

export function unsubscribe(client: Client, topic: Topic): Ack {
  client.behind?.topics.delete(topic);
  void client.socket.leave(topic);
  return { ok: true };
}
