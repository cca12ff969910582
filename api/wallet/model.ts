import { type Connection, Schema, type Types } from 'mongoose';

/** The wallet of a user. */
export interface WalletRecord {
  /** The user's id: there is one wallet per user. */
  _id: Types.ObjectId;
  walletAddress: string;
  /** Private key, sealed with the user's data key; null: only the address is known. */
  sealedKey: string | null;
  savedAt: Date;
  /** Number of changes. It makes the slower of two concurrent changes fail. */
  version: number;
}

/** A copy of a wallet with a key, made before another wallet replaces it. */
export interface ReplacedWalletRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  walletAddress: string;
  sealedKey: string;
  replacedAt: Date;
  /** TTL: the key is deleted at this time. */
  expiresAt: Date;
}

export type WalletModels = ReturnType<typeof walletModels>;

const walletSchema = new Schema<WalletRecord>(
  {
    walletAddress: { type: String, required: true },
    sealedKey: { type: String, default: null },
    savedAt: { type: Date, required: true },
    version: { type: Number, required: true },
  },
  { versionKey: false, collection: 'wallets' },
);
// Finds the users of an address.
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
// An address has one key, so one copy is enough.
replacedSchema.index({ userId: 1, walletAddress: 1 }, { unique: true });
replacedSchema.index({ userId: 1, replacedAt: -1 });
replacedSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function walletModels(connection: Connection) {
  return {
    wallets: connection.model<WalletRecord>('Wallet', walletSchema),
    replaced: connection.model<ReplacedWalletRecord>('ReplacedWallet', replacedSchema),
  };
}
