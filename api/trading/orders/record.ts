import type { Types } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { Exits, TradingMode } from '../../../common/trading/account.ts';
import type { AttemptOutcome, OrderSide, OrderStatus } from '../../../common/trading/machine.ts';
import type { FillCosts, OrderCause, OrderToken } from '../../../common/trading/order.ts';
import type { Reason } from '../../../common/trading/reasons.ts';

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
  /** Unique for the user for ever: `page:<uuid>`, `quick:<uuid>`, `bot:<nonce>`, `exit:<position>:<n>`, `stop:<stop>:<position>[:<repeat>]`. */
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
  /** Least that it has to bring, as the user saw it: base units of a purchase, lamports of a sale; null without a promise. */
  least: string | null;
  priorityMaxLamports: number;
  tipLamports: number;
  /** Most that leaves the wallet, reserved while it is not over; 0 for a sale. */
  holdLamports: number;
  status: OrderStatus;
  /** False once it is over, its hold is released and its fill is in a position. */
  open: boolean;
  noMore: boolean;
  attemptLimit: number;
  attempts: AttemptRecord[];
  fill: FillRecord | null;
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
