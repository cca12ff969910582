import { Types } from 'mongoose';
import { isDuplicateKey } from '../platform/database.ts';
import type { ReplacedWalletRecord, WalletModels, WalletRecord } from './model.ts';

/** Each of these is one atomic step: what has to hold across several is for the service to see to. */
export interface WalletStore {
  find(userId: string): Promise<WalletRecord | null>;
  /** Users whose wallet has this address. */
  usersOf(walletAddress: string): Promise<string[]>;
  /** Addresses by user id, of those who have a wallet. */
  addressesOf(userIds: readonly string[]): Promise<Map<string, string>>;
  /** Puts `next` in the place of exactly `present`. False when that is not the wallet any more. */
  swap(present: WalletRecord | null, next: WalletRecord): Promise<boolean>;
  /** Keeps a copy of a wallet with a key, or the copy that is there already for as long. */
  keep(copy: Omit<ReplacedWalletRecord, '_id'>): Promise<void>;
  /** The copies that have not expired, newest first. */
  kept(userId: string, now: Date): Promise<ReplacedWalletRecord[]>;
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
    async keep({ userId, walletAddress, ...fields }) {
      // Index: userId, walletAddress (unique).
      const put = () => replaced.updateOne({ userId, walletAddress }, { $set: fields }, { upsert: true });
      // Two upserts at once may both want to insert; the slower one then finds what to update.
      if (!(await unlessDuplicate(put))) await put();
    },
    // Index: userId, replacedAt.
    kept: (userId, now) =>
      replaced
        .find({ userId: new Types.ObjectId(userId), expiresAt: { $gt: now } })
        .sort({ replacedAt: -1 })
        .lean<ReplacedWalletRecord[]>(),
  };
}

/** False when another document with the same unique key was faster. */
async function unlessDuplicate(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
