import type { FeedEventName, FeedPayload, RoomEventName, RoomPayload } from '../../common/live/events.ts';
import type { FeedCursor } from '../../common/live/protocol.ts';

/** A feed event before it has its number. */
export type FeedEvent = {
  [Name in FeedEventName]: { event: Name; payload: Unnumbered<FeedPayload<Name>> };
}[FeedEventName];

type Unnumbered<Payload> = Payload extends unknown ? Omit<Payload, 'seq'> : never;

/** A numbered event as the log keeps and replays it. */
export type FeedEntry = {
  [Name in FeedEventName]: { seq: number; event: Name; payload: FeedPayload<Name> };
}[FeedEventName];

/** A message to one room; it has no number and is not kept. */
export type RoomMessage = {
  [Name in RoomEventName]: { room: string; event: Name; payload: RoomPayload<Name> };
}[RoomEventName];

export interface FeedTail {
  entries(entries: readonly FeedEntry[]): void;
  message(message: RoomMessage): void;
}

/**
 * The numbered log between those who say something and the gateways that pass it on (F1).
 * The memory log serves one process; a Redis Streams log satisfies the same interface for several.
 */
export interface FeedLog {
  /** The place after which nothing has been said yet. */
  head(): FeedCursor;
  /** Numbers the events consecutively, keeps them, and hands them to every tail. Resolves with the new head. */
  append(events: readonly FeedEvent[]): Promise<FeedCursor>;
  /** What comes after `cursor`, oldest first and at most `limit` entries (default: all), or why that can't be had (F2). */
  since(
    cursor: FeedCursor,
    limit?: number,
  ): Promise<{ entries: FeedEntry[] } | { resync: 'epoch' | 'too-old' | 'ahead' }>;
  /** Hands a message to every tail. */
  relay(message: RoomMessage): void;
  /** From now on `tail` gets every entry and message, in order. Returns the way to stop. */
  tail(tail: FeedTail): () => void;
  close(): Promise<void>;
}
