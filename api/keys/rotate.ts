import { randomBytes } from 'node:crypto';
import type { Connection, Model } from 'mongoose';
import { type Config, StartError } from '../config/config.ts';
import { type MasterKeys, masterKey } from '../config/master-key.ts';
import { ensureIndexes } from '../platform/database.ts';
import { readKeptMasterKeys, replaceKeptMasterKeys } from './master-key-file.ts';
import { type DataKeyRecord, dataKeyModel, unwrapKey, wrapKey } from './model.ts';
import { KEY_BYTES, type RandomBytes } from './sealed.ts';
import { loadMasterKeys, neededMasterKeys, requireMasterKeys } from './service.ts';

/** Number of older keys that the file keeps: a server running meanwhile may have used the last of them. */
const OLDER_KEPT = 1;

/**
 * Wraps every data key with a new master key: the first of WALLET_MASTER_KEY, or a new one in the file of the
 * data directory. Values encrypted with the data keys are unchanged. It may be killed at any point and run again: until
 * the last data key is rewrapped the older master keys stay known. `print` receives one progress line at a time.
 */
export async function rotateMasterKey(
  connection: Connection,
  config: Pick<Config, 'walletMasterKeys' | 'dataDir'>,
  print: (line: string) => void,
): Promise<void> {
  const dataKeys = dataKeyModel(connection);
  await ensureIndexes(dataKeys);
  const needed = await neededMasterKeys(dataKeys);
  const present = await loadMasterKeys(config);
  if (!present) throw new StartError('There is no master key yet. The first start of Mintwatch makes one.');
  requireMasterKeys(present, needed);
  const isFile = config.walletMasterKeys === null;
  const masters = isFile ? await withNewest(config.dataDir, present, needed, print) : present;
  if (!isFile && present.length === 1) {
    throw new StartError('Put the new key first, and leave the old one: WALLET_MASTER_KEY=<new>,<old>.');
  }
  const count = await rewrapAll(dataKeys, masters, randomBytes);
  print(`Rewrapped data keys: ${count}. All of them now use the master key ${masters[0].id}.`);
  if (isFile) await replaceKeptMasterKeys(config.dataDir, firstOf(masters, 1 + OLDER_KEPT));
  else print('Restart every server with this WALLET_MASTER_KEY. Once they run, the older keys in it are not needed.');
}

/** Returns the keys of the file preceded by a new one, unless an unfinished earlier run created it. */
async function withNewest(
  dataDir: string,
  present: MasterKeys,
  needed: readonly string[],
  print: (line: string) => void,
): Promise<MasterKeys> {
  if (needed.some((id) => id !== present[0].id)) {
    print('Completing the unfinished change of the master key.');
    return present;
  }
  const masters: MasterKeys = [masterKey(randomBytes(KEY_BYTES)), ...present];
  // On disk before anything is wrapped with it.
  await replaceKeptMasterKeys(dataDir, masters);
  return (await readKeptMasterKeys(dataDir)) ?? masters;
}

/** Rewraps with the newest key everything wrapped with another one, one by one. Returns their number. */
export async function rewrapAll(
  dataKeys: Model<DataKeyRecord>,
  masters: MasterKeys,
  random: RandomBytes,
): Promise<number> {
  const [newest] = masters;
  // Index: masterKeyId.
  const others = { masterKeyId: { $ne: newest.id } };
  let count = 0;
  // Repeated after each round: a server may have stored more meanwhile.
  while (await dataKeys.exists(others)) {
    for await (const record of dataKeys.find(others).lean<DataKeyRecord>().cursor()) {
      const { modifiedCount } = await rewrap(dataKeys, record, masters, random);
      count += modifiedCount;
    }
  }
  return count;
}

async function rewrap(dataKeys: Model<DataKeyRecord>, record: DataKeyRecord, masters: MasterKeys, random: RandomBytes) {
  const userId = record._id.toHexString();
  const dataKey = unwrapKey(record, userId, masters);
  try {
    const wrapped = wrapKey(dataKey, userId, masters[0], random);
    // It is the only copy: its replacement has to open.
    const again = unwrapKey(wrapped, userId, masters);
    if (!again.equals(dataKey)) throw new Error(`the data key of user ${userId} would be lost`);
    again.fill(0);
    return await dataKeys.updateOne({ _id: record._id, masterKeyId: record.masterKeyId }, { $set: wrapped });
  } finally {
    dataKey.fill(0);
  }
}

function firstOf([newest, ...older]: MasterKeys, count: number): MasterKeys {
  return [newest, ...older.slice(0, count - 1)];
}
