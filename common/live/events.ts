import { z } from 'zod';
import { adminStatsSchema, systemStatusSchema } from '../admin/model.ts';
import { alertSchema } from '../alerts/model.ts';
import { sessionUserSchema } from '../auth/model.ts';
import { decisionSchema } from '../decisions/model.ts';
import { detectionStatsSchema } from '../diagnostics/model.ts';
import type { ErrorBody } from '../errors.ts';
import { runSchema } from '../maintenance/model.ts';
import { botStatusSchema } from '../telegram/model.ts';
import { addressSchema, riskSchema, tokenSchema, tradeSchema } from '../tokens/model.ts';
import { tradingAccountSchema } from '../trading/account.ts';
import { orderSchema } from '../trading/order.ts';
import { positionSchema, positionValueSchema } from '../trading/position.ts';
import { tradingStatusSchema } from '../trading/status.ts';
import { stopReportSchema } from '../trading/stop.ts';
import { transactionSchema } from '../transactions/model.ts';
import { listUpdatesSchema } from './lists.ts';
import { feedCursorSchema, resyncReasonSchema } from './protocol.ts';
import { type RoomScope, type RoomTargets, topicSchema } from './rooms.ts';
import { tokenUpdatesSchema } from './token-updates.ts';
import { userDataSchema } from './user-data.ts';

const seq = z.int().min(1);
const listChange = z.strictObject({ seq, token: tokenSchema, active: z.boolean() });

/** Events of the numbered feed, all sent to the room `tokens`. */
export const feedEvents = {
  'new-token': z.strictObject({ seq, token: tokenSchema }),
  /** As arrays for clients that read them: token-updates.ts. */
  'token-updates': tokenUpdatesSchema,
  /** A token entered (`active`) or left the list of runners. */
  runner: listChange,
  'might-run': listChange,
  'tokens-removed': z.union([
    z.strictObject({ seq, addresses: z.array(addressSchema) }),
    z.strictObject({ seq, all: z.literal(true) }),
  ]),
};
export type FeedEventName = keyof typeof feedEvents;
export type FeedPayload<Name extends FeedEventName = FeedEventName> = z.infer<(typeof feedEvents)[Name]>;

/** Events of the connection itself, sent by a gateway to a single socket. */
export const connectionEvents = {
  /** `user`: whom the connection was admitted as. Their rights, or the user of the session, may have changed while it was down. */
  hello: z.strictObject({
    protocol: z.int(),
    ...feedCursorSchema.shape,
    serverTime: z.number(),
    user: sessionUserSchema.pick({ id: true, isAdmin: true }),
  }),
  resync: z.strictObject({ reason: resyncReasonSchema }),
};
export type ConnectionEventName = keyof typeof connectionEvents;
/** The fields of a connection's user that their pages depend on. */
export type ConnectionUser = z.infer<typeof connectionEvents.hello>['user'];

/** Events to the members of a room: the scopes that may carry it, and its payload. They have no number and are not replayed. */
export const roomEvents = {
  /** Trades of one token since the previous such event, oldest first. */
  'token-trades': roomEvent(['token'], z.strictObject({ address: addressSchema, trades: z.array(tradeSchema) })),
  /** Factors behind a token's score, whenever one of them changes. */
  'token-risk': roomEvent(['token'], z.strictObject({ address: addressSchema, version: z.int(), risk: riskSchema })),
  /** Changes of a filtered list, with the range of the feed that they cover. For readers of arrays: its patches as arrays. */
  'list-updates': roomEvent(['list'], listUpdatesSchema),
  /** A transaction of the user, on every change of its status. */
  transaction: roomEvent(['user'], transactionSchema),
  /** An order of the user, on every change. An event with a lower `version` than a known one is outdated. */
  order: roomEvent(['user'], orderSchema),
  /** A position of the user, on every change but those of its value. */
  position: roomEvent(['user'], positionSchema),
  /** Present values of changed open positions, by id, at most once a second. */
  'position-values': roomEvent(
    ['user'],
    z.strictObject({ values: z.array(z.strictObject({ id: z.string(), value: positionValueSchema })) }),
  ),
  /** The user's trading account, on every change. */
  'trading-account': roomEvent(['user'], tradingAccountSchema),
  /** An answer of one of the user's plans: the newest ones, at most five a second. */
  decision: roomEvent(['user'], decisionSchema),
  /** The report of a stop, on every change. */
  'stop-report': roomEvent(['user'], stopReportSchema),
  /** A change of the user's data, for the user's other tabs. */
  'user-data': roomEvent(['user'], userDataSchema),
  /** An alert that matched the user's settings. */
  alert: roomEvent(['user'], alertSchema),
  /** On change. Without its details to the room `tokens`, with them to the room `admin`. */
  'bot-status': roomEvent(['tokens', 'admin'], botStatusSchema),
  /** On change, at most once a second. */
  'admin-stats': roomEvent(['admin'], adminStatsSchema),
  /** At most once a second, and at least every 10 s. */
  'system-status': roomEvent(['admin'], systemStatusSchema),
  /** State of trading, on change, at most once a second. */
  'trading-status': roomEvent(['admin'], tradingStatusSchema),
  /** A long job of an administrator started, progressed or ended. */
  maintenance: roomEvent(['admin'], runSchema),
  /** On change, at most once a second. */
  'detection-stats': roomEvent(['diagnostics'], detectionStatsSchema),
};
export type RoomEventName = keyof typeof roomEvents;
export type RoomPayload<Name extends RoomEventName> = z.infer<(typeof roomEvents)[Name]['payload']>;
/** The rooms that an event may be sent to. */
export type TargetOf<Name extends RoomEventName> = RoomTargets[(typeof roomEvents)[Name]['scopes'][number]];

function roomEvent<Scope extends RoomScope, Payload extends z.ZodType>(scopes: readonly Scope[], payload: Payload) {
  return { scopes, payload };
}

/** Events from clients. Each is acknowledged. */
export const clientEvents = {
  subscribe: z.strictObject({ topic: topicSchema }),
  unsubscribe: z.strictObject({ topic: topicSchema }),
  /** Requests everything after this position again (F4): the events follow, or a `resync`. */
  replay: feedCursorSchema,
  /** Acknowledged at once; clients measure the round trip with it (P2), and report the position of the last event they applied (F9). */
  echo: z.strictObject({ position: feedCursorSchema.optional() }),
};
export type ClientEventName = keyof typeof clientEvents;

export type Ack = { ok: true } | ErrorBody;

/** Payload of every event that a server sends. */
export type ServerPayloads = { [Name in FeedEventName]: FeedPayload<Name> } & {
  [Name in ConnectionEventName]: z.infer<(typeof connectionEvents)[Name]>;
} & { [Name in RoomEventName]: RoomPayload<Name> };
type ServerEventName = keyof ServerPayloads;

type AnyServerEvents = { [Name in ServerEventName]: (payload: ServerPayloads[Name]) => void };
/** The event maps for `new Server<…>` and `io()`. */
export interface ServerToClientEvents extends AnyServerEvents {}
export type ClientToServerEvents = {
  [Name in ClientEventName]: (input: z.infer<(typeof clientEvents)[Name]>, ack: (response: Ack) => void) => void;
};
