import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { ChainCluster } from '../../common/client-config/model.ts';
import type { Refusal } from '../../common/transactions/failure.ts';
import {
  type TransactionStatus,
  type TransactionType,
  transactionStatusSchema,
  transactionTypes,
} from '../../common/transactions/model.ts';

/** The token that was bought or sold. */
interface TradedToken {
  address: string;
  name: string | null;
  symbol: string | null;
}

/** A transaction of a user as stored in `transactions`: kept for good, as it is the user's account book. */
export interface TransactionRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  type: TransactionType;
  status: TransactionStatus;
  /** Base58 of 64 bytes; on paper `paper:` and a name. */
  signature: string;
  /** The cluster it was sent to. The server may use another one by now. Null on paper. */
  cluster: ChainCluster | null;
  /** The order of a buy or sell; missing otherwise. */
  orderId?: Types.ObjectId | null;
  /** The user's wallet at the time of recording; it may have been replaced since. */
  wallet: string;
  /** Null for SOL itself. */
  token: TradedToken | null;
  /** SOL spent, received or sent, in lamports, without the fee. While pending, the client's figure. */
  lamports: number | null;
  /** SOL for one whole token; null for a transfer. */
  price: number | null;
  /** Null until the chain reports it, and for users who did not pay it. */
  feeLamports: number | null;
  /** Realised by a sale; null or missing: not known. */
  profitLamports?: number | null;
  /** The other side of a transfer; null when there are several or none is known. */
  counterparty: string | null;
  failure: string | null;
  /** While pending: it cannot get into a block above this height. */
  lastValidBlockHeight: number | null;
  /** Why a node did not forward it, by the client. */
  refusal: Refusal | null;
  createdAt: Date;
  updatedAt: Date;
}

const nullable = { type: Number, default: null };
const text = { type: String, default: null };

const transactionSchema = new Schema<TransactionRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    type: { type: String, required: true, enum: transactionTypes },
    status: { type: String, required: true, enum: transactionStatusSchema.options },
    signature: { type: String, required: true },
    cluster: { type: String, default: null },
    orderId: { type: Schema.Types.ObjectId },
    wallet: { type: String, required: true },
    token: {
      type: new Schema<TradedToken>({ address: String, name: text, symbol: text }, { _id: false }),
      default: null,
    },
    lamports: nullable,
    price: nullable,
    feeLamports: nullable,
    profitLamports: { type: Number },
    counterparty: text,
    failure: text,
    lastValidBlockHeight: nullable,
    refusal: text,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'transactions' },
);
// One signature may be two rows of a user: a transfer to oneself is one outgoing and one incoming.
transactionSchema.index({ userId: 1, signature: 1, type: 1 }, { unique: true });
// Newest first; type and status are included so that filters and counts read keys only.
transactionSchema.index({ userId: 1, createdAt: -1, _id: -1, type: 1, status: 1 });
// Pending transactions, which are few among all.
transactionSchema.index({ cluster: 1, userId: 1, _id: 1 }, { partialFilterExpression: { status: 'pending' } });

// Number of all users' transactions since a moment.
transactionSchema.index({ createdAt: 1 });

export function transactionModel(connection: Connection): Model<TransactionRecord> {
  return connection.model<TransactionRecord>('Transaction', transactionSchema);
}
