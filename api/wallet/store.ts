import { Types } from 'mongoose';
import { unlessDuplicate } from '../platform/database.ts';
import type { ReplacedWalletRecord, WalletModels, WalletRecord } from './model.ts';

/** Storage of wallets. Each method is one atomic step; the service maintains what must hold across several. */
export interface WalletStore {
  find(userId: string): Promise<WalletRecord | null>;
  /** Returns the users whose wallet has this address. */
  usersOf(walletAddress: string): Promise<string[]>;
  /** Returns addresses by user id; users without a wallet are left out. */
  addressesOf(userIds: readonly string[]): Promise<Map<string, string>>;
  /** Replaces exactly `present` by `next`. False when `present` is no longer the wallet. */
  swap(present: WalletRecord | null, next: WalletRecord): Promise<boolean>;
  /** Stores a copy of a wallet with a key, or extends the expiry of the existing copy. */
  saveCopy(copy: Omit<ReplacedWalletRecord, '_id'>): Promise<void>;
  /** Returns the copies that have not expired, newest first. */
  copies(userId: string, now: Date): Promise<ReplacedWalletRecord[]>;
}

export function createWalletStore({ wallets, replaced }: WalletModels): WalletStore {
  return {
    find: (userId) => wallets.findById(new Types.ObjectId(userId)).lean<WalletRecord>(),
    async usersOf(walletAddress) {
      // Index: walletAddress.
      const owners = await wallets.find({ walletAddress }, { _id: 1 }).lean<Pick<WalletRecord, '_id'>[]>();
      return owners.map(({ _id }) => _id.toHexString());
    },
    async addressesOf(userIds) {
      const found = await wallets
        .find({ _id: { $in: userIds.map((id) => new Types.ObjectId(id)) } }, { walletAddress: 1 })
        .lean<Pick<WalletRecord, '_id' | 'walletAddress'>[]>();
      return new Map(found.map(({ _id, walletAddress }) => [_id.toHexString(), walletAddress]));
    },
    async swap(present, next) {
      if (present === null) return unlessDuplicate(() => wallets.create(next));
      const { _id, ...fields } = next;
      const { matchedCount } = await wallets.updateOne({ _id, version: present.version }, { $set: fields });
      return matchedCount === 1;
    },
    async saveCopy({ userId, walletAddress, ...fields }) {
      // Index: userId, walletAddress (unique).
      const put = () => replaced.updateOne({ userId, walletAddress }, { $set: fields }, { upsert: true });
      // Two concurrent upserts may both insert; the slower one then updates.
      if (!(await unlessDuplicate(put))) await put();
    },
    // Index: userId, replacedAt.
    copies: (userId, now) =>
      replaced
        .find({ userId: new Types.ObjectId(userId), expiresAt: { $gt: now } })
        .sort({ replacedAt: -1 })
        .lean<ReplacedWalletRecord[]>(),
  };
}
