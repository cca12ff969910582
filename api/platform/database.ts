import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import mongoose, { type Connection, type Model, mongo } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import { StartError } from '../config/config.ts';
import { loggable } from './log.ts';
import { withTimeout } from './resilience.ts';

declare module 'koa' {
  interface DefaultState {
    /** Set by a call that may work for long and keep the database busy: its answer is waited for while there is a database. */
    isLongRunning?: true;
  }
}

/**
 * A request that takes longer than `PATIENCE` pings the database for up to `REQUEST_PING_TIMEOUT` (ms): together under the 2 s
 * within which a request is answered. The ping gets the larger part: a busy database responds late, one that hangs not at all.
 */
const PATIENCE = 700;
const REQUEST_PING_TIMEOUT = 1_100;
/** Time limit of a ping for a status (ms). */
const PING_TIMEOUT = 250;
const PING_SLICE = 50;
/** While no server is found, an operation gives up after this (ms). */
const SERVER_SELECTION_TIMEOUT = 1000;
/** Interval of checks for a lost server, ms: its return is noticed within this. */
const HEARTBEAT = 1000;
/** Time that an operation waits for a free connection, ms. */
const WAIT_QUEUE_TIMEOUT = 1500;
/**
 * A server silent for this long after a heartbeat is due counts as away, ms: the driver then ends the operations on its
 * connections. Operations have no time limit of their own; an index may take minutes to build.
 */
const CONNECT_TIMEOUT = 1500;
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
      throw new StartError(`MONGODB_URI leads to no MongoDB that lets us in: ${loggable(error).message}`, {
        cause: error,
      });
    }
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
    // An acknowledged write must survive a crash of the server, whatever its own configuration.
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

/** Makes the indexes that the model declares, where they are missing. */
export async function ensureIndexes<Record>(model: Model<Record>): Promise<void> {
  for (const [fields, options] of model.schema.indexes()) {
    const directions = Object.entries(fields).map(([field, direction]) => [field, ascending(direction)] as const);
    const { unique, ...others } = options;
    await model.collection.createIndex(new Map(directions), { ...others, ...(unique ? { unique: true } : {}) });
  }
}

function ascending(direction: unknown): 1 | -1 {
  if (direction === 1 || direction === -1) return direction;
  throw new Error(`an index direction is 1 or -1, not ${String(direction)}`);
}

/** True while the driver knows of a server that answers. */
export function isConnected(connection: Connection): boolean {
  return connection.readyState === mongoose.ConnectionStates.connected;
}

/** Resolves with whether the database responds to a ping within `timeout` ms. */
export async function isResponsive(connection: Connection, timeout = PING_TIMEOUT): Promise<boolean> {
  if (!isConnected(connection)) return false;
  const ping = Promise.resolve(connection.db?.command({ ping: 1 }));
  // In slices: when the event loop was blocked, timers run before the response is read, which may be there already.
  for (let waited = 0; waited < timeout; waited += PING_SLICE) {
    if ((await withTimeout(ping, PING_SLICE)) !== null) return true;
  }
  return false;
}

/**
 * Refuses requests at once while the database is known to be away, instead of waiting for a timeout. A running request is
 * given up when the database falls silent; a long-running one only when the database is known to be away.
 */
export function requireDatabase(connection: Connection): Koa.Middleware {
  return async (ctx, next) => {
    if (!isConnected(connection)) throw new PublicError('unavailable');
    const done = next();
    const settled = Promise.allSettled([done]);
    const isInTime = (await withTimeout(settled, PATIENCE)) !== null;
    // A request that is slow for another reason goes on.
    if (isInTime || (!ctx.state.isLongRunning && (await isResponsive(connection, REQUEST_PING_TIMEOUT)))) return done;
    // The request itself may delay a ping: the driver, which waits longer, detects whether the server is there.
    while (ctx.state.isLongRunning && isConnected(connection)) {
      if ((await withTimeout(settled, PATIENCE)) !== null) return done;
    }
    // Its later result is ignored: the response is already being sent.
    done.catch(() => {});
    throw new PublicError('unavailable');
  };
}

/** Code for a value that a unique index already has. */
const DUPLICATE_KEY = 11_000;

/** Returns whether a write failed because a unique index already has its value. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === DUPLICATE_KEY;
}

/** An operation took longer than its `maxTimeMS`. */
const MAX_TIME_EXPIRED = 50;

/** Whether an operation was ended because it took longer than the time it was given. */
export function isTimeLimitError(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;
}

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

/** Returns whether an operation failed because the database is away, not because the operation was wrong. */
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
