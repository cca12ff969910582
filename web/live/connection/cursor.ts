import {
  FEED_EPOCH_HEADER,
  FEED_SEQ_HEADER,
  type FeedCursor,
  feedCursorSchema,
} from '../../../common/live/protocol.ts';

/** What an answer already contained of the feed (F3); null when its headers do not say. */
export function cursorOf(headers: Headers): FeedCursor | null {
  const seq = headers.get(FEED_SEQ_HEADER);
  const cursor = feedCursorSchema.safeParse({ epoch: headers.get(FEED_EPOCH_HEADER), seq: seq ? Number(seq) : null });
  return cursor.success ? cursor.data : null;
}
