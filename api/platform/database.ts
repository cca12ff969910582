import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type Connection, type Model, mongo, type QueryFilter } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import { type Config, StartError } from '../config/config.ts';
import { claimDatabase } from './data-format.ts';
import { createLog, withoutCredentials } from './log.ts';
import { withTimeout } from './resilience.ts';
import './write-until-close.ts';

/** Time limit of a ping for a status (ms). */
const PING_TIMEOUT = 250;
const PING_SLICE = 50;
/** While no server is found, an operation gives up after this (ms). */
const SERVER_SELECTION_TIMEOUT = 1000;
/**
 * Interval of the heartbeats, ms: the return of a lost server is noticed within this. Mongoose's `readyState` turns to
 * `disconnected` after twice this time without one, also while this process is only late to read it.
 */
const HEARTBEAT = 2_500;
/** Time that an operation waits for a free connection, ms. A database that is away ends the wait earlier. */
const WAIT_QUEUE_TIMEOUT = 10_000;
/**
 * After this silence (ms) the driver ends the operations on its connections. Requests do not wait for that, see
 * `database-monitor.ts`; it is long since the driver also counts the time in which this process is blocked and reads no
 * response. Operations have no time limit of their own; an index may take minutes to build.
 */
const CONNECT_TIMEOUT = 10_000;
/** One request needs few connections for a short time; more would only queue in the server (connections). */
const POOL_SIZE = 20;

/** Database that is used when MONGODB_URI names none; the driver's own default would be `test`. */
const DATABASE = 'mintwatch';

/** Time that a starting server is waited for, ms. */
const CONNECT_PATIENCE = 15_000;
const CONNECT_RETRY = 500;

/** Connects, waiting up to `patience` ms for a server that is starting. Throws a StartError when there is none. */
export async function connectDatabase(uri: string, log: Logger, patience = CONNECT_PATIENCE): Promise<Connection> {
  const until = Date.now() + patience;
  for (;;) {
    try {
      return await connectOnce(uri, log);
    } catch (error) {
      if (isUnavailable(error) && Date.now() < until) {
        await sleep(CONNECT_RETRY);
        continue;
      }
      // Without the URI, which may hold a password.
      const reason = error instanceof Error ? withoutCredentials(error.message) : typeof error;
      throw new StartError(`MONGODB_URI leads to no MongoDB that lets us in: ${reason}`, { cause: error });
    }
  }
}

/** Connects as `connectDatabase` does, for a command, checks the data format, and closes the connection once `work` has ended. */
export async function withConnection<Result>(
  { logLevel }: Pick<Config, 'logLevel'>,
  uri: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connectDatabase(uri, createLog(logLevel));
  try {
    await claimDatabase(connection);
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function connectOnce(uri: string, log: Logger): Promise<Connection> {
  // A connection of its own, never mongoose's global one.
  const connection = mongoose.createConnection(uri, {
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT,
    heartbeatFrequencyMS: HEARTBEAT,
    connectTimeoutMS: CONNECT_TIMEOUT,
    waitQueueTimeoutMS: WAIT_QUEUE_TIMEOUT,
    maxPoolSize: POOL_SIZE,
    // An acknowledged write must survive a crash of the server, and of the first one of a replica set, under any configuration.
    w: 'majority',
    journal: true,
    ...databaseOf(uri),
    // Buffering would hold requests until the server is back instead of failing them.
    bufferCommands: false,
    // The indexes are made by ensureIndexes, which is waited for.
    autoIndex: false,
    autoCreate: false,
  });
  // Without a listener an 'error' event would end the process; the operations themselves report their failures.
  connection.on('error', (error: Error) => log.debug({ error }, 'MongoDB connection error'));
  try {
    await connection.asPromise();
  } catch (error) {
    await connection.close(true);
    throw error;
  }
  logConnectionChanges(connection, log);
  return connection;
}

/** The default database for a URI without one. */
export function databaseOf(uri: string): { dbName?: string; authSource?: string } {
  if (/^mongodb(\+srv)?:\/\/[^/?]+\/[^?]/.test(uri)) return {};
  if (/[?&]authSource=/i.test(uri)) return { dbName: DATABASE };
  // The driver would look for the user in the database that we name; without one it looks here.
  const isExternal = /[?&]authMechanism=(?!SCRAM)/i.test(uri);
  return { dbName: DATABASE, authSource: isExternal ? '$external' : 'admin' };
}

function logConnectionChanges(connection: Connection, log: Logger): void {
  let closing = false;
  connection.once('disconnecting', () => {
    closing = true;
  });
  connection.on('disconnected', () => {
    if (!closing) log.warn('database connection lost');
  });
  connection.on('connected', () => log.warn('database connection restored'));
}

/** Creates the indexes that the model declares, where they are missing, with one command. */
export async function ensureIndexes<Record>(model: Model<Record>): Promise<void> {
  const indexes = model.schema.indexes().map(([fields, { unique, ...others }]) => {
    const directions = Object.entries(fields).map(([field, direction]) => [field, ascending(direction)] as const);
    return { ...others, key: new Map(directions), ...(unique ? { unique: true } : {}) };
  });
  if (indexes.length > 0) await model.collection.createIndexes(indexes);
}

function ascending(direction: unknown): 1 | -1 {
  if (direction === 1 || direction === -1) return direction;
  throw new Error(`an index direction is 1 or -1, not ${String(direction)}`);
}

/** True while the driver knows of a server that responds. */
export function isConnected(connection: Connection): boolean {
  return connection.readyState === mongoose.ConnectionStates.connected;
}

/** Resolves with whether the database responds to a ping in time. */
export async function isResponsive(connection: Connection): Promise<boolean> {
  if (!isConnected(connection)) return false;
  const ping = Promise.resolve(connection.db?.command({ ping: 1 }));
  // In slices: when the event loop was blocked, timers run before the response is read, which may be there already.
  for (let waited = 0; waited < PING_TIMEOUT; waited += PING_SLICE) {
    if ((await withTimeout(ping, PING_SLICE)) !== null) return true;
  }
  return false;
}

/**
 * Returns the lowest free `place` among the documents of `filter`, from an index of it alone. Throws `limit-reached` when there is
 * none below `max`.
 */
export async function freePlace<Record extends { place: number }>(
  model: Model<Record>,
  filter: QueryFilter<Record>,
  max: number,
): Promise<number> {
  const taken = await model.find(filter, { _id: 0, place: 1 }).sort({ place: 1 }).lean<{ place: number }[]>();
  const gap = taken.findIndex(({ place }, index) => place !== index);
  const free = gap === -1 ? taken.length : gap;
  if (free >= max) throw new PublicError('limit-reached');
  return free;
}

/** Code for a value that a unique index already has. */
export const DUPLICATE_KEY = 11_000;

/** Returns whether a write failed because a unique index already has its value. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** Returns whether a write failed because a unique index with this field already has its value. */
export function isDuplicateOf(error: unknown, field: string): boolean {
  return error instanceof mongo.MongoServerError && isDuplicateKey(error) && field in Object(error.keyPattern);
}

/** Runs a write. Resolves with false, and nothing is written, when a unique index already has one of its values. */
export async function unlessDuplicate(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/**
 * Returns the indexes of the documents of an unordered write that a unique index refused. Throws the error when anything else
 * went wrong.
 */
export function duplicateIndexes(error: unknown): Set<number> {
  if (!(error instanceof mongo.MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  return new Set(failures.map(({ index }) => index));
}

/** An operation took longer than its `maxTimeMS`. */
const MAX_TIME_EXPIRED = 50;

// The server itself says that it stops, steps down or took too long.
const UNAVAILABLE_CODES = new Set<unknown>([
  MAX_TIME_EXPIRED,
  89, // NetworkTimeout
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
]);

// An operation that catches the very moment in which a connection ends is refused by its socket, and the driver passes
// that on as it is.
const SOCKET_CODES = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Returns whether an operation failed because the database, or this process, has too much to do. Such errors are also `isUnavailable`. */
export function isBusy(error: unknown): boolean {
  const isTimeLimit = error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;
  // The driver does not export the class of the second one.
  return isTimeLimit || (error instanceof mongo.MongoError && error.name === 'MongoWaitQueueTimeoutError');
}

/** Returns whether an operation failed because the database is away or busy, not because the operation was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof mongo.MongoServerError) return UNAVAILABLE_CODES.has(error.code);
  // Errors of wrong use, except these two, which mean a missing connection.
  if (error instanceof mongo.MongoAPIError) {
    return error instanceof mongo.MongoNotConnectedError || error instanceof mongo.MongoTopologyClosedError;
  }
  // The driver's other errors are about the network: lost, timed out, no server, no free connection.
  if (error instanceof mongo.MongoError) return true;
  if (error instanceof mongoose.Error.MongooseServerSelectionError) return true;
  if (error instanceof Error && 'code' in error && SOCKET_CODES.has(error.code)) return true;
  // Mongoose has no class for 'not connected and bufferCommands is off'; the connection's models throw a plain one.
  return error instanceof mongoose.MongooseError && error.constructor === mongoose.MongooseError;
}
