import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff, withTimeout } from '../../platform/resilience.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import { isMeasured } from '../../tokens/volume.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import type { LiveToken, RecordPath } from '../token/state/live-token.ts';
import { type StampedSample, stamped, type TokenWrite, type WriteBatch } from './bulk-write.ts';
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

/**
 * Longest wait of the feed for a write, ms: about three times a full tick's write. Events published without their write
 * lie beyond `stored`, so no list claims to contain them (F3), and a crash may lose them.
 */
const LONGEST_WAIT = 250;

/** `stored`: MongoDB contains everything. `writing`: it will with the write in progress. `pending`: something waits. */
export type WriterState = 'stored' | 'writing' | 'pending';

export type Writer = ReturnType<typeof createWriter>;

interface WriterDeps {
  store: Pick<MarketStore, 'write'>;
  clock: Clock;
  random: Random;
  log: Logger;
}

/** Holds the changes that MongoDB does not have, and writes them, one write at a time. Tokens coalesce; trades and samples queue. */
export function createWriter(deps: WriterDeps) {
  const { store, clock } = deps;
  const health = createWriteHealth(deps);
  const pending = createPending(health.bounded);
  let writing: { trades: readonly TradeRecord[]; done: Promise<boolean> } | null = null;

  function state(): WriterState {
    if (!pending.isEmpty()) return 'pending';
    return writing === null ? 'stored' : 'writing';
  }

  async function write({ taken, batch }: Taken): Promise<boolean> {
    try {
      await store.write(batch);
    } catch (error) {
      writing = null;
      pending.restore({ taken, batch });
      health.failed(error);
      return false;
    }
    writing = null;
    health.succeeded(taken.length);
    for (const live of markStored(taken, clock.now())) pending.addToken(live);
    return true;
  }

  return {
    addToken: pending.addToken,
    addTrade: pending.addTrade,
    addSample: pending.addSample,
    setRate: pending.setRate,
    forget: pending.forget,
    state,
    /** True while the last write failed or is late: nothing should wait for the database then. */
    get away(): boolean {
      return health.isAway();
    },
    /** Resolves when no write is in progress. */
    idle: async (): Promise<void> => void (await writing?.done),
    /** Returns true while the token must not be evicted. */
    holds: (live: LiveToken): boolean => pending.holds(live) || writing !== null,
    /** Returns the trades of a token that may not be in MongoDB yet. */
    unstored: (address: string): TradeRecord[] =>
      [...(writing?.trades ?? []), ...pending.trades()].filter((trade) => trade.address === address),
    /**
     * Starts a write, oldest changes first. Resolves with true when acknowledged and with false when it failed: then all of
     * it waits again. Returns null with nothing to write, while a write is in progress, and during the delay after a failure.
     */
    start(): Promise<boolean> | null {
      if (writing !== null || !health.mayTry() || (state() === 'stored' && !health.isAway())) return null;
      const taken = pending.take();
      writing = { trades: taken.batch.trades, done: write(taken) };
      return writing.done;
    },
    /**
     * Resolves when the write in progress has ended or is late. After a failed or late write the feed waits for no further one:
     * it is late once, not with every attempt.
     */
    async written(): Promise<void> {
      if (writing === null || health.isAway()) return;
      if ((await withTimeout(writing.done, LONGEST_WAIT)) === null) health.late();
    },
  };
}

interface TakenToken {
  live: LiveToken;
  fields: Set<RecordPath>;
  write: TokenWrite;
}

/** A part of the changes, as one write takes it. */
interface Taken {
  taken: TakenToken[];
  batch: WriteBatch;
}

/** Creates the changes that no write has taken. `bounded` returns the newest items that may wait. */
function createPending(bounded: <Item>(items: Item[]) => Item[]) {
  const tokens = new Set<LiveToken>();
  let trades: TradeRecord[] = [];
  let samples: StampedSample[] = [];
  let rate: Rate | null = null;
  return {
    /** Adds a token with dirty fields. */
    addToken: (live: LiveToken): void => void tokens.add(live),
    addTrade: (record: TradeRecord): void => void trades.push(record),
    addSample: (record: SampleRecord): void => void samples.push(stamped(record)),
    setRate(newest: Rate): void {
      rate = newest;
    },
    /** Drops the unwritten changes of removed tokens. To be called while no write is in progress. */
    forget(removed: ReadonlySet<LiveToken>): void {
      const addresses = new Set([...removed].map(({ record }) => record._id));
      for (const live of removed) tokens.delete(live);
      trades = trades.filter(({ address }) => !addresses.has(address));
      samples = samples.filter(({ address }) => !addresses.has(address));
    },
    isEmpty: () => tokens.size === 0 && trades.length === 0 && samples.length === 0 && rate === null,
    holds: (live: LiveToken) => tokens.has(live),
    trades: (): readonly TradeRecord[] => trades,
    /** Takes the oldest changes. Unverified tokens stay. */
    take(): Taken {
      const taken = takeTokens(tokens);
      const batch: WriteBatch = {
        tokens: taken.map(({ write }) => write),
        trades: trades.splice(0, MAX_ROWS_PER_WRITE),
        samples: samples.splice(0, MAX_ROWS_PER_WRITE),
        rate,
      };
      rate = null;
      return { taken, batch };
    },
    /** Adds the changes of a failed write again. */
    restore({ taken, batch }: Taken): void {
      for (const { live, fields } of taken) {
        for (const field of fields) live.dirty.add(field);
        tokens.add(live);
      }
      trades = bounded([...batch.trades, ...trades]);
      samples = bounded([...batch.samples, ...samples]);
      rate ??= batch.rate;
    },
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
    isAway: () => isLate || failures > 0,
    mayTry: () => clock.now() >= retryAt,
    late() {
      isLate = true;
      const now = clock.now();
      if (now - warnedAt < WARN_INTERVAL) return;
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
