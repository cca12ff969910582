import type { FeedEventName, FeedPayload, RoomEventName, RoomPayload } from '../../common/live/events.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';

/** A feed event without its number. */
export type FeedEvent = {
  [Name in FeedEventName]: { event: Name; payload: Unnumbered<FeedPayload<Name>> };
}[FeedEventName];

type Unnumbered<Payload> = Payload extends unknown ? Omit<Payload, 'seq'> : never;

/** A numbered event as the log stores and replays it. */
export type FeedEntry = {
  [Name in FeedEventName]: { seq: number; event: Name; payload: FeedPayload<Name> };
}[FeedEventName];

/** A message to one room, without number and not stored. */
export type RoomMessage = {
  [Name in RoomEventName]: { room: string; event: Name; payload: RoomPayload<Name> };
}[RoomEventName];

export interface FeedTail {
  entries(entries: readonly FeedEntry[]): void;
  message(message: RoomMessage): void;
}

/**
 * The numbered log between publishers and gateways (F1). The memory log serves one process; a Redis Streams log satisfies
 * the same interface for several.
 */
export interface FeedLog {
  /** Returns the position of the newest entry. */
  head(): FeedCursor;
  /** Numbers and stores the events, and passes them to every tail. Resolves with the new head. */
  append(events: readonly FeedEvent[]): Promise<FeedCursor>;
  /** Resolves with the entries after `cursor`, oldest first and at most `limit` (default: all), or with the reason for a resync (F2). */
  since(
    cursor: FeedCursor,
    limit?: number,
  ): Promise<{ entries: FeedEntry[] } | { resync: 'epoch' | 'too-old' | 'ahead' }>;
  /** Passes a message to every tail. */
  relay(message: RoomMessage): void;
  /** Passes every further entry and message to `tail`, in order. Returns the function that stops it. */
  tail(tail: FeedTail): () => void;
  close(): Promise<void>;
}
