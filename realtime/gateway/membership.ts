import { rooms, type Topic, topicSchema } from '../../common/live/rooms.ts';
import type { Client } from '../client.ts';

export function joinRoom(client: Client, topic: Topic): void {
  if (topic === rooms.tokens) client.isLive = true;
  else void client.socket.join(topic);
}

export function leaveRoom(client: Client, topic: Topic): void {
  if (topic === rooms.tokens) client.isLive = false;
  else void client.socket.leave(topic);
}

/** Returns the rooms that a client is in. */
export function roomsOf({ socket, isLive }: Client): Topic[] {
  const joined = [...socket.rooms].filter(isTopic);
  return isLive ? [rooms.tokens, ...joined] : joined;
}

/** Socket.IO's types know rooms as plain strings. */
function isTopic(room: string): room is Topic {
  return topicSchema.safeParse(room).success;
}
