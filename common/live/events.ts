import { z } from 'zod';
import { adminStatsSchema, systemStatusSchema } from '../admin/model.ts';
import { alertSchema } from '../alerts/model.ts';
import { detectionStatsSchema } from '../diagnostics/model.ts';
import type { ErrorBody } from '../errors.ts';
import { runSchema } from '../maintenance/model.ts';
import { botStatusSchema } from '../telegram/model.ts';
import { addressSchema, riskSchema, tokenPatchSchema, tokenSchema, tradeSchema } from '../tokens/model.ts';
import { transactionSchema } from '../transactions/model.ts';
import { feedCursorSchema, resyncReasonSchema } from './protocol.ts';
import { topicSchema } from './rooms.ts';
import { userDataSchema } from './user-data.ts';

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
