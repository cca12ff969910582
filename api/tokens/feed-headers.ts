import type Koa from 'koa';
import { FEED_EPOCH_HEADER, FEED_SEQ_HEADER, type FeedCursor } from '../../common/live/protocol.ts';

/** Says with a list what the feed had said before the list was read (F3): the client applies what came after. */
export function setFeedHeaders(ctx: Koa.Context, cursor: FeedCursor): void {
  ctx.set(FEED_EPOCH_HEADER, cursor.epoch);
  ctx.set(FEED_SEQ_HEADER, String(cursor.seq));
}
