import type { RoomEventName, RoomPayload, TargetOf } from '../common/live/events.ts';
import type { FeedCursor } from '../common/live/protocol.ts';
import { type RoomTarget, roomOf } from '../common/live/rooms.ts';
import type { FeedEvent, FeedLog, RoomMessage } from './feed-log/feed-log.ts';

export type { FeedEvent } from './feed-log/feed-log.ts';

/** Sends live events to clients. */
export type Publisher = ReturnType<typeof createPublisher>;

/**
 * Creates a publisher that writes to `log`. `hasMembers` is the gateway's where this process has one; without it a room
 * may have members at a gateway elsewhere.
 */
export function createPublisher(log: FeedLog, hasMembers: (room: string) => boolean = () => true) {
  return {
    /** Appends events to the numbered feed, in this order. Resolves with the position of the last one. */
    publish: (events: readonly FeedEvent[]): Promise<FeedCursor> => log.append(events),
    /** Sends an unnumbered event to one of the rooms declared for it, e.g. `send('alert', { userId }, alert)`. */
    send<Name extends RoomEventName>(event: Name, target: TargetOf<Name>, payload: RoomPayload<Name>): void {
      // TypeScript cannot see that `event` and `payload` stay a pair as members of one object.
      log.relay({ room: roomOf(target), event, payload } as RoomMessage);
    },
    /** Returns false when no client is in the room, so that the payload need not be built. */
    hasMembers: (target: RoomTarget): boolean => hasMembers(roomOf(target)),
    /** Returns the position of the newest feed event. */
    cursor: (): FeedCursor => log.head(),
  };
}
