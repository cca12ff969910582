import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff } from '../../platform/resilience.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import { isMeasured } from '../../tokens/volume.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import type { LiveToken, RecordPath } from '../token/state/live-token.ts';
import { type StampedSample, stamped, type TokenWrite } from './bulk-write.ts';
import type { MarketStore } from './store.ts';

/** Bounds of one write: after an outage, many short writes succeed where one long write would time out. */
const MAX_TOKENS_PER_WRITE = 1_500;
const MAX_ROWS_PER_WRITE = 3_000;
/** Trades and samples that wait while the database is away; beyond it the oldest are dropped. */
const MAX_WAITING = 200_000;
/** Delay before the next attempt, ms. */
const BACKOFF = { base: 100, max: 2_000 };
/** Least time between two log lines about a slow database, ms. */
const WARN_INTERVAL = 10_000;

/** Holds the changes that MongoDB does not have, and writes them, one write at a time. Tokens coalesce; trades and samples queue. */
export interface Writer {
  /** Adds a token with dirty fields. */
  addToken(live: LiveToken): void;
  addTrade(record: TradeRecord): void;
  addSample(record: SampleRecord): void;
  setRate(rate: Rate): void;
  /** True while the last write failed or is late: nothing should wait for the database then. */
  readonly away: boolean;
  /** Marks the write in progress as late. */
  markLate(): void;
  /** Resolves when no write is in progress. */
  idle(): Promise<void>;
  /** Drops the unwritten changes of removed tokens. To be called while no write is in progress. */
  forget(removed: ReadonlySet<LiveToken>): void;
  /** True when everything is in MongoDB. */
  readonly clean: boolean;
  /** True right after `start` when the write contains everything. Unverified tokens are left out of a write. */
  readonly coversAll: boolean;
  /** True when everything about tokens is in MongoDB. */
  readonly isAllStored: boolean;
  /** Returns true while the token must not be evicted. */
  holds(live: LiveToken): boolean;
  /** Returns the trades of a token that may not be in MongoDB yet. */
  unstored(address: string): TradeRecord[];
  /**
   * Starts a write, oldest changes first. Resolves with true when acknowledged and with false when it failed: then all of
   * it waits again. Returns null with nothing to write, while a write is in progress, and during the delay after a failure.
   */
  start(): Promise<boolean> | null;
}

export interface WriterDeps {
  store: Pick<MarketStore, 'write'>;
  clock: Clock;
  random: Random;
  log: Logger;
}

interface TakenToken {
  live: LiveToken;
  fields: Set<RecordPath>;
  write: TokenWrite;
}

export function createWriter(deps: WriterDeps): Writer {
  const { store, clock } = deps;
  const tokens = new Set<LiveToken>();
  let trades: TradeRecord[] = [];
  let samples: StampedSample[] = [];
  let rate: Rate | null = null;
  let writing: { trades: TradeRecord[]; done: Promise<boolean> } | null = null;
  const health = createWriteHealth(deps);

  const coversAll = () => tokens.size === 0 && trades.length === 0 && samples.length === 0;
  const clean = () => writing === null && coversAll() && rate === null;

  function start(): Promise<boolean> | null {
    if (writing !== null || !health.mayTry() || (clean() && !health.away)) return null;
    const taken = takeTokens(tokens);
    const batch = {
      tokens: taken.map(({ write }) => write),
      trades: trades.splice(0, MAX_ROWS_PER_WRITE),
      samples: samples.splice(0, MAX_ROWS_PER_WRITE),
      rate,
    };
    rate = null;
    const done = store.write(batch).then(
      () => {
        writing = null;
        health.succeeded(taken.length);
        for (const live of markStored(taken, clock.now())) tokens.add(live);
        return true;
      },
      (error: unknown) => {
        writing = null;
        for (const { live, fields } of taken) {
          for (const field of fields) live.dirty.add(field);
          tokens.add(live);
        }
        trades = health.bounded([...batch.trades, ...trades]);
        samples = health.bounded([...batch.samples, ...samples]);
        rate ??= batch.rate;
        health.failed(error);
        return false;
      },
    );
    writing = { trades: batch.trades, done };
    return done;
  }

  return {
    addToken: (live) => void tokens.add(live),
    addTrade: (record) => void trades.push(record),
    addSample: (record) => void samples.push(stamped(record)),
    setRate(newest) {
      rate = newest;
    },
    get away() {
      return health.away;
    },
    markLate: () => health.late(writing !== null),
    idle: async () => void (await writing?.done),
    forget(removed) {
      const addresses = new Set([...removed].map(({ record }) => record._id));
      for (const live of removed) tokens.delete(live);
      trades = trades.filter(({ address }) => !addresses.has(address));
      samples = samples.filter(({ address }) => !addresses.has(address));
    },
    get clean() {
      return clean();
    },
    get coversAll() {
      return coversAll();
    },
    get isAllStored() {
      return writing === null && coversAll();
    },
    holds: (live) => tokens.has(live) || writing !== null,
    unstored: (address) => [...(writing?.trades ?? []), ...trades].filter((trade) => trade.address === address),
    start,
  };
}

/** Marks written tokens as stored. Returns those whose time of storage has to be written in turn. */
function markStored(taken: readonly TakenToken[], now: number): LiveToken[] {
  const measured: LiveToken[] = [];
  for (const { live } of taken) {
    live.stored = true;
    if (live.record.storedAt !== null || !isMeasured(live.record, now)) continue;
    live.record.storedAt = now;
    live.dirty.add('storedAt');
    measured.push(live);
  }
  return measured;
}

/** Tracks whether the database takes writes: late and failed ones, the delay between attempts, and what had to be dropped. */
function createWriteHealth({ clock, random, log }: WriterDeps) {
  let isLate = false;
  let failures = 0;
  let retryAt = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let dropped = 0;
  return {
    get away() {
      return isLate || failures > 0;
    },
    mayTry: () => clock.now() >= retryAt,
    late(isWriting: boolean) {
      isLate = isWriting;
      const now = clock.now();
      if (!isLate || now - warnedAt < WARN_INTERVAL) return;
      warnedAt = now;
      // At level info: the first start's history alone may keep a small machine busy for a moment.
      log.info('write to MongoDB is late, feed continues without it');
    },
    succeeded(count: number) {
      if (isLate || failures > 0) log.info({ tokens: count }, 'market stored again');
      isLate = false;
      failures = 0;
    },
    failed(error: unknown) {
      const reason = error instanceof Error ? error.name : 'unknown';
      if (failures === 0) log.warn({ reason }, 'write to MongoDB failed, feed continues without it');
      retryAt = clock.now() + backoff(failures, { ...BACKOFF, random });
      failures += 1;
    },
    /** Returns the newest items that may wait. */
    bounded<Item>(items: Item[]): Item[] {
      const over = items.length - MAX_WAITING;
      if (over <= 0) return items;
      dropped += over;
      log.error({ dropped }, 'MongoDB unavailable for too long, oldest trades or samples dropped');
      return items.slice(over);
    },
  };
}

function takeTokens(tokens: Set<LiveToken>): TakenToken[] {
  const taken: TakenToken[] = [];
  for (const live of tokens) {
    // A write of an unverified token could overwrite its stored record.
    if (live.unverified) continue;
    const fields = live.dirty;
    live.dirty = new Set();
    tokens.delete(live);
    taken.push({ live, fields, write: tokenWrite(live, fields) });
    if (taken.length === MAX_TOKENS_PER_WRITE) break;
  }
  return taken;
}

function tokenWrite({ record, stored }: LiveToken, fields: ReadonlySet<RecordPath>): TokenWrite {
  if (!stored) return { address: record._id, replace: record };
  return { address: record._id, set: valuesAt(record, fields) };
}

/** Returns the values at these paths, as one `$set` takes them. */
export function valuesAt(record: TokenRecord, fields: ReadonlySet<RecordPath>): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const path of fields) set[path] = valueAt(record, path);
  return set;
}

function valueAt(record: TokenRecord, path: RecordPath): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return Reflect.get(record, path);
  return Reflect.get(path.startsWith('facts.') ? record.facts : record.fieldSources, path.slice(dot + 1));
}
