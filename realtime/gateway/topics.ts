import type { SessionUser } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Ack } from '../../common/live/events.ts';
import { rooms, type Topic } from '../../common/live/rooms.ts';
import type { Client } from '../client.ts';
import { joinRoom, leaveRoom, roomsOf } from './membership.ts';

/** Returns whether a topic is a filtered list. */
export function isList(topic: Topic): boolean {
  return topic.startsWith(rooms.list(''));
}

/** Returns whether a user may join a room (L3). */
export function mayJoin(user: SessionUser, topic: Topic): boolean {
  switch (topic) {
    case 'tokens':
      return true;
    case 'admin':
    case 'diagnostics':
      return user.isAdmin;
    default:
      if (topic.startsWith('token:') || isList(topic)) return true;
      return user.isAdmin || topic === rooms.user(user.id);
  }
}

/** Returns the topics of a client: its rooms, or those it joins after catching up. */
export function topicsOf(client: Client): Set<Topic> {
  return client.behind?.topics ?? new Set(roomsOf(client));
}

/** Returns the id of another user whose room `topic` is; null for every other topic. */
export function watchedUser({ user }: Client, topic: Topic): string | null {
  const prefix = rooms.user('');
  if (!topic.startsWith(prefix) || topic === rooms.user(user.id)) return null;
  return topic.slice(prefix.length);
}

/**
 * Returns null while the client may join one more topic, else the error. `coming`: topics that it is about to join as well.
 */
export function checkRoom(client: Client, topic: Topic, maxTopics: number, coming = 0): Ack | null {
  const topics = topicsOf(client);
  if (topics.size + coming < maxTopics || topics.has(topic)) return null;
  const text = `A connection can follow ${maxTopics} topics at most.`;
  return new PublicError('too-many-requests', { text }).body();
}

/**
 * Joins the client to `topic`. It joins the numbered feed, and after a loss every topic, when it has caught up; an event of
 * another room has no number to catch up from.
 */
export function subscribe(client: Client, topic: Topic, maxTopics: number): Ack {
  if (!mayJoin(client.user, topic)) return new PublicError('forbidden').body();
  const full = checkRoom(client, topic, maxTopics);
  if (full !== null) return full;
  const { behind } = client;
  behind?.topics.add(topic);
  if (!behind || (topic !== rooms.tokens && !behind.lost)) joinRoom(client, topic);
  return { ok: true };
}

export function unsubscribe(client: Client, topic: Topic): Ack {
  client.behind?.topics.delete(topic);
  leaveRoom(client, topic);
  return { ok: true };
}
