import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { SolUsd } from '../../common/tokens/model.ts';
import { isUnavailable } from '../platform/database.ts';
import { pause } from '../platform/resilience.ts';

/**
 * The right to be the worker of this database, one document of `leases`. Its times are the database's, so that the clocks of
 * machines do not matter.
 */
interface LeaseRecord {
  _id: typeof ID;
  /** Host, process and start of the holder; empty before the first one. */
  holder: string;
  /** Counts holders. It never goes back. */
  number: number;
  /** Internal address at which the holder responds to requests of other processes; null while there is none. */
  url: string | null;
  /** Facts of the market that the last holder ran; missing before the first one has started. */
  market?: MarketFacts;
  until: Date;
}

/** Facts of the market that other processes show. */
export interface MarketFacts {
  /** The simulator is one of the sources. */
  simulated: boolean;
  solUsd: SolUsd | null;
}

const ID = 'worker';

/** The holder stops its work this long before another process may take the lease, ms. */
const MARGIN_MS = 500;
const RENEW_MS = 1_000;
/** Interval of tries while the lease is not held, ms. */
const RETRY_MS = 500;

/** Times of a lease, ms. `lease`: how long it lasts without a renewal. Tests shorten the others. */
export type LeaseTimes = Record<'lease' | 'margin' | 'renew' | 'retry', number>;
const TIMES = { margin: MARGIN_MS, renew: RENEW_MS, retry: RETRY_MS };
interface LeaseDeps {
  connection: Connection;
  isAlone: boolean;
  log: Logger;
  times: Pick<LeaseTimes, 'lease'> & Partial<LeaseTimes>;
}

export type Lease = ReturnType<typeof createLease>;

/** Ends of a lease that is not held. */
const NEVER = { steady: 0, wall: 0 };

const collectionOf = (connection: Connection) => connection.collection<LeaseRecord>('leases');

type Leases = ReturnType<typeof collectionOf>;

/** Creates the hold of this process on the lease document: each `take` is one atomic update, timed by the database. */
function createHold(leases: Leases, times: LeaseTimes) {
  const self = `${hostname()} ${process.pid} ${randomUUID()}`;
  // Both clocks: the steady one stands still while the machine is suspended, the other one can be set back.
  let heldUntil = NEVER;
  let number = 0;
  let url: string | null = null;
  let factsOf: (() => MarketFacts) | null = null;
  const isHeld = () => performance.now() < heldUntil.steady && Date.now() < heldUntil.wall;

  return {
    isHeld,
    number: () => number,
    publish(internal: string, facts: () => MarketFacts): void {
      url = internal;
      factsOf = facts;
    },
    /**
     * Takes the lease when it is free (`force`: in any case), or renews it (`renew`) unless another process had it meanwhile, whose
     * work this one has not seen. Resolves with false when it may not have it.
     */
    async take(way: 'free' | 'force' | 'renew'): Promise<boolean> {
      // An upsert may have no `$expr` in its filter, so the document is made first.
      const first = { holder: '', number: 0, url: null, until: new Date(0) };
      if (!isHeld()) await leases.updateOne({ _id: ID }, { $setOnInsert: first }, { upsert: true });
      const isOurs = { $eq: ['$holder', self] };
      const allowed = {
        free: { $expr: { $or: [isOurs, { $lte: ['$until', '$$NOW'] }] } },
        force: {},
        // No process has it after it was removed, as a restored backup does.
        renew: { holder: { $in: [self, first.holder] } },
      }[way];
      const next = {
        holder: self,
        number: { $cond: [isOurs, '$number', { $add: ['$number', 1] }] },
        url,
        ...(factsOf === null ? {} : { market: { $literal: factsOf() } }),
        until: { $add: ['$$NOW', times.lease] },
      };
      // Before the request: the database adds to a later time, so the lease lasts longer there than here.
      const lasts = times.lease - times.margin;
      const until = { steady: performance.now() + lasts, wall: Date.now() + lasts };
      const after = { returnDocument: 'after' } as const;
      const taken = await leases.findOneAndUpdate({ _id: ID, ...allowed }, [{ $set: next }], after);
      heldUntil = taken === null ? NEVER : until;
      number = taken?.number ?? number;
      return taken !== null;
    },
    /** Gives the lease up, if this process has it. */
    async drop(): Promise<void> {
      heldUntil = NEVER;
      if (number === 0) return;
      await leases.updateOne({ _id: ID, holder: self }, { $set: { until: new Date(0), url: null } });
    },
  };
}

/**
 * Creates the lease of this process, which does not hold it yet. `isAlone`: a lock proves that every former holder has ended, so
 * the lease is taken without waiting for its end.
 */
export function createLease(deps: LeaseDeps) {
  const { connection, log } = deps;
  const times = { ...TIMES, ...deps.times };
  const leases = collectionOf(connection);
  const { take, isHeld, number, publish, drop } = createHold(leases, times);
  const lostListeners = new Set<() => void>();
  const stopping = new AbortController();
  let renewing: Promise<void> | null = null;
  let isLost = false;

  /** Resolves with false when another process has the lease. An error is logged, and the next try follows. */
  async function renew(): Promise<boolean> {
    try {
      // The second try puts a document back that was removed.
      return (await take('renew')) || (await take('renew'));
    } catch (error) {
      // While the database is away the lease ends by itself, and nothing that needs it is done.
      if (!isUnavailable(error)) log.warn({ error }, 'lease not renewed, retrying');
      return true;
    }
  }

  /** Renews the lease until the stop, or until another process has taken it. */
  async function keep(): Promise<void> {
    for (;;) {
      await pause(isHeld() ? times.renew : times.retry, stopping.signal);
      if (stopping.signal.aborted) return;
      if (await renew()) continue;
      log.error('another process has taken the lease of the worker');
      isLost = true;
      for (const listener of lostListeners) listener();
      return;
    }
  }

  return {
    /**
     * Resolves when this process holds the lease, which is renewed from then on. `onStandby` is called once with the present holder,
     * as host, process and start, when the lease is not free. Rejects when `signal` aborts.
     */
    async acquire(onStandby: (holder: string) => void, signal?: AbortSignal): Promise<void> {
      let isStandby = false;
      while (!(await take(deps.isAlone ? 'force' : 'free').catch(untilReachable))) {
        if (!isStandby) onStandby((await leases.findOne({ _id: ID }))?.holder ?? '');
        isStandby = true;
        await sleep(times.retry, undefined, { signal });
      }
      renewing = keep();
    },
    /** Returns whether the lease is held at this moment. */
    isHeld,
    /** Returns the number of this holder, one more than the one before; 0 before the lease is taken. */
    number,
    /** Stores the internal address of this holder, which other processes find there, and from now on the facts of its market. */
    async publish(internal: string, facts: () => MarketFacts): Promise<void> {
      publish(internal, facts);
      await take('renew');
    },
    /** Calls `listener` once another process has taken the lease; at once when that was during the start. */
    onLost(listener: () => void): void {
      if (isLost) listener();
      else lostListeners.add(listener);
    },
    /** Gives the lease up for the next process. */
    async release(): Promise<void> {
      stopping.abort();
      await renewing;
      await drop();
    },
  };
}

/** Takes an error of a database that is away as no lease yet. */
function untilReachable(error: unknown): false {
  if (!isUnavailable(error)) throw error;
  return false;
}

/** Resolves with the internal address of the present holder of the lease; null without one. */
export async function holderUrl(connection: Connection): Promise<string | null> {
  const [found] = await collectionOf(connection)
    .aggregate<Pick<LeaseRecord, 'url'>>([
      { $match: { _id: ID, $expr: { $gt: ['$until', '$$NOW'] } } },
      { $project: { url: 1 } },
    ])
    .toArray();
  return found?.url ?? null;
}

/** Resolves with the facts of the market that the last holder ran; null before the first one has started. */
export async function holderMarket(connection: Connection): Promise<MarketFacts | null> {
  const found = await collectionOf(connection).findOne({ _id: ID }, { projection: { market: 1 } });
  return found?.market ?? null;
}
