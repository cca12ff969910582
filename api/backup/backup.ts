import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { type Config, StartError } from '../config/config.ts';
import { migrateDatabase } from '../migrations/migrations.ts';
import {
  DATA_FORMAT,
  type Mark,
  markDatabase,
  OLDEST_FORMAT,
  readFormats,
  UNNUMBERED_VERSION,
} from '../platform/data-format.ts';
import { withConnection } from '../platform/database.ts';
import { productVersion } from '../platform/product.ts';
import { chainFileSchema, checkChain, dumpChain, hasChain, restoreChain } from './chain-files.ts';
import {
  checkDump,
  dropRestored,
  dumpDatabase,
  dumpedCollectionSchema,
  requireEmpty,
  restoreDatabase,
} from './dump.ts';

/** Describes a complete backup; written last. */
const MANIFEST = 'backup.json';
/** Files of the data directory that a backup leaves out: with both, anybody could open the wallets. */
const KEY_FILES = ['wallet-master-key', 'session-keys'] as const;
const manifestSchema = z.strictObject({
  dataFormat: z.int().min(OLDEST_FORMAT).max(DATA_FORMAT),
  version: z.string(),
  at: z.iso.datetime(),
  collections: z.array(dumpedCollectionSchema),
  /** The files of the local chain; null without one. */
  chain: z.array(chainFileSchema).nullable(),
});
type Manifest = z.infer<typeof manifestSchema>;
/** The part of a manifest that every format has. */
const originSchema = z.object({ dataFormat: z.int().optional(), version: z.string() });

type Database = NonNullable<Connection['db']>;
type BackupConfig = Pick<Config, 'dataDir' | 'logLevel'>;

interface Order {
  /** The folder of the backup, absolute. */
  folder: string;
  config: BackupConfig;
  mongoUri: string;
  print(line: string): void;
}

/**
 * Writes a backup of the database and the local chain to a folder that does not exist yet, while Mintwatch runs or not, and
 * names the key files, which are not in it. Throws a StartError.
 */
export async function backUp({ folder, config, mongoUri, print }: Order): Promise<void> {
  const origin = { format: DATA_FORMAT, version: productVersion() };
  const { documents, hasChain } = await withDatabase(config, mongoUri, (database) =>
    writeBackup({ folder, config, database, origin }),
  );
  print(`Backup in ${folder}: ${documents} documents${hasChain ? ' and the local chain' : ''}.`);
  for (const line of keysApart(config)) print(line);
}

/**
 * Writes a backup as `backUp` does. `origin`: format of the data, and a version that reads it. Resolves with the number of
 * documents, and whether a local chain is in it. Throws a StartError.
 */
export async function writeBackup(deps: {
  folder: string;
  config: Pick<Config, 'dataDir'>;
  database: Database;
  origin: Mark;
}): Promise<{ documents: number; hasChain: boolean }> {
  const { folder, config, database, origin } = deps;
  if (existsSync(folder)) throw new StartError(`${folder} exists already. Name a folder that does not exist yet.`);
  const partial = `${folder}.partial-${process.pid}`;
  try {
    await mkdir(path.join(partial, 'mongo'), { recursive: true, mode: 0o700 });
    const collections = await dumpDatabase(database, path.join(partial, 'mongo'));
    const chain = await dumpChain(chainOf(config), path.join(partial, 'chain'));
    const manifest: Manifest = {
      dataFormat: origin.format,
      version: origin.version,
      at: new Date().toISOString(),
      collections,
      chain,
    };
    await writeFile(path.join(partial, MANIFEST), JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true });
    await rename(partial, folder);
    return { documents: collections.reduce((sum, { documents }) => sum + documents, 0), hasChain: chain !== null };
  } catch (error) {
    throw isFullDisk(error)
      ? new StartError(`The disk of ${folder} is full. No backup was made.`, { cause: error })
      : error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Restores a backup into an empty database and, when it holds a local chain, into a data directory without one; one of an older
 * format is migrated. Everything is checked before anything is written, and a restore that fails removes what it has written.
 * Throws a StartError.
 */
export async function restore({ folder, config, mongoUri, print }: Order): Promise<void> {
  const { dataFormat, collections, chain, version, at } = await readManifest(folder);
  await checkDump(path.join(folder, 'mongo'), collections);
  await checkChain(path.join(folder, 'chain'), chain ?? []);
  if (chain !== null && hasChain(chainOf(config))) {
    throw new StartError(`${chainOf(config)} holds a chain already. Set DATA_DIR to an empty folder.`);
  }
  await withDatabase(config, mongoUri, async (database) => {
    await requireEmpty(database);
    // First, so that a start after a kill migrates the restored part.
    await markDatabase(database, { format: dataFormat, version });
    try {
      await restoreDatabase(database, path.join(folder, 'mongo'), collections);
      if (chain !== null) await restoreChain(path.join(folder, 'chain'), chainOf(config), chain);
      await migrateDatabase(database, dataFormat);
    } catch (error) {
      throw await undone(error, config, async () => {
        await dropRestored(database, collections);
        await markDatabase(database);
      });
    }
  });
  print(`Restored the backup of ${at} (version ${version}).`);
  for (const line of keysMissing(config)) print(line);
}

/** Undoes a restore that failed. Resolves with a StartError that gives the reason and the way back. */
async function undone(error: unknown, config: BackupConfig, undo: () => Promise<void>): Promise<StartError> {
  const reason = isFullDisk(error) ? 'the disk is full' : error instanceof Error ? error.message : String(error);
  try {
    await undo();
    return new StartError(`The restore failed: ${reason}. Nothing is left of it: mend this and restore again.`, {
      cause: error,
    });
  } catch {
    return new StartError(
      `The restore failed and left a part behind: ${reason}. Before the next one, empty ${config.dataDir} or the database of MONGODB_URI.`,
      { cause: error },
    );
  }
}

const chainOf = ({ dataDir }: Pick<Config, 'dataDir'>) => path.join(dataDir, 'chain');

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

function withDatabase<Result>(
  config: BackupConfig,
  mongoUri: string,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withConnection(config, mongoUri, async ({ db }) => {
    if (db === undefined) throw new TypeError('the connection has no database');
    return work(db);
  });
}

async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(folder, MANIFEST), 'utf8');
  } catch (error) {
    throw new StartError(`${folder} holds no complete backup: ${MANIFEST} cannot be read.`, { cause: error });
  }
  try {
    const content: unknown = JSON.parse(text);
    const { dataFormat, version } = originSchema.parse(content);
    if (dataFormat === undefined || dataFormat < OLDEST_FORMAT || dataFormat > DATA_FORMAT) {
      const [found, reader] =
        dataFormat === undefined
          ? ['without a format number', UNNUMBERED_VERSION]
          : [`of format ${dataFormat}`, version];
      throw new StartError(
        `${folder} is a backup ${found}; Mintwatch ${productVersion()} reads ${readFormats}. Restore it with version ${reader}.`,
      );
    }
    return manifestSchema.parse(content);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path.join(folder, MANIFEST)} is damaged.`, { cause: error });
  }
}

function keysApart({ dataDir }: BackupConfig): string[] {
  const files = KEY_FILES.map((name) => path.join(dataDir, name)).filter(existsSync);
  if (files.length === 0) return ['Keep the keys of the environment (WALLET_MASTER_KEY, SESSION_KEYS) apart from it.'];
  return [
    `Not in it, to be kept apart: ${files.join(' and ')}. Without the wallets' master key of now the wallets are lost.`,
  ];
}

function keysMissing({ dataDir }: BackupConfig): string[] {
  if (existsSync(path.join(dataDir, 'wallet-master-key'))) return [];
  return [`Before the start, put the key files of that time into ${dataDir}, or set WALLET_MASTER_KEY.`];
}
