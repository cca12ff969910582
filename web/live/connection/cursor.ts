import {
  FEED_EPOCH_HEADER,
  FEED_SEQ_HEADER,
  type FeedCursor,
  feedCursorSchema,
  TOTAL_COUNT_HEADER,
} from '../../../common/live/protocol.ts';

/** Returns the feed position that a REST response includes (F3); null without its headers. */
export function cursorOf(headers: Headers): FeedCursor | null {
  const seq = headers.get(FEED_SEQ_HEADER);
  const cursor = feedCursorSchema.safeParse({ epoch: headers.get(FEED_EPOCH_HEADER), seq: seq ? Number(seq) : null });
  return cursor.success ? cursor.data : null;
}

/** Returns the length of the whole list of a REST response; null where the list has none. */
export function totalOf(headers: Headers): number | null {
  const total = headers.get(TOTAL_COUNT_HEADER);
  return total !== null && /^\d+$/.test(total) ? Number(total) : null;
}
