import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import { type Config, StartError } from '../config/config.ts';
import { connectDatabase } from '../platform/database.ts';
import { createLog } from '../platform/log.ts';
import { productVersion } from '../platform/product.ts';
import { checkDump, dumpDatabase, dumpedCollectionSchema, requireEmpty, restoreDatabase } from './dump.ts';

/** Describes a complete backup; written last. */
const MANIFEST = 'backup.json';
const FORMAT = 1;
/** Files of the data directory that a backup leaves out: with both, anybody could open the wallets. */
const KEY_FILES = ['wallet-master-key', 'session-keys'] as const;
/** The local chain's state; its journals continue from any state. */
const STATE = 'state.json';

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.string(),
  at: z.iso.datetime(),
  collections: z.array(dumpedCollectionSchema),
  /** Whether it holds a local chain. */
  chain: z.boolean(),
});
type Manifest = z.infer<typeof manifestSchema>;

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
  if (existsSync(folder)) throw new StartError(`${folder} exists already. Name a folder that does not exist yet.`);
  const partial = `${folder}.partial-${process.pid}`;
  try {
    await mkdir(path.join(partial, 'mongo'), { recursive: true, mode: 0o700 });
    const collections = await withDatabase(config, mongoUri, (database) =>
      dumpDatabase(database, path.join(partial, 'mongo')),
    );
    const chain = await copyChain(path.join(config.dataDir, 'chain'), path.join(partial, 'chain'));
    const manifest: Manifest = {
      format: FORMAT,
      version: productVersion(),
      at: new Date().toISOString(),
      collections,
      chain,
    };
    await writeFile(path.join(partial, MANIFEST), JSON.stringify(manifest, null, 2), { mode: 0o600, flush: true });
    await rename(partial, folder);
    const documents = collections.reduce((sum, { documents }) => sum + documents, 0);
    print(`Backup in ${folder}: ${documents} documents${chain ? ' and the local chain' : ''}.`);
    for (const line of keysApart(config)) print(line);
  } catch (error) {
    throw isFullDisk(error)
      ? new StartError(`The disk of ${folder} is full. No backup was made.`, { cause: error })
      : error;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Restores a backup into an empty database and, when it holds a local chain, into a data directory without one. Everything
 * is checked before anything is written. Throws a StartError.
 */
export async function restore({ folder, config, mongoUri, print }: Order): Promise<void> {
  const manifest = await readManifest(folder);
  const chain = path.join(config.dataDir, 'chain');
  await checkDump(path.join(folder, 'mongo'), manifest.collections);
  if (manifest.chain && existsSync(path.join(chain, STATE))) {
    throw new StartError(`${chain} holds a chain already. Set DATA_DIR to an empty folder.`);
  }
  await withDatabase(config, mongoUri, async (database) => {
    await requireEmpty(database);
    await restoreDatabase(database, path.join(folder, 'mongo'), manifest.collections);
  });
  if (manifest.chain && !(await copyChain(path.join(folder, 'chain'), chain))) {
    throw new StartError(
      `The backup is not complete: it has no ${path.join('chain', STATE)}. The database is restored.`,
    );
  }
  print(`Restored the backup of ${manifest.at} (version ${manifest.version}).`);
  for (const line of keysMissing(config)) print(line);
}

function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}

async function withDatabase<Result>(
  { logLevel }: BackupConfig,
  mongoUri: string,
  work: (database: NonNullable<Connection['db']>) => Promise<Result>,
): Promise<Result> {
  const connection = await connectDatabase(mongoUri, createLog(logLevel));
  try {
    if (connection.db === undefined) throw new TypeError('the connection has no database');
    return await work(connection.db);
  } finally {
    await connection.close();
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(folder, MANIFEST), 'utf8');
  } catch (error) {
    throw new StartError(`${folder} holds no complete backup: ${MANIFEST} cannot be read.`, { cause: error });
  }
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(`${path.join(folder, MANIFEST)} is damaged, or of another version.`, { cause: error });
  }
}

/**
 * Copies the files of a local chain, running or not: it appends whole lines, replaces its state as a whole, and drops
 * journals only after a state that includes them. Resolves with false without a chain.
 */
async function copyChain(from: string, to: string): Promise<boolean> {
  if (!existsSync(path.join(from, STATE))) return false;
  await mkdir(to, { recursive: true, mode: 0o700 });
  await copyPrivately(path.join(from, STATE), to);
  // Listed after the state was copied, so that every later line is in one of them.
  const journals = (await readdir(from)).filter((name) => name.endsWith('.jsonl'));
  for (const name of journals) {
    await copyPrivately(path.join(from, name), to).catch((error: NodeJS.ErrnoException) => {
      // Dropped meanwhile: it held old history only.
      if (error.code !== 'ENOENT') throw error;
    });
  }
  return true;
}

async function copyPrivately(file: string, folder: string): Promise<void> {
  const target = path.join(folder, path.basename(file));
  await copyFile(file, target);
  await chmod(target, 0o600);
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
