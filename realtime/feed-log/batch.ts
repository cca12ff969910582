import type { FeedCursor } from '../../common/live/protocol.ts';
import type { RedisClient } from '../redis.ts';
import { parseEntry } from './entry-text.ts';
import type { FeedEntry } from './feed-log.ts';

/**
 * A position of the stream. Its Redis id is `<epoch>-<seq>`: Redis refuses ids that are not above the last one, so a writer of an
 * earlier epoch can no longer write.
 */
export interface StreamPosition {
  epoch: number;
  seq: number;
}

/** One entry of the stream: the events `first` to `id.seq` of an epoch; an epoch begins with an empty one. */
export interface Batch {
  id: StreamPosition;
  first: number;
  /** When it was written, epoch ms. */
  at: number;
  /** JSON of each event, as `entryJson` returns it. */
  lines: readonly string[];
}

/** Before everything: of an empty stream, or one that is not known yet. */
export const NOWHERE: StreamPosition = { epoch: 0, seq: 0 };

export const idOf = ({ epoch, seq }: StreamPosition): string => `${epoch}-${seq}`;

/** Returns the position as clients know it. */
export const cursorOf = ({ epoch, seq }: StreamPosition): FeedCursor => ({ epoch: String(epoch), seq });

function positionOf(id: string): StreamPosition {
  const [epoch, seq] = id.split('-').map(Number);
  return { epoch: epoch ?? 0, seq: seq ?? 0 };
}

/** Returns a negative number when `a` is before `b`, 0 when they are equal. */
export function compare(a: StreamPosition, b: StreamPosition): number {
  return a.epoch - b.epoch || a.seq - b.seq;
}

/** Returns the names and values of a stream entry. JSON has no line break of its own. */
export function fieldsOf({ first, at, lines }: Batch): string[] {
  return ['first', String(first), 'at', String(at), 'events', lines.join('\n')];
}

/** Parses a stream entry, without its events. */
export function batchOf({ id, message }: { id: string; message: Readonly<Record<string, string>> }): Batch {
  const { first = '1', at = '0', events = '' } = message;
  const lines = events === '' ? [] : events.split('\n');
  return { id: positionOf(id), first: Number(first), at: Number(at), lines };
}

export function entriesOf({ lines }: Batch): FeedEntry[] {
  return lines.map(parseEntry);
}

/** Resolves with the newest batch of the stream; null when it is empty. */
export async function newestOf(redis: RedisClient, key: string): Promise<Batch | null> {
  const [newest] = (await redis.xRevRange(key, '+', '-', { COUNT: 1 })) ?? [];
  return newest ? batchOf(newest) : null;
}
