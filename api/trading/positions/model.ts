import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { Exits, TradingMode } from '../../../common/trading/account.ts';
import type { FiredExit } from '../../../common/trading/exits.ts';
import type { Lot, LotTrade } from '../../../common/trading/lots.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { OrderToken } from '../../../common/trading/order.ts';
import { type PositionStatus, positionStatusSchema } from '../../../common/trading/position.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';

const { Mixed, ObjectId } = Schema.Types;
const required = true;
const count = { type: Number, required };
const text = { type: String, required };

const positionSchema = new Schema<PositionRecord>(
  {
    userId: { type: ObjectId, required },
    mode: text,
    cluster: { type: String, default: null },
    wallet: text,
    token: { type: Mixed, required },
    figures: { type: Mixed, default: null },
    origin: text,
    originName: { type: String, default: null },
    status: { ...text, enum: positionStatusSchema.options },
    open: { type: Boolean, required },
    tokens: text,
    boughtTokens: text,
    soldTokens: text,
    movedTokens: text,
    costLamports: count,
    paidLamports: count,
    proceedsLamports: count,
    realisedLamports: count,
    movedCostLamports: count,
    feesLamports: count,
    rentLamports: count,
    entryPrice: count,
    quoteLamports: count,
    exits: { type: Mixed, required },
    peakPrice: { type: Number, default: null },
    stepsDone: { type: [Number], default: [] },
    exit: { type: Mixed, default: null },
    exitSeq: count,
    last: { type: Mixed, default: null },
    holdsPlace: { type: Boolean, required },
    openedAt: { type: Date, required },
    closedAt: { type: Date, default: null },
    version: count,
  },
  { versionKey: false, minimize: false, collection: 'positions' },
);
// One open position for each network, wallet, token and origin.
positionSchema.index(
  { userId: 1, mode: 1, cluster: 1, wallet: 1, 'token.address': 1, origin: 1 },
  { unique: true, partialFilterExpression: { open: true } },
);
// All open ones, which are few among all.
positionSchema.index({ open: 1 }, { partialFilterExpression: { open: true } });
// Positions that a crash has left half closed.
positionSchema.index({ holdsPlace: 1 }, { partialFilterExpression: { holdsPlace: true } });
// Pages of a user, newest first, of all tokens and of one. Open ones have no `closedAt`.
positionSchema.index({ userId: 1, open: 1, closedAt: -1, _id: -1 });
positionSchema.index({ userId: 1, 'token.address': 1, open: 1, closedAt: -1, _id: -1 });
// Results of rules and strategies: everything that is read is in the index.
positionSchema.index({ userId: 1, mode: 1, origin: 1, open: 1, realisedLamports: 1 });

export function positionModel(connection: Connection): Model<PositionRecord> {
  return connection.model<PositionRecord>('Position', positionSchema);
}

const fillSchema = new Schema<PositionFillRecord>(
  {
    userId: { type: ObjectId, required },
    mode: text,
    wallet: text,
    address: text,
    side: text,
    cluster: { type: String, default: null },
    token: { type: Mixed, required },
    origin: text,
    originName: { type: String, default: null },
    exits: { type: Mixed, default: null },
    hasFill: { type: Boolean, required },
    feesLamports: count,
    realisedLamports: count,
    parts: [Mixed],
    done: { type: Boolean, required },
    at: { type: Date, required },
  },
  { versionKey: false, minimize: false, collection: 'positionFills' },
);
// Fills that a crash has left, of one holding.
fillSchema.index({ userId: 1, mode: 1, wallet: 1, address: 1 }, { partialFilterExpression: { done: false } });
// Profit by day.
fillSchema.index({ userId: 1, mode: 1, at: -1 });

export function positionFillModel(connection: Connection): Model<PositionFillRecord> {
  return connection.model<PositionFillRecord>('PositionFill', fillSchema);
}

type TokenAmounts = 'tokens' | 'boughtTokens' | 'soldTokens' | 'movedTokens';

/** Amounts of a lot as stored: base units as decimal strings, since they can exceed 2^53. */
export type LotRecord = Omit<Lot, TokenAmounts> & Record<TokenAmounts, string>;

/** What a wallet holds of a token on one network. */
export interface Holding {
  userId: Types.ObjectId;
  mode: TradingMode;
  /** Null on paper. */
  cluster: ChainCluster | null;
  wallet: string;
  address: string;
}

/** Returns the wallet and token of an order or a position. */
export function holdingOf(of: Omit<Holding, 'address'> & { token: OrderToken }): Holding {
  const { userId, mode, cluster, wallet, token } = of;
  return { userId, mode, cluster, wallet, address: token.address };
}

/** Returns a text that is the same for the same holding alone. */
export function holdingKey({ userId, mode, cluster, wallet, address }: Holding): string {
  return `${userId.toHexString()} ${mode} ${cluster} ${wallet} ${address}`;
}

/** The effect of an order on one position. */
export interface PartResult {
  realisedLamports: number;
  opened: boolean;
  closed: boolean;
}

/** A fired exit. It stays fired at any later price, also after a restart. */
export interface ExitRecord extends FiredExit {
  /** Fired while a part was being sold, and is carried out after that; null: none. */
  next: FiredExit | null;
  /** Attempts to sell that failed. */
  failures: number;
  /** Made when it got stuck, for the one alert of the user; null before. */
  stuckId: Types.ObjectId | null;
}

/** Figures of a token when the market had it last. */
export interface HeldFigures
  extends Pick<TradedCoin, 'launchpad' | 'quote' | 'stage' | 'reserves' | 'reservesVenue' | 'price'> {
  /** Time of the reserves, epoch ms; null when unknown. */
  at: number | null;
}

/** Tokens of one origin in one wallet, in `positions`: one document, kept for good. */
export interface PositionRecord extends LotRecord {
  /** Id of the order that opened it. */
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  mode: TradingMode;
  cluster: ChainCluster | null;
  wallet: string;
  token: OrderToken;
  /** Last figures of a token that was removed; null before. */
  figures: HeldFigures | null;
  /** `manual`, `rule:<id>` or `strategy:<id>`. */
  origin: string;
  /** Name of rule or strategy; null for `manual`. */
  originName: string | null;
  status: PositionStatus;
  /** False once it is closed. */
  open: boolean;
  exits: Exits;
  /** Highest price since it was opened, as it was stored last; null: not above the price paid. */
  peakPrice: number | null;
  /** Rises (percent) of the steps that were sold. */
  stepsDone: number[];
  /** The exit that has fired, until its sale is over; null before. */
  exit: ExitRecord | null;
  /** Number of its last exit order, which is in the order's key (`exit:<position>:<n>`); 0 before the first. */
  exitSeq: number;
  /** The last order applied, so that it is not applied twice after a crash. */
  last: (PartResult & { orderId: Types.ObjectId }) | null;
  /** Whether its place among the open positions of the account is still to be freed: it was closed without an order. */
  holdsPlace: boolean;
  openedAt: Date;
  closedAt: Date | null;
  version: number;
}

/** Returns a position as it is to be stored; null when it stays as it is. */
export type PositionChange = (position: PositionRecord) => PositionRecord | null;

/** The part of an order that one position gets. `charge`: only what failed attempts have paid. */
export interface FillPart {
  positionId: Types.ObjectId;
  type: 'purchase' | 'sale' | 'charge';
  trade: Omit<LotTrade, 'tokens'> & { tokens: string };
  /** Null until it is applied. */
  result: PartResult | null;
}

/**
 * An order that is over, with its effect on positions, in `positionFills`. It is stored before the positions change, and
 * finished after a crash.
 */
export interface PositionFillRecord extends Holding {
  /** The order's id. */
  _id: Types.ObjectId;
  side: OrderSide;
  token: OrderToken;
  origin: string;
  originName: string | null;
  /** Of the position that it opens; null: the user's default ones. */
  exits: Exits | null;
  hasFill: boolean;
  /** All fees of the order, failed attempts included. */
  feesLamports: number;
  /** Sum over the parts, once it is done. */
  realisedLamports: number;
  parts: FillPart[];
  done: boolean;
  at: Date;
}

/** Returns the amounts of a stored position. */
export function lotOf(record: LotRecord): Lot {
  return {
    tokens: BigInt(record.tokens),
    boughtTokens: BigInt(record.boughtTokens),
    soldTokens: BigInt(record.soldTokens),
    movedTokens: BigInt(record.movedTokens),
    costLamports: record.costLamports,
    paidLamports: record.paidLamports,
    proceedsLamports: record.proceedsLamports,
    realisedLamports: record.realisedLamports,
    movedCostLamports: record.movedCostLamports,
    feesLamports: record.feesLamports,
    rentLamports: record.rentLamports,
    entryPrice: record.entryPrice,
    quoteLamports: record.quoteLamports,
  };
}

/** Returns the amounts as they are stored. */
export function lotRecord(lot: Lot): LotRecord {
  return {
    ...lot,
    tokens: String(lot.tokens),
    boughtTokens: String(lot.boughtTokens),
    soldTokens: String(lot.soldTokens),
    movedTokens: String(lot.movedTokens),
  };
}
