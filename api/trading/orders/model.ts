import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { Exits, TradingMode } from '../../../common/trading/account.ts';
import {
  type AttemptOutcome,
  type OrderSide,
  type OrderStatus,
  orderStatuses,
} from '../../../common/trading/machine.ts';
import type { FillCosts, OrderCause, OrderToken } from '../../../common/trading/order.ts';
import type { Reason } from '../../../common/trading/reasons.ts';

const { Mixed, ObjectId } = Schema.Types;
const required = true;

const orderSchema = new Schema<OrderRecord>(
  {
    userId: { type: ObjectId, required },
    key: { type: String, required },
    side: { type: String, required },
    mode: { type: String, required },
    cluster: { type: String, default: null },
    wallet: { type: String, required },
    token: { type: Mixed, required },
    cause: { type: Mixed, required },
    positionId: { type: ObjectId, default: null },
    lamports: { type: Number, default: null },
    tokens: { type: String, default: null },
    isWholePosition: { type: Boolean, required },
    slippageBps: { type: Number, required },
    exits: { type: Mixed, default: null },
    planSince: { type: Number },
    least: { type: String, default: null },
    priorityMaxLamports: { type: Number, required },
    tipLamports: { type: Number, required },
    isProtected: { type: Boolean },
    holdLamports: { type: Number, required },
    status: { type: String, required, enum: orderStatuses },
    open: { type: Boolean, required },
    noMore: { type: Boolean, required },
    attemptLimit: { type: Number, required },
    attempts: [Mixed],
    fill: { type: Mixed, default: null },
    profitLamports: { type: Number },
    failure: { type: Mixed, default: null },
    times: { type: Mixed, required },
    nextAt: { type: Date, default: null },
    version: { type: Number, required },
  },
  { versionKey: false, minimize: false, collection: 'orders' },
);
// One order a key, for ever.
orderSchema.index({ userId: 1, key: 1 }, { unique: true });
// A signed transaction belongs to one order.
orderSchema.index(
  { 'attempts.signature': 1 },
  { unique: true, partialFilterExpression: { 'attempts.signature': { $exists: true } } },
);
// Orders that are not over, which are few among all. Also of one user, and orders that a stop concerns.
orderSchema.index({ open: 1, nextAt: 1 }, { partialFilterExpression: { open: true } });
orderSchema.index({ userId: 1, side: 1, status: 1 }, { partialFilterExpression: { open: true } });
// Newest first, of all tokens and of one.
orderSchema.index({ userId: 1, _id: -1 });
orderSchema.index({ userId: 1, 'token.address': 1, _id: -1 });
// By their end, for the figures of the day.
orderSchema.index({ 'times.decided': -1 });
// The same of orders on a chain, whose times paper trading follows.
orderSchema.index(
  { 'times.decided': -1, status: 1 },
  { partialFilterExpression: { cluster: { $type: 'string' } }, name: 'real_decided' },
);

export function orderModel(connection: Connection): Model<OrderRecord> {
  return connection.model<OrderRecord>('Order', orderSchema);
}

/** An attempt as stored. Times epoch ms; amounts beyond 2^53 as decimal strings. */
export interface AttemptRecord {
  signature: string;
  /** base64; null once the order is over. */
  bytes: string | null;
  lastValidBlockHeight: number;
  least: string;
  sends: number;
  signedAt: number;
  firstSentAt: number | null;
  /** On paper: time from its first send until it falls due, ms; null or missing otherwise. */
  delayMs?: number | null;
  outcome: AttemptOutcome | null;
  failure: Reason | null;
  /** Paid to the network by a reverted attempt. */
  feeLamports: number;
  slot: number | null;
  /** Of a landed one; missing otherwise. */
  fill?: FillRecord | undefined;
}

/** A fill as stored. */
export interface FillRecord {
  tokens: string;
  lamports: number;
  costs: FillCosts;
  price: number;
  slot: number | null;
  at: number;
}

/** One intent to buy or sell, in `orders`, with its attempts: one document an order, kept for good. */
export interface OrderRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  /** Unique for the user for ever: `page:<uuid>`, `quick:<uuid>`, `bot:<nonce>`, `buy:<plan>:<address>`, `exit:<position>:<n>`, `stop:<stop>:<position>[:<repeat>]`. */
  key: string;
  side: OrderSide;
  mode: TradingMode;
  cluster: ChainCluster | null;
  wallet: string;
  token: OrderToken;
  cause: OrderCause;
  /** The position that it sells; null for a purchase until its fill is in a position, and for a share of a whole balance. */
  positionId: Types.ObjectId | null;
  /** Spent by a purchase; null for a sale. */
  lamports: number | null;
  /** Sold, base units; null for a purchase. */
  tokens: string | null;
  /** Whether it sells everything that the wallet has of the token. */
  isWholePosition: boolean;
  slippageBps: number;
  /** Exits of the position that a purchase opens; null or missing: the user's default ones at that time. */
  exits?: Exits | null;
  /** `activeSince` of the plan that decided it, as it was then; missing: no plan did. */
  planSince?: number;
  /** Least that it has to bring, as the user saw it: base units of a purchase, lamports of a sale; null without a promise. */
  least: string | null;
  priorityMaxLamports: number;
  tipLamports: number;
  /** Whether its transactions are marked against sandwiches; missing: no. */
  isProtected?: boolean;
  /** Most that leaves the wallet, reserved while it is not over; 0 for a sale. */
  holdLamports: number;
  status: OrderStatus;
  /** False once it is over, its hold is released and its fill is in a position. */
  open: boolean;
  noMore: boolean;
  attemptLimit: number;
  attempts: AttemptRecord[];
  fill: FillRecord | null;
  /** Realised by a sale, once it is closed; missing: not known. */
  profitLamports?: number;
  failure: Reason | null;
  /** Epoch ms; null while not reached. */
  times: { created: number; held: number | null; signed: number | null; sent: number | null; decided: number | null };
  /** Time of its creation, for reading open orders; null once it is not open. */
  nextAt: Date | null;
  version: number;
}

/** Most attempts of an order. */
const ATTEMPTS_MAX = 3;

/** The part of an order that its course changes. */
type OrderProgress = Pick<
  OrderRecord,
  'status' | 'open' | 'noMore' | 'attemptLimit' | 'attempts' | 'fill' | 'failure' | 'times' | 'nextAt' | 'version'
>;

/** Returns the progress of an order that is made at `now` (epoch ms). */
export function newProgress(now: number): OrderProgress {
  return {
    status: 'created',
    open: true,
    noMore: false,
    attemptLimit: ATTEMPTS_MAX,
    attempts: [],
    fill: null,
    failure: null,
    times: { created: now, held: null, signed: null, sent: null, decided: null },
    nextAt: new Date(now),
    version: 1,
  };
}

/** The part of an open order that it has traded, or may still trade. */
export type OpenTrade = Pick<OrderRecord, '_id' | 'side' | 'cause' | 'fill' | 'attempts'>;
