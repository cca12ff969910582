import {
  FEED_EPOCH_HEADER,
  FEED_SEQ_HEADER,
  type FeedCursor,
  feedCursorSchema,
} from '../../../common/live/protocol.ts';

/** Returns the feed position that a REST response includes (F3); null without its headers. */
export function cursorOf(headers: Headers): FeedCursor | null {
  const seq = headers.get(FEED_SEQ_HEADER);
  const cursor = feedCursorSchema.safeParse({ epoch: headers.get(FEED_EPOCH_HEADER), seq: seq ? Number(seq) : null });
  return cursor.success ? cursor.data : null;
}
