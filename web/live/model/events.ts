import {
  type FeedEventName,
  type FeedPayload,
  feedEvents,
  type RoomEventName,
  type RoomPayload,
  roomEvents,
} from '../../../common/live/events.ts';
import { decodeListUpdates, isListUpdateArrays } from '../../../common/live/lists.ts';
import { decodeUpdates, isUpdateArrays, type NumberedUpdates } from '../../../common/live/token-updates.ts';

/** Events kept to bring responses up to date that were read before them. At 10 events a second: about a minute. */
const RING_MAX = 600;

/** A numbered event of the feed. */
export type FeedEntry = { [Name in FeedEventName]: { event: Name; payload: ReceivedPayload<Name> } }[FeedEventName];

/** Updates name their tokens by number, in either encoding. */
type ReceivedPayload<Name extends FeedEventName> = Name extends 'token-updates' ? NumberedUpdates : FeedPayload<Name>;

/** An event sent to a room: about a token, to the user, or to administrators. */
export type RoomEntry<Name extends RoomEventName = RoomEventName> = {
  [Each in Name]: { event: Each; payload: RoomPayload<Each> };
}[Name];

interface Received {
  event: string;
  payload: unknown;
}

/** Returns an event as the model reads it: updates that are arrays with named fields, any other as it is. */
export function decoded({ event, payload }: Received): Received {
  if (event === 'token-updates' && isUpdateArrays(payload)) return { event, payload: decodeUpdates(payload) };
  if (event === 'list-updates' && isListUpdateArrays(payload)) return { event, payload: decodeListUpdates(payload) };
  return { event, payload };
}

/** Whether an event belongs to the feed. Trusts its payload: the server's tests check it, and parsing it again would cost frames. */
export function isFeedEntry(entry: Received): entry is FeedEntry {
  return Object.hasOwn(feedEvents, entry.event);
}

/** Whether an event was sent to a room. Trusts its payload likewise. */
export function isRoomEntry(entry: Received): entry is RoomEntry {
  return Object.hasOwn(roomEvents, entry.event);
}

/**
 * The latest applied events in order, without a gap: everything after `base`. A list that was read at a position at or
 * after `base` can be brought up to date from it (F3).
 */
export interface EventRing {
  base(): number;
  push(entry: FeedEntry): void;
  /** Returns the events after `seq`, oldest first. */
  after(seq: number): FeedEntry[];
  /** Drops everything: the next event kept is the one after `base`. */
  reset(base: number): void;
}

export function createRing(max: number = RING_MAX): EventRing {
  let base = 0;
  let entries: FeedEntry[] = [];
  return {
    base: () => base,
    push(entry) {
      entries.push(entry);
      if (entries.length <= max) return;
      // Drops half at once, so that the cost of shifting is rare.
      const dropped = entries.splice(0, Math.ceil(max / 2));
      base = dropped.at(-1)?.payload.seq ?? base;
    },
    after: (seq) => entries.filter((entry) => entry.payload.seq > seq),
    reset(next) {
      base = next;
      entries = [];
    },
  };
}
