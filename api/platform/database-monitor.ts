import type Koa from 'koa';
import type { Connection } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { isConnected } from './database.ts';

declare module 'koa' {
  interface DefaultState {
    /** Set by a call that may work for long and keep the database busy: its response is waited for while there is a database. */
    isLongRunning?: true;
  }
}

/**
 * A database whose heartbeats are missing for this long counts as away, ms. Far longer than a busy server or disk delays
 * them: a slow response is better than a wrong one.
 */
const MAX_SILENCE = 5_000;
/** Interval in which the silence is counted, ms. */
const TICK = 100;

/** Whether the database responds, by the heartbeats that the driver sends anyway. */
export type DatabaseMonitor = ReturnType<typeof createDatabaseMonitor>;

/** Starts a monitor of this connection. `maxSilence`: a multiple of `TICK`, ms. */
export function createDatabaseMonitor(connection: Connection, maxSilence = MAX_SILENCE) {
  const client = connection.getClient();
  const listeners = new Set<() => void>();
  let silence = 0;
  // By its events: Mongoose's `readyState` is `disconnected` as soon as two heartbeats are late, by the time of day, and made
  // every call fail while the process or the disk was busy.
  let isUp = isConnected(connection);

  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const onConnected = () => {
    isUp = true;
    silence = 0;
  };
  const onDisconnected = () => {
    isUp = false;
    notify();
  };
  const onHeartbeat = () => {
    silence = 0;
  };
  client.on('serverHeartbeatSucceeded', onHeartbeat);
  connection.on('connected', onConnected);
  connection.on('disconnected', onDisconnected);
  // Counts ticks instead of reading a clock: while the event loop is blocked, heartbeats may have arrived that are not
  // read yet, so that time counts as one tick however long it takes.
  const timer = setInterval(() => {
    silence += TICK;
    if (silence === maxSilence) notify();
  }, TICK);
  timer.unref();

  return {
    /** Returns false while the database is known to be away: disconnected, or silent for `MAX_SILENCE`. */
    isReachable: (): boolean => isUp && silence < maxSilence,
    /** Returns whether the driver has a connection, silent or not. */
    isConnected: (): boolean => isUp,
    /** Calls `listener` when the database falls silent, and when it is disconnected. Returns how to stop that. */
    onLost(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop(): void {
      clearInterval(timer);
      client.off('serverHeartbeatSucceeded', onHeartbeat);
      connection.off('connected', onConnected);
      connection.off('disconnected', onDisconnected);
    },
  };
}

/**
 * Refuses requests at once while the database is known to be away, and gives up a running request when it is lost. A request
 * that is slow for another reason is waited for; a long-running one also while the database is silent but connected.
 */
export function requireDatabase(database: DatabaseMonitor): Koa.Middleware {
  return (ctx, next) => {
    if (!database.isReachable()) throw new PublicError('unavailable');
    return untilLost(database, next(), () => ctx.state.isLongRunning === true && database.isConnected());
  };
}

/** Settles as `work` does. Rejects with `unavailable` when the database is lost meanwhile, unless `goesOn` returns true then. */
export function untilLost<Result>(
  database: Pick<DatabaseMonitor, 'onLost'>,
  work: Promise<Result>,
  goesOn: () => boolean = () => false,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const forget = database.onLost(() => {
      if (goesOn()) return;
      // Its later result is ignored: the response is already being sent.
      forget();
      reject(new PublicError('unavailable'));
    });
    work.then(resolve, reject).finally(forget);
  });
}
