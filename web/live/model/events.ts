import {
  type FeedEventName,
  type FeedPayload,
  feedEvents,
  type RoomEventName,
  type RoomPayload,
  roomEvents,
} from '../../../common/live/events.ts';

/** A numbered event of the feed. */
export type FeedEntry = { [Name in FeedEventName]: { event: Name; payload: FeedPayload<Name> } }[FeedEventName];

/** An event sent to a room: about a token, to the user, or to administrators. */
export type RoomEntry<Name extends RoomEventName = RoomEventName> = {
  [Each in Name]: { event: Each; payload: RoomPayload<Each> };
}[Name];

interface Received {
  event: string;
  payload: unknown;
}

/** Whether an event belongs to the feed. Trusts its payload: the server's tests check it, and parsing it again would cost frames. */
export function isFeedEntry(entry: Received): entry is FeedEntry {
  return Object.hasOwn(feedEvents, entry.event);
}

/** Whether an event was sent to a room. Trusts its payload likewise. */
export function isRoomEntry(entry: Received): entry is RoomEntry {
  return Object.hasOwn(roomEvents, entry.event);
}
