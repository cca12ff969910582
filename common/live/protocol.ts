import { z } from 'zod';

/** Raised when a client of the version before could misread the feed. The rules (L1 …) are in realtime/README.md. */
export const PROTOCOL_VERSION = 1;

/** A place in the feed: `seq` counts up by one within an `epoch`, and an epoch is one worker's reign. */
export const feedCursorSchema = z.strictObject({ epoch: z.string().min(1).max(64), seq: z.int().min(0) });
export type FeedCursor = z.infer<typeof feedCursorSchema>;

/** Response headers of every list: what the list already contains of the feed (F3). */
export const FEED_EPOCH_HEADER = 'X-Feed-Epoch';
export const FEED_SEQ_HEADER = 'X-Feed-Seq';
/** Response header of `/api/tokens`: how many tokens match in all. */
export const TOTAL_COUNT_HEADER = 'X-Total-Count';

/** What a client sends in the Socket.IO handshake: its protocol, and where it was when it had been here before (F2). */
export const handshakeSchema = z.object({
  protocol: z.int(),
  epoch: feedCursorSchema.shape.epoch.optional(),
  seq: feedCursorSchema.shape.seq.optional(),
});
export type Handshake = z.infer<typeof handshakeSchema>;

/** Why missed events cannot be replayed: another epoch, too far back, or ahead of what the server ever said. */
export const resyncReasonSchema = z.enum(['epoch', 'too-old', 'ahead']);
export type ResyncReason = z.infer<typeof resyncReasonSchema>;

/** Codes of `connect_error.data.code` (L1, L2). */
export type ConnectErrorCode = 'unauthenticated' | 'protocol' | 'unavailable' | 'too-many-requests';
