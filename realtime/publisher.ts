import type { RoomEventName, RoomPayload } from '../common/live/events.ts';
import type { FeedCursor } from '../common/live/protocol.ts';
import type { FeedEvent, FeedLog, RoomMessage } from './feed-log/feed-log.ts';

export type { FeedEvent } from './feed-log/feed-log.ts';

/** What the rest of the server calls to say that something happened. */
export interface Publisher {
  /** Appends to the numbered feed, in this order. Resolves with the place of the last event. */
  publish(events: readonly FeedEvent[]): Promise<FeedCursor>;
  /** Says something to one room, unnumbered. */
  send<Name extends RoomEventName>(room: string, event: Name, payload: RoomPayload<Name>): void;
  /** False when surely nobody hears `room`, so that the payload need not be built. */
  listens(room: string): boolean;
  /** The head of the feed. */
  cursor(): FeedCursor;
}

/**
 * A publisher that writes to `log`. `listens` is the gateway's, where there is one in this process; without it every room
 * might be heard by someone elsewhere.
 */
export function createPublisher(log: FeedLog, listens: (room: string) => boolean = () => true): Publisher {
  return {
    publish: (events) => log.append(events),
    send(room, event, payload) {
      // TypeScript can't see that `event` and `payload` stay a pair once they are members of one object.
      log.relay({ room, event, payload } as RoomMessage);
    },
    listens,
    cursor: () => log.head(),
  };
}
