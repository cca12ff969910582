import { rooms } from '../../common/live/rooms.ts';
import type { Io } from '../client.ts';
import type { FeedEntry, RoomMessage } from '../feed-log/feed-log.ts';

/** Those who hear the same thing at the same time. */
export type Audience = ReturnType<Io['to']>;

/** The numbered feed: everyone in the room `tokens`. One broadcast an event, so that Socket.IO builds its frame once for all. */
export function feedToAll(io: Io, entry: FeedEntry): void {
  emitEntry(io.to(rooms.tokens), entry);
}

/** The same to one socket, for a replay. */
export function feedToOne(io: Io, socketId: string, entry: FeedEntry): void {
  emitEntry(io.to(socketId), entry);
}

function emitEntry(audience: Audience, entry: FeedEntry): void {
  switch (entry.event) {
    case 'new-token':
      audience.emit(entry.event, entry.payload);
      break;
    case 'token-updates':
      audience.emit(entry.event, entry.payload);
      break;
    case 'runner':
      audience.emit(entry.event, entry.payload);
      break;
    case 'might-run':
      audience.emit(entry.event, entry.payload);
      break;
    case 'tokens-removed':
      audience.emit(entry.event, entry.payload);
      break;
  }
}

/** What is said to one room, such as the trades of a token: everyone in that room. */
export function messageToRoom(io: Io, message: RoomMessage): void {
  const audience = io.to(message.room);
  switch (message.event) {
    case 'token-trades':
      audience.emit(message.event, message.payload);
      break;
    case 'token-risk':
      audience.emit(message.event, message.payload);
      break;
    case 'transaction':
      audience.emit(message.event, message.payload);
      break;
    case 'user-data':
      audience.emit(message.event, message.payload);
      break;
    case 'alert':
      audience.emit(message.event, message.payload);
      break;
    case 'bot-status':
      audience.emit(message.event, message.payload);
      break;
    case 'admin-stats':
      audience.emit(message.event, message.payload);
      break;
    case 'system-status':
      audience.emit(message.event, message.payload);
      break;
    case 'maintenance':
      audience.emit(message.event, message.payload);
      break;
    case 'detection-stats':
      audience.emit(message.event, message.payload);
      break;
    case 'hello':
    case 'resync':
      // Only a gateway says these, each to a single socket.
      break;
  }
}
