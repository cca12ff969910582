import type { FeedEventName, FeedPayload, RoomEventName, RoomPayload } from '../../common/live/events.ts';
import type { FeedCursor, ResyncReason } from '../../common/live/protocol.ts';

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
  /**
   * The log continues at another position than after the last entry, or messages to rooms were lost: every client has to fetch again
   * (`resync`). `head()` is the new position.
   */
  interrupted(reason: ResyncReason): void;
}

/** Entries of the log, oldest first, or the reason for a resync (F2). */
export type FeedRead = { entries: FeedEntry[] } | { resync: ResyncReason };

/** The numbered log between publishers and gateways (F1): in memory for one process, over a Redis stream for several. */
export interface FeedLog {
  /** Returns the position of the newest entry that this process knows. */
  head(): FeedCursor;
  /** Returns the position before the oldest entry that this process keeps. */
  oldest(): FeedCursor;
  /** Returns whether this process gets each new entry at the moment; false while the server of the log is away. */
  isFollowing(): boolean;
  /**
   * Makes this process the only writer, in a new epoch, while `isHolder` returns true. Resolves when the epoch has begun; appends
   * need not wait for it. Each epoch, a later one included, is announced after `beforeEpoch`: it stores what the dropped events
   * contain, since every process fetches that then.
   */
  begin(isHolder: () => boolean, beforeEpoch?: () => Promise<void>): Promise<void>;
  /**
   * Numbers and stores the events, and passes them to every tail. Resolves with the position of the last one once they are stored;
   * with number 0 when they are dropped. Rejects when the log is closed or another process writes it. After either, this process
   * writes nothing further before a new epoch, so that clients fetch what the events contain: they are not to be appended again.
   */
  append(events: readonly FeedEvent[]): Promise<FeedCursor>;
  /** Resolves with the entries after `cursor`, oldest first and at most `limit` (default: all), or with the reason for a resync (F2). */
  since(cursor: FeedCursor, limit?: number): Promise<FeedRead>;
  /** Passes a message to every tail. */
  relay(message: RoomMessage): void;
  /** Passes every further entry and message to `tail`, in order. Returns the function that stops it. */
  tail(tail: FeedTail): () => void;
  close(): Promise<void>;
}
