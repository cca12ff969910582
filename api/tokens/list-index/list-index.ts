import { createHeap } from '../../../common/sorted.ts';
import { DAY, HOUR, MINUTE } from '../../../common/time.ts';
import type { FilterContext } from '../../../common/tokens/filters.ts';
import type { TokenPatch } from '../../../common/tokens/model.ts';
import {
  compareRanks,
  formatCursor,
  parseCursor,
  type Rank,
  type SortField,
  type SortOrder,
} from '../../../common/tokens/order.ts';
import type { PatchContext } from '../../../common/tokens/patch.ts';
import { type Columns, type IndexedToken, MIGHT_RUN, OUTDATED, RUNNER } from './columns.ts';
import { facetsOf } from './facets.ts';
import { compileFilter, judgeRow, MATCH, parseChoice, type RowChoice } from './row-filter.ts';
import { emptyRows, patchTokenRow, putRow, type Rows, removeRow } from './rows.ts';

/** Tokens in the index, about 450 bytes each; beyond it the oldest are dropped, a tenth at a time. */
export const MAX_ROWS = 250_000;
/** Bars of the launches chart: twelve spans of five minutes, in ms. */
const LAUNCH_SPAN = 5 * MINUTE;
const LAUNCH_SPANS = 12;
/** A row that changed within this time (ms) is up to date. */
const RECENT = 2 * MINUTE;
/** Age of the last change (ms) from which MongoDB may soon delete the token: a day below the retention of 30 days. */
const NEARLY_EXPIRED = 29 * DAY;
/** Rows looked at in one call of `quiet`. */
const QUIET_SCAN = 5_000;

export interface IndexQuery extends RowChoice {
  sort: SortField | 'initialLiquidity';
  order: SortOrder;
  limit: number;
  before?: string | undefined;
}

export interface IndexPage {
  addresses: string[];
  /** Number of all matches. */
  total: number;
  /** Cursor of the next page; null at the end. */
  next: string | null;
}

export type ListIndex = ReturnType<typeof createListIndex>;

/** Receives each change of the rows. */
export interface RowFollower {
  /** A row was added or replaced. */
  put(row: number): void;
  /** A row is about to be removed: the row `from`, the last one, takes its place. */
  removing(row: number, from: number): void;
  /** All rows are about to be removed. */
  clearing(): void;
}

/**
 * Sorts, filters and searches the tokens of all lists in memory. Not in MongoDB: each trade changes four sorted figures, so
 * their indexes would cost four more writes per trade, and no index of MongoDB finds parts of words. Here a change costs a
 * few numbers, a page one scan.
 */
export function createListIndex(maxRows: number = MAX_ROWS) {
  let rows = emptyRows();
  let isComplete = true;
  const scanQuiet = createQuietScan();
  const followers = new Set<RowFollower>();
  const notify = (event: (follower: RowFollower) => void) => {
    for (const follower of followers) event(follower);
  };
  const onMove = (row: number, from: number) => notify((follower) => follower.removing(row, from));
  const onPut = (row: number) => notify((follower) => follower.put(row));
  const onClear = () => notify((follower) => follower.clearing());

  /** Adds a token, or replaces its figures; `at` is the time of the change, epoch ms. `isOutdated`: its score will be computed again without an event. */
  function put(token: IndexedToken, at: number, isOutdated = false): void {
    const row = putRow(rows, token, at, isOutdated);
    onPut(row);
    if (rows.addresses.length <= maxRows * 1.1) return;
    isComplete = false;
    for (const address of oldest(rows, rows.addresses.length - maxRows)) removeRow(rows, address, onMove);
  }

  return {
    get size() {
      return rows.addresses.length;
    },
    /** Number of tokens when older ones are missing; null when all are in the index. */
    get covered() {
      return isComplete ? null : rows.addresses.length;
    },
    put,
    /** Changes a token by a patch of the feed. Returns false for one that is not in the index. */
    patch(change: TokenPatch, context: PatchContext): boolean {
      const row = patchTokenRow(rows, change, context);
      if (row !== null) onPut(row);
      return row !== null;
    },
    remove(addresses: Iterable<string>) {
      for (const address of addresses) removeRow(rows, address, onMove);
    },
    clear() {
      onClear();
      rows = emptyRows(rows.revision + 1);
      isComplete = true;
    },
    /** Replaces all rows by those of an index that is used no more. */
    replace(next: { rows(): Rows; readonly covered: number | null }) {
      onClear();
      rows = next.rows();
      isComplete = next.covered === null;
      for (const row of rows.addresses.keys()) onPut(row);
    },
    /** Notes that older tokens are stored which the index lacks. */
    markIncomplete() {
      isComplete = false;
    },
    /** Returns the rows: `clear` replaces them, and a removal moves the last one. */
    rows: (): Rows => rows,
    /** Passes each change of the rows to a follower. Returns the function that ends it. */
    follow(follower: RowFollower): () => void {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    page: (query: IndexQuery, context: FilterContext) => pageOf(rows, query, context),
    /** Returns the counts beside a filter. */
    facets: (choice: RowChoice, context: FilterContext) => facetsOf(rows, choice, context),
    /** Returns the counts of the stat cards. */
    counts: (now: number) => countsOf(rows, now),
    /**
     * Returns the next tokens that may have changed without an event, at most `limit`: those whose volume of 24 hours falls,
     * whose score is of earlier rules, or that MongoDB may have deleted at their expiry.
     */
    quiet: (limit: number, now: number) => scanQuiet(rows, limit, now),
    /** Returns whether the token changed so lately that it may not be stored yet. */
    isRecent(address: string, now: number) {
      const row = rows.byAddress.get(address);
      return row !== undefined && now - (rows.columns.changedAt[row] ?? 0) < RECENT;
    },
  };
}

/** Returns the tokens that were listed first. */
function oldest({ columns, addresses }: Rows, count: number): string[] {
  const { detected } = columns.figures;
  const first = createTopRows(count, (a, b) => (detected[a] ?? 0) - (detected[b] ?? 0));
  for (let row = 0; row < addresses.length; row += 1) first.add(row);
  return first.rows().flatMap((row) => addresses[row] ?? []);
}

/** Creates the search for rows that may have changed without an event: each call continues after the last one. */
function createQuietScan() {
  let scannedTo = 0;
  return ({ addresses, columns }: Rows, limit: number, now: number): string[] => {
    const found: string[] = [];
    const scans = Math.min(QUIET_SCAN, addresses.length);
    for (let scanned = 0; scanned < scans && found.length < limit; scanned += 1) {
      scannedTo = (scannedTo + 1) % addresses.length;
      const address = addresses[scannedTo];
      if (address !== undefined && changesQuietly(columns, scannedTo, now)) found.push(address);
    }
    return found;
  };
}

function changesQuietly({ figures, flags, changedAt }: Columns, row: number, now: number): boolean {
  const age = now - (changedAt[row] ?? 0);
  if (age < RECENT) return false;
  // Trades leave the span of 24 hours only a day after the launch.
  const volumeFalls = (figures.volume[row] ?? 0) > 0 && now - (figures.detected[row] ?? 0) > DAY;
  return volumeFalls || ((flags[row] ?? 0) & OUTDATED) !== 0 || age > NEARLY_EXPIRED;
}

function pageOf(rows: Rows, query: IndexQuery, context: FilterContext): IndexPage {
  const { addresses } = rows;
  const filter = compileFilter(rows, parseChoice(query), context);
  const start = query.before === undefined ? null : parseCursor(query.before);
  const follows = start === null ? () => true : followsOf(rows, query, start);
  const top = createTopRows(query.limit, comparisonOf(rows, query));
  let total = 0;
  for (let row = 0; row < addresses.length; row += 1) {
    if (judgeRow(filter, rows, row) !== MATCH) continue;
    total += 1;
    if (follows(row)) top.add(row);
  }
  const found = top.rows();
  const last = found.at(-1);
  const next =
    last === undefined || !top.hasMore() ? null : formatCursor(rankAt(rows, query, last), query.sort === 'detected');
  return { addresses: found.flatMap((row) => addresses[row] ?? []), total, next };
}

type Order = Pick<IndexQuery, 'sort' | 'order'>;

/** Returns the order of rows, equal to `compareRanks` of their ranks. */
function comparisonOf({ columns, addresses }: Rows, { sort, order }: Order): (a: number, b: number) => number {
  const values = columns.figures[sort];
  const { detected } = columns.figures;
  const direction = order === 'asc' ? 1 : -1;
  return (a, b) => {
    const byFigure = compareFigures(values[a] ?? Number.NaN, values[b] ?? Number.NaN, direction);
    if (byFigure !== 0) return byFigure;
    const later = (detected[b] ?? 0) - (detected[a] ?? 0);
    if (later !== 0) return later;
    return (addresses[a] ?? '') < (addresses[b] ?? '') ? 1 : -1;
  };
}

/** Compares two figures; NaN, the unknown one, is last in both directions. */
function compareFigures(a: number, b: number, direction: 1 | -1): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : (a - b) * direction;
}

/** Returns whether a row comes after a place. */
function followsOf(rows: Rows, query: Order, start: Rank): (row: number) => boolean {
  return (row) => compareRanks(rankAt(rows, query, row), start, query.order) > 0;
}

function rankAt({ columns, addresses }: Rows, { sort }: Order, row: number): Rank {
  const value = columns.figures[sort][row] ?? Number.NaN;
  return {
    value: Number.isNaN(value) ? null : value,
    listedAt: columns.figures.detected[row] ?? 0,
    address: addresses[row] ?? '',
  };
}

function countsOf({ columns, addresses }: Rows, now: number) {
  const { createdAt } = columns.figures;
  const launches = Array.from({ length: LAUNCH_SPANS }, () => 0);
  let newLastHour = 0;
  let runners = 0;
  let mightRun = 0;
  for (let row = 0; row < addresses.length; row += 1) {
    const flags = columns.flags[row] ?? 0;
    if ((flags & RUNNER) !== 0) runners += 1;
    if ((flags & MIGHT_RUN) !== 0) mightRun += 1;
    const age = now - (createdAt[row] ?? Number.NaN);
    if (!(age <= HOUR)) continue;
    newLastHour += 1;
    // The chain's clock may run ahead of ours: launches dated in the future count as of now.
    const span = LAUNCH_SPANS - 1 - Math.floor(Math.max(0, age) / LAUNCH_SPAN);
    // A launch of exactly an hour ago belongs to the oldest span.
    const counted = Math.max(0, span);
    launches[counted] = (launches[counted] ?? 0) + 1;
  }
  return { newLastHour, runners, mightRun, launches };
}

/**
 * Keeps the first `limit` of the rows that are added, in the order of `compare`: a heap with the last of them on top, so that
 * a page of thousands of rows needs no sort of all.
 */
function createTopRows(limit: number, compare: (a: number, b: number) => number) {
  const heap = createHeap<number>((a, b) => compare(b, a));
  let added = 0;
  return {
    add(row: number): void {
      added += 1;
      const last = heap.first();
      if (heap.items().length < limit) heap.add(row);
      else if (last !== undefined && compare(row, last) < 0) heap.replaceFirst(row);
    },
    /** Returns the rows in order. */
    rows: (): number[] => heap.items().toSorted(compare),
    /** Returns whether more rows were added than are kept. */
    hasMore: () => added > heap.items().length,
  };
}
