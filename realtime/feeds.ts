import type { FeedEntry, RoomMessage } from './feed-log/feed-log.ts';

/** A room, for which Socket.IO builds its frame once, or a single socket. */
interface Recipients {
  emit(event: string, payload: unknown): unknown;
}

/** Emits an entry of the numbered feed, or an unnumbered event. Socket.IO's types lose the pair of event and payload in a union. */
export function emitTo(recipients: Recipients, { event, payload }: FeedEntry | RoomMessage): void {
  recipients.emit(event, payload);
}
