import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import { backoff, withTimeout } from '../../platform/resilience.ts';
import { isMeasured } from '../../tokens/volume.ts';
import type { LiveToken } from '../token/state/live-token.ts';
import { batchOf, createPending, MAX_WAITING, type Taken, type TokenRows } from './pending.ts';
import type { MarketStore } from './store.ts';

/** Delay before the next attempt, ms. */
const BACKOFF = { base: 100, max: 2_000 };
/** Least time between two log lines about a slow database, ms. */
const WARN_INTERVAL = 10_000;

/**
 * Longest wait of the feed for the journal, ms: many times a full tick's write. A crash may lose changes that are published
 * without their entry.
 */
const LONGEST_WAIT = 1_000;
/** Least time between two writes of rows and checkpoints, ms, unless this many trades or samples wait. */
const ROWS_INTERVAL = 200;
const MANY_ROWS = 1_000;
/** Trades and samples that may wait while MongoDB responds; beyond it the market merges no faster than they are stored. */
const MAX_ROWS_BEHIND = 20_000;
/** Least time between two deletions in the journal, ms. */
const TRIM_INTERVAL = 1_000;

export type Writer = ReturnType<typeof createWriter>;

interface WriterDeps {
  store: Pick<MarketStore, 'write'>;
  clock: Clock;
  random: Random;
  log: Logger;
}

/**
 * Holds the changes that MongoDB does not have, and writes them in two lanes. Before the publication: the journal of the tick's
 * trades, and tokens with new facts. Behind it: trades, samples, and the figures of tokens (checkpoints), the oldest first.
 */
export function createWriter(deps: WriterDeps) {
  const { clock } = deps;
  const front = createLane(deps);
  const behind = createLane(deps);
  const hurry = { isOn: false };
  const pending = createPending({ bounded: front.health.bounded, hurries: () => hurry.isOn });
  const end: WriteEnd = {
    onWritten(taken) {
      for (const live of markStored(taken, clock.now())) pending.addToken(live);
    },
    onFailed: pending.restore,
  };
  const startRows = createRowWriter({ pending, front, behind, end, hurry, clock });

  /** Returns the number of tokens, ticks, trades and samples that MongoDB does not have yet. */
  const backlog = () => pending.size() + front.size() + behind.size();

  return {
    addToken: pending.addToken,
    addTrade: pending.addTrade,
    addSample: pending.addSample,
    setRate: pending.setRate,
    forget: pending.forget,
    open: pending.open,
    backlog,
    /** True while the last write of the journal failed or is late: nothing should wait for the database then. */
    get away(): boolean {
      return front.health.isAway();
    },
    /** Resolves when no write is in progress. */
    async idle(): Promise<void> {
      await front.done();
      await behind.done();
    },
    /** Returns the trades and samples of a token that may not be in MongoDB yet, oldest first. */
    unstored(address: string): TokenRows {
      const all = [behind.rowsOf(address), front.rowsOf(address), pending.rowsOf(address)];
      return { trades: all.flatMap(({ trades }) => trades), samples: all.flatMap(({ samples }) => samples) };
    },
    /**
     * Ends a tick and writes its journal and new facts. Resolves with true when acknowledged and with false when it failed:
     * then all of it waits again. Returns null with nothing to write, while a write is in progress, and during the delay after a failure.
     */
    start(tick: { at: number; solUsd: number | null }): Promise<boolean> | null {
      pending.endTick(tick);
      if (front.isBusy() || !front.health.mayTry()) return null;
      const taken = pending.takeFacts();
      if (taken.entries.length + taken.tokens.length === 0 && !front.health.isAway()) return null;
      return front.write(taken, null, { ...end, after: behind });
    },
    startRows,
    /** Resolves when few enough trades and samples wait; at once while MongoDB is away, and in any case after a write that is late. */
    room: () => waitForRoom(pending.rowCount, () => startRows() ?? behind.current()),
    /** Writes everything that waits, without regard to the times between writes. Ends early when a write fails. */
    async flush(): Promise<void> {
      hurry.isOn = true;
      await behind.done();
      for (let write = startRows(); write !== null; write = startRows()) if (!(await write)) break;
      hurry.isOn = false;
    },
    /** Ends the journal of this run, if everything is written: the next start has nothing to recover then. */
    async close(): Promise<void> {
      await front.done();
      if (backlog() > 0) return;
      pending.close(clock.now());
      await front.write(pending.takeFacts(), null, end);
    },
    /**
     * Resolves when the write of the journal has ended or is late. After a failed or late write the feed waits for no further
     * one: it is late once, not with every attempt.
     */
    async written(): Promise<void> {
      if (!front.isBusy() || front.health.isAway()) return;
      if ((await withTimeout(front.done(), LONGEST_WAIT)) === null) front.health.late();
    },
  };
}

/** Creates the start of a write of rows and checkpoints. `hurry`: whether they are written without regard to the time. */
function createRowWriter(deps: {
  pending: ReturnType<typeof createPending>;
  front: Lane;
  behind: Lane;
  end: WriteEnd;
  hurry: { isOn: boolean };
  clock: Clock;
}) {
  const { pending, front, behind, end, hurry, clock } = deps;
  let trimmedAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;

  /** Returns the position below which the journal may be deleted after the write; null when it is not time for it. */
  function journalBelow(now: number): number | null {
    if (now - trimmedAt < TRIM_INTERVAL) return null;
    trimmedAt = now;
    return pending.firstNeeded();
  }

  /** Starts a write. Returns null with nothing due, while one is in progress, and while merged trades are not journaled. */
  return function startRows(): Promise<boolean> | null {
    const now = clock.now();
    if (front.isBusy() || behind.isBusy() || !behind.health.mayTry() || !pending.isJournaled()) return null;
    const isTime = hurry.isOn || now - startedAt >= ROWS_INTERVAL;
    if (!pending.hasRows(now, isTime ? 1 : MANY_ROWS)) return null;
    startedAt = now;
    // Before the rows are taken, whose positions are still needed.
    const below = journalBelow(now);
    return behind.write(pending.takeRows(now), below, end);
  };
}

/** Waits while too many rows wait. `nextWrite`: of rows; null when none is possible. */
async function waitForRoom(rowCount: () => number, nextWrite: () => Promise<boolean> | null): Promise<void> {
  while (rowCount() > MAX_ROWS_BEHIND) {
    const write = nextWrite();
    if (write === null || !(await withTimeout(write, LONGEST_WAIT))?.value) return;
  }
}

/** What happens after a write. `after`: a lane whose write of the same tokens must have ended before. */
interface WriteEnd {
  onWritten(taken: Taken): void;
  onFailed(taken: Taken): void;
  after?: Lane;
}

type Lane = ReturnType<typeof createLane>;

/** Creates a lane: one write at a time. */
function createLane(deps: WriterDeps) {
  const { store } = deps;
  const health = createWriteHealth(deps);
  let writing: { taken: Taken; done: Promise<boolean> } | null = null;

  async function run(taken: Taken, journalBelow: number | null, end: WriteEnd): Promise<boolean> {
    try {
      if (end.after !== undefined && taken.tokens.some(({ live }) => end.after?.holds(live))) {
        // An older state of the same token must not arrive later. Facts are rare, so that this seldom delays the journal.
        const isWritten = await end.after.done();
        // This write marks the trades as part of the figures, but the figures of the failed one are not in it.
        if (!isWritten) throw new Error('the write before it failed');
      }
      await store.write(batchOf(taken, journalBelow));
    } catch (error) {
      release(taken);
      end.onFailed(taken);
      health.failed(error);
      return false;
    }
    release(taken);
    health.succeeded(taken.tokens.length);
    end.onWritten(taken);
    return true;
  }

  function release({ tokens }: Taken): void {
    writing = null;
    for (const { live } of tokens) live.writes -= 1;
  }

  return {
    health,
    isBusy: () => writing !== null,
    /** Returns the outcome of the write in progress; null without one. */
    current: (): Promise<boolean> | null => writing?.done ?? null,
    /** Number of documents in the write in progress. */
    size: () => (writing === null ? 0 : sizeOf(writing.taken)),
    holds: (live: LiveToken): boolean => writing?.taken.tokens.some((token) => token.live === live) ?? false,
    /** Resolves when no write is in progress, with false when the one that was has failed. */
    done: async (): Promise<boolean> => (await writing?.done) ?? true,
    rowsOf(address: string): TokenRows {
      const { trades = [], samples = [] } = writing?.taken ?? {};
      const isOf = ({ item }: { item: { address: string } }) => item.address === address;
      return {
        trades: trades.filter(isOf).map(({ item }) => item),
        samples: samples.filter(isOf).map(({ item }) => item),
      };
    },
    /** Resolves with whether the write was acknowledged. To be called while the lane is not busy. */
    write(taken: Taken, journalBelow: number | null, end: WriteEnd): Promise<boolean> {
      const done = run(taken, journalBelow, end);
      writing = { taken, done };
      return done;
    },
  };
}

function sizeOf({ tokens, entries, trades, samples }: Taken): number {
  return tokens.length + entries.length + trades.length + samples.length;
}

/** Marks written tokens as stored. Returns those whose time of storage has to be written in turn. */
function markStored({ tokens }: Taken, now: number): LiveToken[] {
  const measured: LiveToken[] = [];
  for (const { live } of tokens) {
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
