import { type Connection, Types } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { RECOVERY_DAYS } from '../../common/wallet/model.ts';
import type { Actor, Audit } from '../audit/service.ts';
import type { Keys } from '../keys/service.ts';
import { ensureIndexes } from '../platform/database.ts';
import { belongsTogether } from './key-pair.ts';
import { type ReplacedWalletRecord, type WalletRecord, walletModels } from './model.ts';
import { createWalletStore, type WalletStore } from './store.ts';

const RECOVERY_MS = RECOVERY_DAYS * 86_400_000;
/** Replaced wallets with a key for which one user may still save another. */
export const MOST_KEPT = 50;
/** Each time somebody else was faster, another change has happened; nobody has this many tabs. */
const TRIES = 100;

/** The wallets of all users: one each, an address and perhaps its private key (decision 22). */
export interface Wallets {
  /** The user's wallet, null without one. */
  current(userId: string): Promise<{ walletAddress: string; hasKey: boolean } | null>;
  /** Ids of the users whose wallet is this address now. Anyone may have set it: only a key proves that it is theirs. */
  usersOf(walletAddress: string): Promise<string[]>;
  /** Addresses by user id, of those who have a wallet. */
  addressesOf(userIds: readonly string[]): Promise<Map<string, string>>;
  find(userId: string): Promise<WalletRecord | null>;
  /** Sets address and key. The same once more changes nothing. Throws `key-mismatch` and `limit-reached`. */
  save(userId: string, wallet: { walletAddress: string; privateKey: string }, by: Actor): Promise<WalletChange>;
  /** Sets the address alone; the address there is keeps its key. Throws `wallet-has-key` unless `replaceKey`. */
  setAddress(userId: string, walletAddress: string, replaceKey: boolean, by: Actor): Promise<WalletChange>;
  /** Replaced wallets with a key that can be had back, newest first. */
  previous(userId: string): Promise<ReplacedWalletRecord[]>;
  /** Makes one of these the wallet again. Whoever calls has asked for the password. Throws `not-found`. */
  recover(userId: string, id: string, by: Actor): Promise<WalletChange>;
  /** The private key as hex, once that is on record. Whoever calls has asked for the password. Throws like `secretKey`. */
  reveal(userId: string, by: Actor): Promise<{ walletAddress: string; privateKey: string }>;
  /** The 64-byte secret key; the caller overwrites it after use. Throws `no-wallet` and `no-key`. */
  secretKey(userId: string): Promise<{ walletAddress: string; secretKey: Buffer }>;
}

/** The wallet after a call, and whether the call changed it. */
export interface WalletChange {
  wallet: WalletRecord;
  changed: boolean;
}

/** The wallets of this database, with its indexes made. */
export async function openWallets(
  connection: Connection,
  deps: { keys: Keys; audit: Audit; clock: Clock },
): Promise<Wallets> {
  const models = walletModels(connection);
  await ensureIndexes(models.wallets);
  await ensureIndexes(models.replaced);
  return createWallets({ ...deps, store: createWalletStore(models) });
}

/** What a wallet is to become. */
type Next = Pick<WalletRecord, 'walletAddress' | 'sealedKey'>;

interface HowToChange {
  /** Throws unless the present wallet may be replaced. */
  allow?: (present: WalletRecord | null, now: Date) => Promise<void> | void;
  /** What goes on record; left out: that a wallet was saved or replaced. */
  action?: AuditAction;
}

export function createWallets(deps: { store: WalletStore; keys: Keys; audit: Audit; clock: Clock }): Wallets {
  const { store, keys, audit, clock } = deps;

  /**
   * Puts `next` in the place of the present wallet, in two steps of which each is atomic: the present key is copied, then
   * exactly the wallet whose key was copied is replaced. So a key is in one of the two places at any moment, whatever
   * ends this between the steps; a copy of the wallet that is still there does no harm. Before the second step the change
   * goes on record, once: what ends this in between leaves a record too many, and never a change without one.
   */
  async function change(userId: string, next: Next, by: Actor, how: HowToChange): Promise<WalletChange> {
    let isOnRecord = false;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const present = await store.find(userId);
      if (present && isAlready(present, next)) return { wallet: present, changed: false };
      const now = new Date(clock.now());
      await how.allow?.(present, now);
      if (present?.sealedKey != null && present.walletAddress !== next.walletAddress) {
        const { walletAddress, sealedKey } = present;
        const expiresAt = new Date(now.getTime() + RECOVERY_MS);
        await store.keep({ userId: present._id, walletAddress, sealedKey, replacedAt: now, expiresAt });
      }
      if (!isOnRecord) await audit.record(how.action ?? actionOf(present), by, userId, next.walletAddress);
      isOnRecord = true;
      const version = (present?.version ?? 0) + 1;
      const wallet = { _id: new Types.ObjectId(userId), ...next, savedAt: now, version };
      if (await store.swap(present, wallet)) return { wallet, changed: true };
    }
    throw new PublicError('too-many-requests', { retryAfter: 1 });
  }

  /**
   * Only a new key needs room. Whoever takes back one that is kept, or sets an address alone, is never refused: else a
   * stranger with a stolen session could use up all the room, and the owner's own key could not be had back.
   */
  async function requireRoom(userId: string, present: WalletRecord | null, walletAddress: string, now: Date) {
    const known = new Set((await store.kept(userId, now)).map((copy) => copy.walletAddress));
    if (present?.sealedKey != null) known.add(present.walletAddress);
    if (known.size <= MOST_KEPT || known.has(walletAddress)) return;
    const text = `${MOST_KEPT} wallets with a private key were replaced within ${RECOVERY_DAYS} days. No more can be kept.`;
    throw new PublicError('limit-reached', { text });
  }

  async function previous(userId: string): Promise<ReplacedWalletRecord[]> {
    const [present, kept] = await Promise.all([store.find(userId), store.kept(userId, new Date(clock.now()))]);
    // The copy of a wallet that was about to be replaced, or that was recovered: it is the wallet.
    return kept.filter(({ walletAddress }) => !present?.sealedKey || walletAddress !== present.walletAddress);
  }

  async function secretKey(userId: string) {
    const wallet = await store.find(userId);
    if (!wallet) throw new PublicError('no-wallet');
    const { walletAddress, sealedKey } = wallet;
    if (sealedKey === null) throw new PublicError('no-key');
    return { walletAddress, secretKey: await keys.open(userId, purposeOf(walletAddress), sealedKey) };
  }

  return {
    find: store.find,
    addressesOf: store.addressesOf,
    usersOf: store.usersOf,
    previous,
    async current(userId) {
      const wallet = await store.find(userId);
      return wallet && { walletAddress: wallet.walletAddress, hasKey: wallet.sealedKey !== null };
    },
    async save(userId, { walletAddress, privateKey }, by) {
      const secretKey = Buffer.from(privateKey, 'hex');
      try {
        if (!belongsTogether(secretKey, walletAddress)) {
          throw new PublicError('key-mismatch', { details: { privateKey: [errors['key-mismatch'].text] } });
        }
        const sealedKey = await keys.seal(userId, purposeOf(walletAddress), secretKey);
        return await change(userId, { walletAddress, sealedKey }, by, {
          allow: (present, now) => requireRoom(userId, present, walletAddress, now),
        });
      } finally {
        secretKey.fill(0);
      }
    },
    setAddress: (userId, walletAddress, replaceKey, by) =>
      change(userId, { walletAddress, sealedKey: null }, by, {
        allow(present) {
          if (present?.sealedKey != null && !replaceKey) throw new PublicError('wallet-has-key');
        },
      }),
    async recover(userId, id, by) {
      const copy = (await previous(userId)).find(({ _id }) => _id.toHexString() === id);
      if (!copy) throw new PublicError('not-found', { text: 'This wallet can no longer be recovered.' });
      // The copy stays until it expires: taking it away could race with the next replacement of this very wallet.
      const { walletAddress, sealedKey } = copy;
      return change(userId, { walletAddress, sealedKey }, by, { action: 'wallet-recovered' });
    },
    secretKey,
    async reveal(userId, by) {
      const { walletAddress, secretKey: bytes } = await secretKey(userId);
      try {
        await audit.record('key-revealed', by, userId, walletAddress);
        return { walletAddress, privateKey: bytes.toString('hex') };
      } finally {
        bytes.fill(0);
      }
    },
  };
}

function actionOf(present: WalletRecord | null): AuditAction {
  return present ? 'wallet-replaced' : 'wallet-saved';
}

/** An address has one key: the same address with any key, or without when none is offered, is the same wallet. */
function isAlready(present: WalletRecord, next: Next): boolean {
  return present.walletAddress === next.walletAddress && (present.sealedKey !== null || next.sealedKey === null);
}

/** A sealed key opens as the key of this address alone, whatever is copied where. */
function purposeOf(walletAddress: string): string {
  return `wallet key of ${walletAddress}`;
}
