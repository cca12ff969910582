import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { ChainCluster } from '../../common/client-config/model.ts';
import {
  type TransactionStatus,
  type TransactionType,
  transactionStatuses,
  transactionTypes,
} from '../../common/transactions/model.ts';

/** What was bought or sold. */
export interface TradedToken {
  address: string;
  name: string | null;
  symbol: string | null;
}

/** A transaction of a user as `transactions` keeps it: kept for good, as it is the user's account book. */
export interface TransactionRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  type: TransactionType;
  status: TransactionStatus;
  /** Base58 of 64 bytes. */
  signature: string;
  /** The cluster it was sent to. The server may use another one by now. */
  cluster: ChainCluster;
  /** The user's wallet when this was recorded: another one may have taken its place since. */
  wallet: string;
  /** Null for SOL itself. */
  token: TradedToken | null;
  /** SOL spent, received or sent, in lamports, without the fee. While pending it is what the client told. */
  lamports: number | null;
  /** SOL for one whole token; null for a transfer. */
  price: number | null;
  /** Null until the chain told, and for whom did not pay it. */
  feeLamports: number | null;
  /** The other side of a transfer; null when there are several, or none is known. */
  counterparty: string | null;
  failure: string | null;
  /** While pending: it can't get into a block above this height. */
  lastValidBlockHeight: number | null;
  createdAt: Date;
  updatedAt: Date;
}

const nullable = { type: Number, default: null };
const text = { type: String, default: null };

const transactionSchema = new Schema<TransactionRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    type: { type: String, required: true, enum: transactionTypes },
    status: { type: String, required: true, enum: transactionStatuses },
    signature: { type: String, required: true },
    cluster: { type: String, required: true },
    wallet: { type: String, required: true },
    token: {
      type: new Schema<TradedToken>({ address: String, name: text, symbol: text }, { _id: false }),
      default: null,
    },
    lamports: nullable,
    price: nullable,
    feeLamports: nullable,
    counterparty: text,
    failure: text,
    lastValidBlockHeight: nullable,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'transactions' },
);
// One signature may be two rows of a user: whoever sends to themselves has one out and one in.
transactionSchema.index({ userId: 1, signature: 1, type: 1 }, { unique: true });
// Newest first; type and status are in it so that a filter reads keys only, and counts read no document.
transactionSchema.index({ userId: 1, createdAt: -1, _id: -1, type: 1, status: 1 });
// What is still followed: few, however many there are in all.
transactionSchema.index({ cluster: 1, userId: 1, _id: 1 }, { partialFilterExpression: { status: 'pending' } });

// How many there were of all users since a moment.
transactionSchema.index({ createdAt: 1 });

export function transactionModel(connection: Connection): Model<TransactionRecord> {
  return connection.model<TransactionRecord>('Transaction', transactionSchema);
}
