import { Types } from 'mongoose';
import { unlessDuplicate } from '../platform/database.ts';
import type { ReplacedWalletRecord, WalletModels, WalletRecord } from './model.ts';

/** Storage of wallets. Each method is one atomic step; the service maintains what must hold across several. */
export type WalletStore = ReturnType<typeof createWalletStore>;

export function createWalletStore({ wallets, replaced }: WalletModels) {
  return {
    find: (userId: string): Promise<WalletRecord | null> =>
      wallets.findById(new Types.ObjectId(userId)).lean<WalletRecord>(),
    /** Returns the users whose wallet has this address. */
    async usersOf(walletAddress: string): Promise<string[]> {
      // Index: walletAddress.
      const owners = await wallets.find({ walletAddress }, { _id: 1 }).lean<Pick<WalletRecord, '_id'>[]>();
      return owners.map(({ _id }) => _id.toHexString());
    },
    /** Returns addresses by user id; users without a wallet are left out. */
    async addressesOf(userIds: readonly string[]): Promise<Map<string, string>> {
      const found = await wallets
        .find({ _id: { $in: userIds.map((id) => new Types.ObjectId(id)) } }, { walletAddress: 1 })
        .lean<Pick<WalletRecord, '_id' | 'walletAddress'>[]>();
      return new Map(found.map(({ _id, walletAddress }) => [_id.toHexString(), walletAddress]));
    },
    /** Replaces exactly `present` by `next`. False when `present` is no longer the wallet. */
    async swap(present: WalletRecord | null, next: WalletRecord): Promise<boolean> {
      if (present === null) return unlessDuplicate(() => wallets.create(next));
      const { _id, ...fields } = next;
      const { matchedCount } = await wallets.updateOne({ _id, version: present.version }, { $set: fields });
      return matchedCount === 1;
    },
    /** Stores a copy of a wallet with a key, or extends the expiry of the existing copy. */
    async saveCopy({ userId, walletAddress, ...fields }: Omit<ReplacedWalletRecord, '_id'>): Promise<void> {
      // Index: userId, walletAddress (unique).
      const put = () => replaced.updateOne({ userId, walletAddress }, { $set: fields }, { upsert: true });
      // Two concurrent upserts may both insert; the slower one then updates.
      if (!(await unlessDuplicate(put))) await put();
    },
    /** Returns the copies that have not expired, newest first. */
    // Index: userId, replacedAt.
    copies: (userId: string, now: Date): Promise<ReplacedWalletRecord[]> =>
      replaced
        .find({ userId: new Types.ObjectId(userId), expiresAt: { $gt: now } })
        .sort({ replacedAt: -1 })
        .lean<ReplacedWalletRecord[]>(),
  };
}
