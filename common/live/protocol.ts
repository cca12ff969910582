import { z } from 'zod';

/** Incremented when a client of the previous version could misread the feed. The rules (L1 …) are in realtime/README.md. */
export const PROTOCOL_VERSION = 2;

/** A position in the feed: `seq` counts up by one within an `epoch`; each worker that takes over starts an epoch. */
export const feedCursorSchema = z.strictObject({ epoch: z.string().min(1).max(64), seq: z.int().min(0) });
export type FeedCursor = z.infer<typeof feedCursorSchema>;

/** Response headers of every list: the feed position that the list covers (F3). */
export const FEED_EPOCH_HEADER = 'X-Feed-Epoch';
export const FEED_SEQ_HEADER = 'X-Feed-Seq';
/** Response header of every list: number of all matching tokens. */
export const TOTAL_COUNT_HEADER = 'X-Total-Count';
/** Response header of a list with further rows: the `before` of the next page. */
export const NEXT_CURSOR_HEADER = 'X-Next-Cursor';
/** Response header of a filtered, sorted or searched list that covers only the newest tokens: their number. */
export const COVERED_COUNT_HEADER = 'X-Covered-Count';

/** Forms of `token-updates`: named fields, or arrays by the schema in token-updates.ts, which take a third of the bytes. */
const encodingSchema = z.enum(['named', 'arrays']);
export type Encoding = z.infer<typeof encodingSchema>;

/** Client data of the Socket.IO handshake: its protocol, the encoding that it reads (default: named), and its last feed position after a reconnect (F2). */
export const handshakeSchema = z.object({
  protocol: z.int(),
  encoding: encodingSchema.optional(),
  epoch: feedCursorSchema.shape.epoch.optional(),
  seq: feedCursorSchema.shape.seq.optional(),
});
export type Handshake = z.infer<typeof handshakeSchema>;

/** Reasons why missed events cannot be replayed: another epoch, too far back, or ahead of the server's feed. */
export const resyncReasonSchema = z.enum(['epoch', 'too-old', 'ahead']);
export type ResyncReason = z.infer<typeof resyncReasonSchema>;

/** Codes of `connect_error.data.code` (L1, L2). */
export const connectErrorCodes = ['unauthenticated', 'protocol', 'unavailable', 'too-many-requests'] as const;
export type ConnectErrorCode = (typeof connectErrorCodes)[number];
