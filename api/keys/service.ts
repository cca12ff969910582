import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Connection, type Model, Types } from 'mongoose';
import type { Clock } from '../../common/time.ts';
import { type Config, StartError } from '../config/config.ts';
import { type MasterKeys, masterKeys, parseMasterKey } from '../config/master-key.ts';
import { ensureIndexes, isDuplicateKey } from '../platform/database.ts';
import { MASTER_KEY_FILE, makeKeptMasterKey, readKeptMasterKeys } from './master-key-file.ts';
import { type DataKeyRecord, dataKeyModel, MasterKeyMissing, unwrapKey, wrapKey } from './model.ts';
import { KEY_BYTES, placeOf, type RandomBytes, seal, unseal } from './sealed.ts';

/** Encrypts a user's values with the user's own data key (decision 10). */
export type Keys = ReturnType<typeof createKeys>;

/** Wrapped data keys in memory: those of the users who trade. */
const KEPT_KEYS = 10_000;

type KeySettings = Pick<Config, 'walletMasterKeys' | 'dataDir'>;

/**
 * Opens the keys of this database. The master key is the environment's, or one in the data directory, created at the
 * first start.
 * Throws a StartError when a stored data key was wrapped by none of the configured master keys.
 */
export async function openKeys(connection: Connection, config: KeySettings, clock: Clock): Promise<Keys> {
  const dataKeys = dataKeyModel(connection);
  await ensureIndexes(dataKeys);
  const needed = await neededMasterKeys(dataKeys);
  const load = () => loadMasterKeys(config);
  let masters = await load();
  // Only where nothing is encrypted yet: beside wallets, a new key would hide that the right one is missing.
  if (!masters && needed.length === 0) masters = await makeKeptMasterKey(config.dataDir);
  requireMasterKeys(masters, needed);
  return createKeys({ dataKeys, masters, load, clock, random: randomBytes });
}

/** Returns the configured keys: the environment's, else those of the data directory; null for none. */
export async function loadMasterKeys({ walletMasterKeys, dataDir }: KeySettings): Promise<MasterKeys | null> {
  if (walletMasterKeys === null) return readKeptMasterKeys(dataDir);
  return masterKeys(walletMasterKeys.map(parseMasterKey).filter((key) => key !== null));
}

/** Returns the ids of the master keys in use. */
export function neededMasterKeys(dataKeys: Model<DataKeyRecord>): Promise<string[]> {
  return dataKeys.distinct('masterKeyId');
}

/** Throws a StartError that names the missing keys. */
export function requireMasterKeys(
  masters: MasterKeys | null,
  needed: readonly string[],
): asserts masters is MasterKeys {
  const missing = needed.filter((id) => !masters?.some((master) => master.id === id));
  if (masters && missing.length === 0) return;
  throw new StartError(
    `The stored wallets are encrypted with another master key (${missing.join(', ')}). ` +
      `Set WALLET_MASTER_KEY as it was, or bring back the file ${MASTER_KEY_FILE} in DATA_DIR.`,
  );
}

interface KeysDeps {
  dataKeys: Model<DataKeyRecord>;
  masters: MasterKeys;
  /** Reloads the configured keys: another process may have changed them. */
  load: () => Promise<MasterKeys | null>;
  clock: Clock;
  random: RandomBytes;
}

/** Creates the functions that return a user's data key. The caller overwrites the key after use. */
function createDataKeys(deps: KeysDeps) {
  const { dataKeys, load, clock, random } = deps;
  let { masters } = deps;
  /** As stored, so nothing in it opens without a master key. A data key never changes; a rotation wraps it again. */
  const kept = new LRUCache<string, DataKeyRecord>({ max: KEPT_KEYS });

  async function unwrapped(record: DataKeyRecord): Promise<Buffer> {
    const userId = record._id.toHexString();
    try {
      return unwrapKey(record, userId, masters);
    } catch (error) {
      if (!(error instanceof MasterKeyMissing)) throw error;
      // The master key was changed while this process ran.
      masters = (await load()) ?? masters;
      return unwrapKey(record, userId, masters);
    }
  }

  const stored = (userId: string) => dataKeys.findById(new Types.ObjectId(userId)).lean<DataKeyRecord>();

  /** Returns the user's data key, created when missing. Of two concurrent creations, both get the stored one. */
  async function dataKey(userId: string): Promise<Buffer> {
    const present = await stored(userId);
    if (present) return unwrapped(present);
    masters = (await load()) ?? masters;
    const made = random(KEY_BYTES);
    try {
      const wrapped = wrapKey(made, userId, masters[0], random);
      await dataKeys.create({ _id: new Types.ObjectId(userId), ...wrapped, createdAt: new Date(clock.now()) });
      return made;
    } catch (error) {
      made.fill(0);
      if (!isDuplicateKey(error)) throw error;
      const other = await stored(userId);
      if (!other) throw error;
      return unwrapped(other);
    }
  }

  /** Returns the user's data key, which must exist. A signature waits for it: most are in memory. */
  async function existingKey(userId: string): Promise<Buffer> {
    const known = kept.get(userId);
    if (known) {
      try {
        return unwrapKey(known, userId, masters);
      } catch (error) {
        if (!(error instanceof MasterKeyMissing)) throw error;
        kept.delete(userId);
      }
    }
    const record = await stored(userId);
    if (!record) throw new Error(`user ${userId} has no data key`);
    const key = await unwrapped(record);
    kept.set(userId, record);
    return key;
  }

  return { dataKey, existingKey };
}

export function createKeys(deps: KeysDeps) {
  const { dataKey, existingKey } = createDataKeys(deps);
  return {
    /** Returns `plain` sealed for this user and purpose alone, as base64. */
    async seal(userId: string, purpose: string, plain: Uint8Array): Promise<string> {
      const key = await dataKey(userId);
      try {
        return seal(key, plain, placeOf(purpose, userId), deps.random).toString('base64');
      } finally {
        key.fill(0);
      }
    },
    /**
     * Returns the sealed value; the caller overwrites it after use. Throws a SealError for another user, purpose or text.
     */
    async open(userId: string, purpose: string, sealed: string): Promise<Buffer> {
      const key = await existingKey(userId);
      try {
        return unseal(key, Buffer.from(sealed, 'base64'), placeOf(purpose, userId));
      } finally {
        key.fill(0);
      }
    },
  };
}
