import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AlertCondition } from '../../../common/alerts/cause.ts';
import type { AlertChannels } from '../../../common/alerts/rules/model.ts';
import { MINUTE } from '../../../common/time.ts';
import { type FilterContext, rangeFields } from '../../../common/tokens/filters.ts';
import type { ListIndex } from '../../tokens/list-index/list-index.ts';
import { failedBound, type RowBound, type RowFilter } from '../../tokens/list-index/row-filter.ts';
import type { Rows } from '../../tokens/list-index/rows.ts';
import { createRowChanges } from '../../tokens/live-lists/row-changes.ts';
import { createWatchedList, judgeRows, type WatchedList } from '../../tokens/live-lists/watched-list.ts';

/** Different filters that are watched at once. Each needs two bytes a token. */
const FILTERS_MAX = 1_000;
/** Tokens of a filter whose match is remembered; the unique index of the alerts refuses an older one that matches again. */
const MATCHED_MAX = 2_000;
/** Interval of comparisons, ms. */
const INTERVAL = 1_000;
/** A start offers tokens detected within this time (ms) that match: a stop may have prevented their alerts. */
const START_AGE = 10 * MINUTE;

/** An alert by preset that works. Ids are hexadecimal, times epoch ms. */
export interface PresetRule {
  id: string;
  userId: string;
  /** Name of the filtered list (common/live/lists.ts). */
  list: string;
  /** Name of the preset. */
  name: string;
  perHour: number;
  channels: AlertChannels;
  mutedUntil: number;
  /** Matches from then on count. */
  since: number;
}

/** A token that begins to match a filter, with the alerts that it concerns. */
export interface PresetMatch {
  address: string;
  rules: PresetRule[];
  /** The bound that became true last; null when there is none. */
  condition: AlertCondition | null;
  isFromStart: boolean;
}

interface PresetWatchDeps {
  index: Pick<ListIndex, 'rows' | 'follow'> & { ready(): Promise<void> };
  context(): FilterContext;
  found(match: PresetMatch): void;
  /** Resolves when the matches found by a start have room. */
  room(): Promise<void>;
  /** Fewer in tests. */
  filtersMax?: number;
}

/** A filter with its alerts. */
interface Filter extends WatchedList {
  rules: Map<string, PresetRule>;
  /** First bound that each row failed when it was compared last, by row (`codeOf`). */
  failed: Uint8Array;
  /** Whether all rows have been compared once. */
  isBegun: boolean;
  /** Time of the last match by token number, epoch ms; oldest first. */
  matchedAt: Map<number, number>;
}

/** Finds tokens that begin to match the presets of alerts. A changed token is compared once with each different filter. */
export function createPresetWatch({ index, context, found, room, filtersMax = FILTERS_MAX }: PresetWatchDeps) {
  const rules = new Map<string, PresetRule>();
  const filters = new Map<string, Filter>();
  const changes = createRowChanges(index, filters, (row, from) => moveFailures(filters, row, from));
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let last = context();

  function offer(match: FilterMatch, at: number, latestSince: number, isFromStart: boolean): void {
    const concerned = concernedBy(match, at, latestSince);
    const { address, condition } = match;
    if (concerned.length > 0) found({ address, condition, rules: concerned, isFromStart });
  }

  /** Compares all rows. A row that matches already causes no alert, except a young one at a start. */
  function begin(filter: Filter, isFromStart: boolean): void {
    const now = context();
    if (filters.size === 1) last = now;
    for (const match of matchesOf(filter, index.rows(), index.rows().addresses.keys(), now)) {
      if (isFromStart && match.detectedAt >= now.now - START_AGE) offer(match, now.now, match.detectedAt, true);
    }
    filter.isBegun = true;
    changes.start();
  }

  function advance(): void {
    if (!isReady || filters.size === 0) return;
    const now = context();
    const changed = changes.take([]);
    const rows = index.rows();
    for (const filter of filters.values()) {
      if (!filter.isBegun) continue;
      const all = filter.followsRate && now.solUsd !== last.solUsd ? rows.addresses.keys() : null;
      const compared = all ?? [...changed, ...changes.aged(filter, last.now, now.now)];
      for (const match of matchesOf(filter, rows, compared, now)) offer(match, now.now, now.now, false);
    }
    last = now;
  }

  function remove(id: string): void {
    const rule = rules.get(id);
    if (rule === undefined) return;
    rules.delete(id);
    const filter = filters.get(rule.list);
    filter?.rules.delete(id);
    if (filter?.rules.size === 0) filters.delete(rule.list);
    if (filters.size === 0) changes.stop();
  }

  return {
    rule: (id: string): PresetRule | undefined => rules.get(id),
    /** Adds or replaces an alert. Does nothing when too many different filters are watched. */
    put(rule: PresetRule): void {
      if (rules.get(rule.id)?.list !== rule.list) remove(rule.id);
      const known = filters.get(rule.list);
      if (known === undefined && filters.size >= filtersMax) return;
      const filter = known ?? createFilter(rule.list);
      filter.rules.set(rule.id, rule);
      rules.set(rule.id, rule);
      if (known !== undefined) return;
      filters.set(rule.list, filter);
      if (isReady) begin(filter, false);
    },
    remove,
    /** Begins to compare once the index is loaded. */
    start(): void {
      void index.ready().then(() => {
        isReady = true;
        return inTurns(filters.values(), room, (filter) => begin(filter, true));
      });
      timer = setInterval(advance, INTERVAL);
    },
    /** Compares the rows that changed since the last time. */
    advance,
    stop(): void {
      clearInterval(timer);
      changes.stop();
    },
  };
}

/** Begins filters one by one, with the rest of the process in between: a start may have many filters and matches. */
async function inTurns(
  filters: Iterable<Filter>,
  room: PresetWatchDeps['room'],
  begin: (filter: Filter) => void,
): Promise<void> {
  for (const filter of filters) {
    await room();
    begin(filter);
    await nextTurn();
  }
}

function createFilter(list: string): Filter {
  return {
    ...createWatchedList(list),
    rules: new Map(),
    failed: new Uint8Array(0),
    matchedAt: new Map(),
    isBegun: false,
  };
}

/** A row that begins to match a filter. `detectedAt`: epoch ms. */
interface FilterMatch {
  filter: Filter;
  address: string;
  number: number;
  detectedAt: number;
  condition: AlertCondition | null;
}

/** Compares rows with a filter, and returns the rows that begin to match. */
function matchesOf(filter: Filter, rows: Rows, compared: Iterable<number>, context: FilterContext): FilterMatch[] {
  const { addresses, columns } = rows;
  const matches: FilterMatch[] = [];
  judgeRows(filter, rows, compared, context, {
    enter(row) {
      const address = addresses[row] ?? '';
      const [number, detectedAt] = [columns.figures.number[row] ?? 0, columns.figures.detected[row] ?? 0];
      matches.push({ filter, address, number, detectedAt, condition: conditionOf(filter, filter.failed[row] ?? 0) });
      return true;
    },
    failed: (row, compiled) => noteFailure(filter, row, compiled, rows),
  });
  filter.left = [];
  return matches;
}

/** Returns the alerts that began by `latestSince` and that a match at `at` reaches for the first time. Times in epoch ms. */
function concernedBy({ filter, number }: FilterMatch, at: number, latestSince: number): PresetRule[] {
  const before = noteMatch(filter, number, at);
  return [...filter.rules.values()].filter(
    ({ since, mutedUntil }) => since > before && since <= latestSince && mutedUntil <= at,
  );
}

/** Notes that a token matches at a time, epoch ms. Returns when it did before; minus infinity for the first time. */
function noteMatch({ matchedAt }: Filter, number: number, at: number): number {
  const before = matchedAt.get(number) ?? Number.NEGATIVE_INFINITY;
  matchedAt.delete(number);
  matchedAt.set(number, at);
  for (const oldest of matchedAt.keys()) {
    if (matchedAt.size <= MATCHED_MAX) break;
    matchedAt.delete(oldest);
  }
  return before;
}

function noteFailure(filter: Filter, row: number, compiled: RowFilter, rows: Rows): void {
  if (row >= filter.failed.length) {
    const grown = new Uint8Array(2 * row + 64);
    grown.set(filter.failed);
    filter.failed = grown;
  }
  filter.failed[row] = codeOf(failedBound(compiled, rows, row));
}

/** Moves the failures of the row `from` to the row that it takes. */
function moveFailures(filters: ReadonlyMap<string, Filter>, row: number, from: number): void {
  for (const { failed } of filters.values()) {
    if (row < failed.length) failed[row] = row === from ? 0 : (failed[from] ?? 0);
    if (from < failed.length) failed[from] = 0;
  }
}

/** Returns a bound as a number from 1 on; 0 for none. */
function codeOf(bound: RowBound | null): number {
  return bound === null ? 0 : 1 + 2 * bound.place + (bound.isMax ? 1 : 0);
}

function conditionOf({ choice }: WatchedList, code: number): AlertCondition | null {
  const field = rangeFields[(code - 1) >> 1];
  const range = choice.ranges.find(([name]) => name === field)?.[1];
  if (code === 0 || field === undefined || range === undefined) return null;
  const bound = (code - 1) % 2 === 1 ? 'max' : 'min';
  const value = range[bound];
  return value === null ? null : { field, bound, value };
}
