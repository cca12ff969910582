import { type Connection, Types } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import { type Clock, DAY } from '../../common/time.ts';
import { RECOVERY_DAYS } from '../../common/wallet/model.ts';
import type { Actor, Audit } from '../audit/service.ts';
import { SealError } from '../keys/sealed.ts';
import type { Keys } from '../keys/service.ts';
import { ensureIndexes } from '../platform/database.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { belongsTogether } from './key-pair.ts';
import { type ReplacedWalletRecord, type WalletRecord, walletModels } from './model.ts';
import { createWalletStore, type WalletStore } from './store.ts';

const RECOVERY_MS = RECOVERY_DAYS * DAY;
/** Replaced wallets with a key that are kept per user. */
export const REPLACED_MAX = 50;
/** Most tries of a change whose wallet another process changed meanwhile. */
const TRIES = 3;
const OVERTAKEN = 'The wallet was changed at the same moment. Look at it, and try again.';

export type Wallets = ReturnType<typeof createWallets>;

/** The wallet after a call, and whether the call changed it. */
export interface WalletChange {
  wallet: WalletRecord;
  changed: boolean;
}

/** Opens the wallets of this database and creates their indexes. */
export async function openWallets(
  connection: Connection,
  deps: { keys: Keys; audit: Audit; clock: Clock },
): Promise<Wallets> {
  const models = walletModels(connection);
  await ensureIndexes(models.wallets);
  await ensureIndexes(models.replaced);
  return createWallets({ ...deps, store: createWalletStore(models) });
}

/** The fields of a wallet after a change. */
type Next = Pick<WalletRecord, 'walletAddress' | 'sealedKey'>;

interface ChangeOptions {
  /** Throws unless the current wallet may be replaced. */
  allow?: (present: WalletRecord | null, now: Date) => Promise<void> | void;
  /** The recorded action; default: saved or replaced. */
  action?: AuditAction;
}

export interface WalletDeps {
  store: WalletStore;
  keys: Keys;
  audit: Audit;
  clock: Clock;
}

/** Wallets of users, one each: an address and optionally its private key (decision 22). */
export function createWallets(deps: WalletDeps) {
  const { store, keys, clock } = deps;
  const inOrder = createKeyedMutex();

  /** Changes a wallet after the earlier changes of its user in this process. */
  const changeInOrder = (userId: string, ...change: [next: Next, by: Actor, options: ChangeOptions]) =>
    inOrder(userId, () => changeWallet(deps, userId, ...change));

  /** Returns the recoverable wallets, newest first: replaced ones with a key. */
  async function previous(userId: string): Promise<ReplacedWalletRecord[]> {
    const [present, copies] = await Promise.all([store.find(userId), store.copies(userId, new Date(clock.now()))]);
    // Without copies of the current wallet, left by an unfinished replacement or a recovery.
    return copies.filter(({ walletAddress }) => !present?.sealedKey || walletAddress !== present.walletAddress);
  }

  return {
    find: store.find,
    /** Returns addresses by user id; users without a wallet are left out. */
    addressesOf: store.addressesOf,
    /** Returns the ids of users whose wallet has this address now. Any user can set any address: only a key proves ownership. */
    usersOf: store.usersOf,
    previous,
    /** Returns the user's wallet, null without one. */
    async current(userId: string) {
      const wallet = await store.find(userId);
      return wallet && { walletAddress: wallet.walletAddress, hasKey: wallet.sealedKey !== null };
    },
    /**
     * Sets address and key; repeating it changes nothing. `beforeReplacing` receives the address of another wallet that is about to be
     * replaced, and may throw. No other change of the user waits for it. Throws `key-mismatch`, `limit-reached`, and `too-many-requests`
     * when there is yet another wallet after it.
     */
    async save(
      userId: string,
      { walletAddress, privateKey }: { walletAddress: string; privateKey: string },
      by: Actor,
      beforeReplacing?: (walletAddress: string) => Promise<void>,
    ) {
      const secretKey = Buffer.from(privateKey, 'hex');
      try {
        if (!belongsTogether(secretKey, walletAddress)) {
          throw new PublicError('key-mismatch', { details: { privateKey: [errors['key-mismatch'].text] } });
        }
        const sealedKey = await keys.seal(userId, purposeOf(walletAddress), secretKey);
        const replaced = beforeReplacing && (await store.find(userId));
        if (replaced && replaced.walletAddress !== walletAddress) {
          await requireRoom(store, userId, replaced, walletAddress, new Date(clock.now()));
          await beforeReplacing(replaced.walletAddress);
        }
        const expected = [walletAddress, replaced?.walletAddress];
        return await changeInOrder(userId, { walletAddress, sealedKey }, by, {
          async allow(present, now) {
            if (beforeReplacing && present && !expected.includes(present.walletAddress)) throw overtaken();
            await requireRoom(store, userId, present, walletAddress, now);
          },
        });
      } finally {
        secretKey.fill(0);
      }
    },
    /** Sets the address alone; the current address keeps its key. Throws `wallet-has-key` unless `replaceKey`. */
    setAddress: (userId: string, walletAddress: string, replaceKey: boolean, by: Actor) =>
      changeInOrder(userId, { walletAddress, sealedKey: null }, by, {
        allow(present) {
          if (present?.sealedKey != null && !replaceKey) throw new PublicError('wallet-has-key');
        },
      }),
    /** Restores a replaced wallet. The caller has checked the password. Throws `not-found`. */
    async recover(userId: string, id: string, by: Actor) {
      const copy = (await previous(userId)).find(({ _id }) => _id.toHexString() === id);
      if (!copy) throw new PublicError('not-found', { text: 'This wallet can no longer be recovered.' });
      // The copy stays until it expires: removing it could race with the next replacement of this wallet.
      const { walletAddress, sealedKey } = copy;
      return changeInOrder(userId, { walletAddress, sealedKey }, by, { action: 'wallet-recovered' });
    },
    ...createKeyReads(deps),
  };
}

/** Creates the reads of secret keys. */
function createKeyReads({ store, keys, audit }: Omit<WalletDeps, 'clock'>) {
  /** Returns the 64-byte secret key; the caller overwrites it after use. Throws `no-wallet` and `no-key`. */
  async function secretKey(userId: string) {
    const wallet = await store.find(userId);
    if (!wallet) throw new PublicError('no-wallet');
    const { walletAddress, sealedKey } = wallet;
    if (sealedKey === null) throw new PublicError('no-key');
    return { walletAddress, secretKey: await keys.open(userId, purposeOf(walletAddress), sealedKey) };
  }

  return {
    secretKey,
    /**
     * Returns the 64-byte secret key, after recording it; the caller has checked the password and overwrites the key after use. Throws
     * like `secretKey`, and `key-unreadable`, which is recorded, for a stored key that does not open.
     */
    async reveal(userId: string, by: Actor) {
      const opened = await secretKey(userId).catch(async (error: unknown) => {
        if (!(error instanceof SealError)) throw error;
        await audit.record('key-unreadable', by, userId);
        throw new PublicError('key-unreadable');
      });
      try {
        await audit.record('key-revealed', by, userId, opened.walletAddress);
      } catch (error) {
        opened.secretKey.fill(0);
        throw error;
      }
      return opened;
    },
  };
}

/**
 * Replaces the current wallet by `next` in two atomic steps: it copies the current key, then replaces exactly the wallet
 * whose key was copied. A crash between the steps therefore loses no key; a surplus copy does no harm. The change is
 * recorded once, before the second step, so that a crash may leave a surplus record but never an unrecorded change. When
 * another process changes the wallet between the steps, they are repeated for its wallet. Throws `too-many-requests` when
 * that happens each time.
 */
async function changeWallet(
  { store, audit, clock }: Pick<WalletDeps, 'store' | 'audit' | 'clock'>,
  userId: string,
  next: Next,
  by: Actor,
  options: ChangeOptions,
): Promise<WalletChange> {
  for (let tries = 0; ; tries += 1) {
    const present = await store.find(userId);
    if (present && isAlready(present, next)) return { wallet: present, changed: false };
    if (tries === TRIES) throw overtaken();
    const now = new Date(clock.now());
    await options.allow?.(present, now);
    if (present?.sealedKey != null && present.walletAddress !== next.walletAddress) {
      const { walletAddress, sealedKey } = present;
      const expiresAt = new Date(now.getTime() + RECOVERY_MS);
      await store.saveCopy({ userId: present._id, walletAddress, sealedKey, replacedAt: now, expiresAt });
    }
    if (tries === 0) await audit.record(options.action ?? actionOf(present), by, userId, next.walletAddress);
    const version = (present?.version ?? 0) + 1;
    const wallet = { _id: new Types.ObjectId(userId), ...next, savedAt: now, version };
    if (await store.swap(present, wallet)) return { wallet, changed: true };
  }
}

function overtaken(): PublicError {
  return new PublicError('too-many-requests', { retryAfter: 1, text: OVERTAKEN });
}

/**
 * Throws `limit-reached` when a new key would exceed the limit. Recovering a key or setting an address alone is never
 * refused: otherwise a stolen session could use up the limit, and the owner could not recover the own key.
 */
async function requireRoom(
  store: WalletStore,
  userId: string,
  present: WalletRecord | null,
  walletAddress: string,
  now: Date,
): Promise<void> {
  const addresses = new Set((await store.copies(userId, now)).map((copy) => copy.walletAddress));
  if (present?.sealedKey != null) addresses.add(present.walletAddress);
  if (addresses.size <= REPLACED_MAX || addresses.has(walletAddress)) return;
  const text = `${REPLACED_MAX} wallets with a private key were replaced within ${RECOVERY_DAYS} days. No more can be kept.`;
  throw new PublicError('limit-reached', { text });
}

function actionOf(present: WalletRecord | null): AuditAction {
  return present ? 'wallet-replaced' : 'wallet-saved';
}

/** Returns whether `next` changes nothing. An address has one key, so the same address with a key is the same wallet. */
function isAlready(present: WalletRecord, next: Next): boolean {
  return present.walletAddress === next.walletAddress && (present.sealedKey !== null || next.sealedKey === null);
}

/** Binds a sealed key to its address, so that a copy elsewhere does not open. */
function purposeOf(walletAddress: string): string {
  return `wallet key of ${walletAddress}`;
}
