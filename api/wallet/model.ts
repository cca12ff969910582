import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** The one wallet of a user. */
export interface WalletRecord {
  /** The user's: there is one wallet each. */
  _id: Types.ObjectId;
  walletAddress: string;
  /** The private key, sealed with the user's data key; null: only the address is known. */
  sealedKey: string | null;
  savedAt: Date;
  /** One more with every change, so that of two changes at once the slower one notices. */
  version: number;
}

/** A wallet with a key that another one replaced, or is about to replace. */
export interface ReplacedWalletRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  walletAddress: string;
  sealedKey: string;
  replacedAt: Date;
  /** TTL: its key is deleted then. */
  expiresAt: Date;
}

export interface WalletModels {
  wallets: Model<WalletRecord>;
  replaced: Model<ReplacedWalletRecord>;
}

const walletSchema = new Schema<WalletRecord>(
  {
    walletAddress: { type: String, required: true },
    sealedKey: { type: String, default: null },
    savedAt: { type: Date, required: true },
    version: { type: Number, required: true },
  },
  { versionKey: false, collection: 'wallets' },
);
// Whose wallet an address is.
walletSchema.index({ walletAddress: 1 });

const replacedSchema = new Schema<ReplacedWalletRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    walletAddress: { type: String, required: true },
    sealedKey: { type: String, required: true },
    replacedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'replacedWallets' },
);
// An address has one key, so one copy of it is enough.
replacedSchema.index({ userId: 1, walletAddress: 1 }, { unique: true });
replacedSchema.index({ userId: 1, replacedAt: -1 });
replacedSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function walletModels(connection: Connection): WalletModels {
  return {
    wallets: connection.model<WalletRecord>('Wallet', walletSchema),
    replaced: connection.model<ReplacedWalletRecord>('ReplacedWallet', replacedSchema),
  };
}
