import { rooms } from '../common/live/rooms.ts';
import type { Io, LiveSocket } from './client.ts';
import type { FeedEntry, RoomMessage } from './feed-log/feed-log.ts';

/** Recipients of one emit. Socket.IO's types lose the pair of event and payload in a union, so both are plain here. */
interface Recipients {
  emit(event: string, payload: unknown): unknown;
}

/** Emits an entry of the numbered feed to the room `tokens`. One broadcast an event, so that Socket.IO builds its frame once. */
export function broadcastEntry(io: Io, { event, payload }: FeedEntry): void {
  const recipients: Recipients = io.to(rooms.tokens);
  recipients.emit(event, payload);
}

/** Emits the same to one socket, for a replay. */
export function replayEntry(socket: LiveSocket, { event, payload }: FeedEntry): void {
  const recipient: Recipients = socket;
  recipient.emit(event, payload);
}

/** Emits an unnumbered event, such as the trades of a token, to the members of its room. */
export function emitToRoom(io: Io, { room, event, payload }: RoomMessage): void {
  const recipients: Recipients = io.to(room);
  recipients.emit(event, payload);
}
