import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type {
  BotTrading,
  TradingDefaults,
  TradingLimits,
  TradingMode,
  TradingPresets,
} from '../../../common/trading/account.ts';
import type { Hold } from '../../../common/trading/limits/book.ts';
import type { Protections } from '../../../common/trading/limits/protections.ts';

/** Who stopped, and when. */
export interface StoppedRecord {
  at: Date;
  by: 'user' | 'telegram' | 'admin';
  /** Whether exits wait until trading is resumed; missing: they go on. */
  pausesExits?: boolean;
}

/** A user's consent to trade with real money, by password and a typed word. It holds for one network. */
export interface LiveConsent {
  at: Date;
  cluster: ChainCluster;
}

/** Money of one mode. */
export interface BookRecord {
  /** UTC day of the next three figures, `YYYY-MM-DD`. */
  day: string;
  /** Purchases of the day and the holds of orders that are not over. */
  usedLamports: number;
  /** Realised on the day; negative is a loss. */
  realisedLamports: number;
  /** Sums over `holds`. */
  heldLamports: number;
  reservedLamports: number;
  /** By order id, hexadecimal. */
  holds: Record<string, Hold>;
  /** Ids of open positions, hexadecimal. */
  positions: string[];
  /** Addresses of their tokens, by position id. */
  tokens: Record<string, string>;
  /** Time of the last hold of a purchase, epoch ms; 0 without one. */
  lastBuyAt: number;
  /** Times of the last sales by a stop loss, epoch ms, oldest first. */
  stopLossesAt: number[];
}

/** Fields of accounts from before there were presets. */
interface FormerDefaults {
  slippageBps?: number;
  /** Lamports of four buttons. */
  buyPresets?: number[];
  /** Percent 1–100 of three buttons. */
  sellPresets?: number[];
}

/** The trading account of a user: all of it in one document, so that a hold is one atomic update. */
export interface TradingAccountRecord {
  /** The user's id. */
  _id: Types.ObjectId;
  /** Chosen by the user; null: the mode of the server. */
  mode: TradingMode | null;
  /** Missing or null: never given. */
  live?: LiveConsent | null;
  limits: TradingLimits;
  defaults: TradingDefaults & FormerDefaults;
  /** Fields that were set; for the others see `presetsOf`. */
  presets?: Partial<TradingPresets>;
  bot: BotTrading;
  /** Only values that were set; the others have their default. */
  protections?: Partial<Protections>;
  stopped: StoppedRecord | null;
  books: Record<TradingMode, BookRecord>;
  /** Play money of paper trading. `isClosing`: positions from before its reset are still to be closed; missing: none. */
  paper: { lamports: number; resetAt: Date; isClosing?: boolean };
  /** Ids of the last orders whose hold has ended, and of closed positions, newest last: they can't be held or opened again. */
  ended: string[];
  version: number;
  updatedAt: Date;
}

const accountSchema = new Schema<TradingAccountRecord>(
  {
    mode: { type: String, default: null },
    live: { type: Schema.Types.Mixed, default: null },
    limits: Schema.Types.Mixed,
    defaults: Schema.Types.Mixed,
    presets: Schema.Types.Mixed,
    bot: Schema.Types.Mixed,
    protections: Schema.Types.Mixed,
    stopped: { type: Schema.Types.Mixed, default: null },
    books: Schema.Types.Mixed,
    paper: Schema.Types.Mixed,
    ended: [String],
    version: { type: Number, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, minimize: false, collection: 'tradingAccounts' },
);

// Users whose exits are paused or whose reset is not over: few. Everything else is read and written by `_id`.
accountSchema.index({ 'stopped.pausesExits': 1 }, { partialFilterExpression: { 'stopped.pausesExits': true } });
accountSchema.index({ 'paper.isClosing': 1 }, { partialFilterExpression: { 'paper.isClosing': true } });

export function tradingAccountModel(connection: Connection): Model<TradingAccountRecord> {
  return connection.model<TradingAccountRecord>('TradingAccount', accountSchema);
}

/** A stop of an administrator, kept after its end. */
export interface AllStopRecord {
  id: Types.ObjectId;
  at: Date;
}

/** The stop of an administrator, for all users: one document with the id `all`. */
export interface TradingStateRecord {
  _id: 'all';
  stopped: StoppedRecord | null;
  /** The last stops, newest last, so that users hear of one that has ended. */
  stops: AllStopRecord[];
}

const stateSchema = new Schema<TradingStateRecord>(
  {
    _id: { type: String, required: true },
    stopped: { type: Schema.Types.Mixed, default: null },
    stops: { type: Schema.Types.Mixed, default: [] },
  },
  { versionKey: false, collection: 'tradingState' },
);

/** Needs no index: read and written by `_id` only. */
export function tradingStateModel(connection: Connection): Model<TradingStateRecord> {
  return connection.model<TradingStateRecord>('TradingState', stateSchema);
}
