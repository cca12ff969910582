import { type Connection, type Model, Schema } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../../common/time.ts';
import type { KeyedSource } from '../config/sources.ts';
import type { Keys } from '../keys/service.ts';
import type { Keyring } from '../market/sources/keyring.ts';

interface SourceKeyRecord {
  /** The source's name. */
  _id: string;
  /** `seal`ed with the server's own data key. */
  sealed: string;
  updatedAt: Date;
}

const sourceKeySchema = new Schema<SourceKeyRecord>(
  {
    _id: { type: String, required: true },
    sealed: { type: String, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'sourceKeys' },
);

function sourceKeyModel(connection: Connection): Model<SourceKeyRecord> {
  return connection.model<SourceKeyRecord>('SourceKey', sourceKeySchema);
}

/** Owner of the server's own data key, in place of a user. No user can have this id, as it contains no time. */
const SERVER = '000000000000000000000001';
const purposeOf = (source: KeyedSource) => `api key of ${source}`;

/** API keys set by administrators: encrypted at rest, put on the keyring at the start and after a change. */
export type SourceKeys = Awaited<ReturnType<typeof openSourceKeys>>;

/** Applies the stored keys. A key that cannot be decrypted stays stored, and the environment's key is used. */
export async function openSourceKeys(deps: {
  connection: Connection;
  keys: Keys;
  keyring: Keyring;
  sources: readonly KeyedSource[];
  clock: Clock;
  log: Logger;
}) {
  const { keys, keyring, clock, log } = deps;
  const records = sourceKeyModel(deps.connection);
  for (const source of deps.sources) {
    const record = await records.findById(source).lean<SourceKeyRecord>();
    if (record === null) continue;
    try {
      keyring.put(source, textOf(await keys.open(SERVER, purposeOf(source), record.sealed)));
    } catch {
      // The master key's own errors are logged at the start.
      log.error({ source }, 'stored API key not decrypted, set it again on the admin page');
    }
  }
  return {
    /** Encrypts, stores and applies the key. */
    async save(source: KeyedSource, key: string): Promise<void> {
      const plain = Buffer.from(key, 'utf8');
      try {
        const sealed = await keys.seal(SERVER, purposeOf(source), plain);
        await records.updateOne(
          { _id: source },
          { $set: { sealed, updatedAt: new Date(clock.now()) } },
          { upsert: true },
        );
      } finally {
        plain.fill(0);
      }
      keyring.put(source, key);
    },
  };
}

function textOf(plain: Buffer): string {
  const text = plain.toString('utf8');
  plain.fill(0);
  return text;
}
