import { Types } from 'mongoose';
import type { SampleRecord, StampedSample, TradeRecord } from '../../tokens/record.ts';
import type { TradeObservation } from '../sources/observation.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { copyHolders } from '../token/score/score.ts';
import type { LiveToken, RecordPath } from '../token/state/live-token.ts';
import type { TokenWrite, WriteBatch } from './bulk-write.ts';
import { hasNewFacts, type JournalEntry } from './journal.ts';

/** Bounds of one write: after an outage, many short writes succeed where one long write would time out. */
const MAX_TOKENS_PER_WRITE = 1_500;
const MAX_ROWS_PER_WRITE = 3_000;
/** Entries, trades or samples that wait while the database is away; beyond it the oldest are dropped. */
const MAX_ENTRIES = 2_000;
export const MAX_WAITING = 200_000;
/** Checkpoints of one write, except at a stop: more would delay the trades behind them. */
const CHECKPOINTS_PER_WRITE = 100;
/** Points of every change that wait, at most: a busy market leaves out those beyond, and stores its points of minutes. */
const MAX_FULL_POINTS = 500;
/** Least time between two checkpoints of a token, ms. */
const CHECKPOINT_INTERVAL = 2_000;

/** A token in a write that is in progress. */
interface TakenToken {
  live: LiveToken;
  fields: Set<RecordPath>;
  write: TokenWrite;
  /** Position of its first change that MongoDB does not have. */
  since: number;
  isObserved: boolean;
}

/** A trade or a sample, with the position of its tick. */
interface Row<Item> {
  position: number;
  item: Item;
}

/** A part of the changes, as one write takes it. */
export interface Taken {
  tokens: readonly TakenToken[];
  entries: readonly Entry[];
  trades: readonly Row<TradeRecord>[];
  samples: readonly Row<StampedSample>[];
  rate: Rate | null;
}

/** Trades and samples of a token. */
export interface TokenRows {
  trades: TradeRecord[];
  samples: StampedSample[];
}

/** An entry of the journal before it is written. */
type Entry = Omit<JournalEntry, 'trades'> & { trades: readonly TradeObservation[] };

const nothing: Taken = { tokens: [], entries: [], trades: [], samples: [], rate: null };

/** The tick whose changes are added to the journal. Time in epoch ms. */
type Tick = Pick<JournalEntry, 'at' | 'solUsd'>;

/** Returns the newest items that may wait. */
type Bounded = <Item>(items: Item[]) => Item[];

/** Creates the changes that no write has taken. `hurries`: whether checkpoints are due at once. */
export function createPending({ bounded, hurries }: { bounded: Bounded; hurries: () => boolean }) {
  let position = 0;
  let observed: TradeObservation[] = [];
  let entries: Entry[] = [];
  const tokens = createTokenChanges(() => position, hurries);
  const rows = createRows(() => position, bounded);

  return {
    addToken: tokens.add,
    /** Adds a merged trade: to the journal, and to the stored trades. */
    addTrade(observation: TradeObservation, record: TradeRecord): void {
      observed.push(observation);
      rows.addTrade(record);
    },
    addSample: rows.addSample,
    setRate: rows.setRate,
    /** Begins the journal of a run after the position of the last one, with an entry that shows that it has not ended. */
    open(last: number, at: number): void {
      position = last + 1;
      entries.push({ _id: position, at, solUsd: null, trades: [] });
    },
    /** Ends a tick: its trades become an entry of the journal. */
    endTick({ at, solUsd }: Tick): void {
      tokens.sort(at);
      if (observed.length > 0) {
        position += 1;
        entries.push({ _id: position, at, solUsd, trades: observed });
        observed = [];
      }
      entries = newest(entries);
      rows.limit();
    },
    /** Adds the entry that ends the journal of a run. To be called once everything else is written. */
    close(at: number): void {
      position += 1;
      entries.push({ _id: position, at, solUsd: null, trades: [], isEnd: true });
    },
    /** Returns whether every merged trade is in an entry that a write has taken. */
    isJournaled: (): boolean => entries.length === 0 && observed.length === 0,
    /** Returns the number of tokens, entries, trades and samples. */
    size: (): number => tokens.size() + entries.length + rows.size(),
    rowCount: rows.size,
    rowsOf: rows.of,
    /** Takes the changes to write before the publication: the journal, and new facts once all of the journal is taken. */
    takeFacts(): Taken {
      const taken = takeEntries(entries);
      const withFacts = entries.length > 0 ? [] : tokens.takeFacts();
      return { ...nothing, entries: taken, tokens: withFacts, samples: rows.takePoints(withFacts) };
    },
    /** Takes the changes to write afterwards: trades, samples, and due checkpoints. To be called while every merged trade is journaled. */
    takeRows: (now: number): Taken => ({ ...rows.take(), tokens: tokens.takeCheckpoints(now) }),
    /** Returns whether there is enough for a write of rows: so many trades or samples, or due checkpoints. */
    hasRows(now: number, least: number): boolean {
      tokens.sort(now);
      return rows.has(least) || (least <= 1 && tokens.hasCheckpoints(now));
    },
    /** Adds the changes of a failed write again. */
    restore(taken: Taken): void {
      tokens.restore(taken.tokens);
      entries = newest([...taken.entries, ...entries]);
      rows.restore(taken);
    },
    /** Returns the position of the first entry that the journal must keep, apart from those of writes in progress. */
    firstNeeded: (): number => Math.min(position, rows.firstNeeded(), tokens.firstNeeded()),
    /** Drops the unwritten changes of removed tokens. To be called while no write is in progress. */
    forget(removed: ReadonlySet<LiveToken>): void {
      const addresses = new Set([...removed].map(({ record }) => record._id));
      const isKept = ({ address }: { address: string }) => !addresses.has(address);
      tokens.forget(removed);
      observed = observed.filter(isKept);
      entries = entries.map((entry) => ({ ...entry, trades: entry.trades.filter(isKept) }));
      rows.keep(isKept);
    },
  };
}

/** Creates the changed tokens. `position`: of the last entry. */
function createTokenChanges(position: () => number, hurries: () => boolean) {
  /** Changed since the last tick ended, then one of two kinds; each with the position of its first change that is not stored. */
  const changed = new Map<LiveToken, number>();
  const facts = new Map<LiveToken, number>();
  const checkpoints = new Map<LiveToken, { since: number; from: number }>();

  function* dueCheckpoints(now: number): Generator<[LiveToken, number]> {
    for (const [live, { since, from }] of checkpoints) {
      // In the order of their times.
      if (from > now && !hurries()) return;
      yield [live, since];
    }
  }

  return {
    size: () => changed.size + facts.size + checkpoints.size,
    /** Adds a token with dirty fields. */
    add(live: LiveToken): void {
      if (!changed.has(live)) changed.set(live, position() + 1);
    },
    /**
     * Sorts the changed tokens by whether they have new facts; unverified ones wait, since a write could replace their stored
     * record.
     */
    sort(now: number): void {
      for (const [live, since] of changed) {
        if (live.unverified) continue;
        changed.delete(live);
        const checkpoint = checkpoints.get(live);
        if (hasNewFacts(live)) {
          checkpoints.delete(live);
          facts.set(live, Math.min(facts.get(live) ?? since, checkpoint?.since ?? since));
        } else if (checkpoint === undefined && !facts.has(live)) {
          checkpoints.set(live, { since, from: now + CHECKPOINT_INTERVAL });
        }
      }
    },
    takeFacts(): TakenToken[] {
      const taken: TakenToken[] = [];
      for (const [live, since] of facts) {
        facts.delete(live);
        taken.push(takeToken(live, since, position()));
        if (taken.length === MAX_TOKENS_PER_WRITE) break;
      }
      return taken;
    },
    hasCheckpoints: (now: number): boolean => !dueCheckpoints(now).next().done,
    takeCheckpoints(now: number): TakenToken[] {
      const taken: TakenToken[] = [];
      const most = hurries() ? MAX_TOKENS_PER_WRITE : CHECKPOINTS_PER_WRITE;
      for (const [live, since] of dueCheckpoints(now)) {
        checkpoints.delete(live);
        taken.push(takeToken(live, since, position()));
        if (taken.length === most) break;
      }
      return taken;
    },
    restore(taken: readonly TakenToken[]): void {
      for (const { live, fields, since, isObserved } of taken) {
        for (const field of fields) live.dirty.add(field);
        live.observed ||= isObserved;
        changed.set(live, Math.min(since, changed.get(live) ?? since));
      }
    },
    firstNeeded(): number {
      let first = Number.POSITIVE_INFINITY;
      for (const since of changed.values()) first = Math.min(first, since);
      for (const since of facts.values()) first = Math.min(first, since);
      for (const { since } of checkpoints.values()) first = Math.min(first, since);
      return first;
    },
    forget(removed: ReadonlySet<LiveToken>): void {
      for (const live of removed) for (const tokens of [changed, facts, checkpoints]) tokens.delete(live);
    },
  };
}

/** Returns a token's part of a write: a copy, since the next tick may merge before it is sent. */
function takeToken(live: LiveToken, since: number, position: number): TakenToken {
  // A start reads no trades of a token whose figures are complete, so the holders are made complete, too.
  copyHolders(live);
  const { dirty: fields, observed: isObserved } = live;
  live.dirty = new Set();
  live.observed = false;
  live.writes += 1;
  live.record.journaled = position;
  return { live, fields, since, isObserved, write: structuredClone(tokenWrite(live, fields.add('journaled'))) };
}

/** Creates the trades, samples and rate. `position`: of the last entry. */
function createRows(position: () => number, bounded: Bounded) {
  let trades: Row<TradeRecord>[] = [];
  let samples: Row<StampedSample>[] = [];
  let rate: Rate | null = null;
  return {
    addTrade: (record: TradeRecord): void => void trades.push({ position: position() + 1, item: record }),
    addSample(record: SampleRecord): void {
      if (record.grain === 'full' && samples.length >= MAX_FULL_POINTS) return;
      samples.push({ position: position() + 1, item: { _id: new Types.ObjectId(), ...record } });
    },
    setRate(newer: Rate): void {
      rate = newer;
    },
    size: () => trades.length + samples.length + Number(rate !== null),
    has: (least: number) => trades.length >= least || samples.length >= least || (least <= 1 && rate !== null),
    /** Returns the trades and samples of a token. */
    of: (address: string): TokenRows => ({ trades: rowsOf(trades, address), samples: rowsOf(samples, address) }),
    take(): Taken {
      const taken = { trades: trades.splice(0, MAX_ROWS_PER_WRITE), samples: takeSamples(samples), rate };
      rate = null;
      return { ...nothing, ...taken };
    },
    /** Takes the points of minutes and hours of these tokens, which are written with them. */
    takePoints(tokens: readonly TakenToken[]): Row<StampedSample>[] {
      if (tokens.length === 0) return [];
      const addresses = new Set(tokens.map(({ live }) => live.record._id));
      const isTaken = ({ item }: Row<StampedSample>) => item.grain !== 'full' && addresses.has(item.address);
      const taken = samples.filter(isTaken);
      if (taken.length > 0) samples = samples.filter((row) => !isTaken(row));
      return taken;
    },
    restore(taken: Taken): void {
      trades = bounded([...taken.trades, ...trades]);
      samples = bounded([...taken.samples, ...samples]);
      rate ??= taken.rate;
    },
    limit(): void {
      trades = bounded(trades);
      samples = bounded(samples);
    },
    keep(isKept: (row: { address: string }) => boolean): void {
      trades = trades.filter(({ item }) => isKept(item));
      samples = samples.filter(({ item }) => isKept(item));
    },
    firstNeeded: () => Math.min(...[trades[0], samples[0]].map((row) => row?.position ?? Number.POSITIVE_INFINITY)),
  };
}

/** Returns the batch of a write. `journalBelow`: as in WriteBatch. */
export function batchOf({ entries, tokens, trades, samples, rate }: Taken, journalBelow: number | null): WriteBatch {
  return {
    journal: entries.map(({ trades: ofEntry, ...entry }) => ({ ...entry, trades: JSON.stringify(ofEntry) })),
    tokens: tokens.map(({ write }) => write),
    trades: trades.map(({ item }) => item),
    samples: samples.map(({ item }) => item),
    rate,
    journalBelow,
  };
}

/** Removes and returns the oldest entries: at least one, and no more trades than one write may have. */
function takeEntries(entries: Entry[]): Entry[] {
  let count = 0;
  let rows = 0;
  for (const { trades } of entries) {
    rows += trades.length;
    if (count > 0 && rows > MAX_ROWS_PER_WRITE) break;
    count += 1;
  }
  return entries.splice(0, count);
}

/**
 * Returns the newest entries that may wait while the database is away. Without the others a crash loses what they hold; otherwise
 * their tokens and trades are stored as usual.
 */
function newest(entries: Entry[]): Entry[] {
  let first = entries.length;
  for (let rows = 0; first > 0; first -= 1) {
    rows += entries[first - 1]?.trades.length ?? 0;
    if (entries.length - first >= MAX_ENTRIES || (rows > MAX_WAITING && first < entries.length)) break;
  }
  return first === 0 ? entries : entries.slice(first);
}

/** Removes and returns the oldest samples, and all samples of minutes and hours, since a checkpoint implies that they are stored. */
function takeSamples(samples: Row<StampedSample>[]): Row<StampedSample>[] {
  const taken = samples.splice(0, MAX_ROWS_PER_WRITE);
  if (samples.length === 0) return taken;
  const left = samples.splice(0);
  for (const row of left) (row.item.grain === 'full' ? samples : taken).push(row);
  return taken;
}

function rowsOf<Item extends { address: string }>(rows: readonly Row<Item>[], address: string): Item[] {
  return rows.flatMap(({ item }) => (item.address === address ? [item] : []));
}

function tokenWrite({ record, stored }: LiveToken, fields: ReadonlySet<RecordPath>): TokenWrite {
  if (!stored) return { address: record._id, replace: record };
  return { address: record._id, set: valuesAt(record, fields) };
}

/** Returns the values at these paths, as one `$set` takes them. */
export function valuesAt(record: LiveToken['record'], fields: ReadonlySet<RecordPath>): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  for (const path of fields) set[path] = valueAt(record, path);
  return set;
}

function valueAt(record: LiveToken['record'], path: RecordPath): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return Reflect.get(record, path);
  return Reflect.get(path.startsWith('facts.') ? record.facts : record.fieldSources, path.slice(dot + 1));
}
