import { z } from 'zod';
import { adminStatsSchema, systemStatusSchema } from './admin/model.ts';
import { alertSchema } from './alerts/model.ts';
import { detectionStatsSchema } from './diagnostics/model.ts';
import type { ErrorBody } from './errors.ts';
import { runSchema } from './maintenance/model.ts';
import { botStatusSchema } from './telegram/model.ts';
import { addressSchema, riskSchema, tokenPatchSchema, tokenSchema, tradeSchema } from './tokens/model.ts';
import { transactionSchema } from './transactions/model.ts';
import { userDataSchema } from './userData.ts';

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

const seq = z.int().min(1);
const listChange = z.strictObject({ seq, token: tokenSchema, active: z.boolean() });

/** Events of the numbered feed, all to the room `tokens`. */
export const feedEvents = {
  'new-token': z.strictObject({ seq, token: tokenSchema }),
  /**
   * `at`: the `lastUpdated` of every token in it, epoch ms. `solUsd`: dollars for 1 SOL, null when not known. A patch with
   * a `price` and without a `marketCap` has the market cap that follows: price × supply × `solUsd` (tokens/marketCap.ts).
   */
  'token-updates': z.strictObject({
    seq,
    at: z.int(),
    solUsd: z.number().positive().nullable(),
    patches: z.array(tokenPatchSchema),
  }),
  /** Entered (`active`) or left the list of runners. */
  runner: listChange,
  'might-run': listChange,
  'tokens-removed': z.union([
    z.strictObject({ seq, addresses: z.array(addressSchema) }),
    z.strictObject({ seq, all: z.literal(true) }),
  ]),
};
export type FeedEventName = keyof typeof feedEvents;
export type FeedPayload<Name extends FeedEventName = FeedEventName> = z.infer<(typeof feedEvents)[Name]>;

/** Events to one room or one socket; they carry no number and are not replayed. */
export const roomEvents = {
  hello: z.strictObject({ protocol: z.int(), ...feedCursorSchema.shape, serverTime: z.number() }),
  resync: z.strictObject({ reason: resyncReasonSchema }),
  /** Trades of one token since the last such event, oldest first. Room `token:<address>`. */
  'token-trades': z.strictObject({ address: addressSchema, trades: z.array(tradeSchema) }),
  /** The factors behind a token's score, whenever one of them changed. Room `token:<address>`. */
  'token-risk': z.strictObject({ address: addressSchema, version: z.int(), risk: riskSchema }),
  /** A transaction of the user, on every change of its status. Room `user:<id>`. */
  transaction: transactionSchema,
  /** A change of the user's data, for the user's other tabs. Room `user:<id>`. */
  'user-data': userDataSchema,
  /** An alert that matched the user's settings. Room `user:<id>`. */
  alert: alertSchema,
  /** On change. Without its details to the room `tokens`, with them to the room `admin`. */
  'bot-status': botStatusSchema,
  /** On change, at most once a second. Room `admin`. */
  'admin-stats': adminStatsSchema,
  /** Once a second at most, and at least every 10 s. Room `admin`. */
  'system-status': systemStatusSchema,
  /** A long work of an administrator has begun, got on or ended. Room `admin`. */
  maintenance: runSchema,
  /** On change, at most once a second. Room `diagnostics`. */
  'detection-stats': detectionStatsSchema,
};
export type RoomEventName = keyof typeof roomEvents;
export type RoomPayload<Name extends RoomEventName> = z.infer<(typeof roomEvents)[Name]>;

/** What a client may ask to hear (L3). */
export const topicSchema = z.union([
  z.literal('tokens'),
  z.literal('admin'),
  z.literal('diagnostics'),
  z.templateLiteral(['token:', addressSchema]),
  z.templateLiteral(['user:', z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)]),
]);
export type Topic = z.infer<typeof topicSchema>;

/** What clients may say. Every one of them is answered by an ack. */
export const clientEvents = {
  subscribe: z.strictObject({ topic: topicSchema }),
  unsubscribe: z.strictObject({ topic: topicSchema }),
  /** Asks for everything after this place once more (F4): the events follow, or a `resync`. */
  replay: feedCursorSchema,
  /** Answers at once: the client measures the round trip by it (P2). */
  echo: z.strictObject({}),
};
export type ClientEventName = keyof typeof clientEvents;

export type Ack = { ok: true } | ErrorBody;

type AnyServerEvents = { [Name in FeedEventName]: (payload: FeedPayload<Name>) => void } & {
  [Name in RoomEventName]: (payload: RoomPayload<Name>) => void;
};
/** The event maps for `new Server<…>` and `io()`. */
export interface ServerToClientEvents extends AnyServerEvents {}
export type ClientToServerEvents = {
  [Name in ClientEventName]: (input: z.infer<(typeof clientEvents)[Name]>, ack: (answer: Ack) => void) => void;
};

/** Codes of `connect_error.data.code` (L1, L2). */
export type ConnectErrorCode = 'unauthenticated' | 'protocol' | 'unavailable' | 'too-many-requests';

/** Room names, made in one place. */
export const rooms = {
  tokens: 'tokens',
  admin: 'admin',
  diagnostics: 'diagnostics',
  token: (address: string): `token:${string}` => `token:${address}`,
  user: (id: string): `user:${string}` => `user:${id}`,
} as const;
