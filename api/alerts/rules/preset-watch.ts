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
  /** Fewer in tests. */
  filtersMax?: number;
}

/** A filter with its alerts. */
interface Filter extends WatchedList {
  rules: Map<string, PresetRule>;
  /** First bound that each row failed when it was compared last, by row (`codeOf`). */
  failed: Uint8Array;
  /** Time of the last match by token number, epoch ms; oldest first. */
  matchedAt: Map<number, number>;
}

/** Finds tokens that begin to match the presets of alerts. A changed token is compared once with each different filter. */
export function createPresetWatch({ index, context, found, filtersMax = FILTERS_MAX }: PresetWatchDeps) {
  const rules = new Map<string, PresetRule>();
  const filters = new Map<string, Filter>();
  const changes = createRowChanges(index, filters, (row, from) => {
    for (const { failed } of filters.values()) moveFailure(failed, row, from);
  });
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let last = context();

  /** Compares rows, and offers those that begin to match. `latestSince`: their alerts began by then, epoch ms; null: none is offered. */
  function search(
    filter: Filter,
    compared: Iterable<number>,
    now: FilterContext,
    { isFromStart, latestSince }: { isFromStart: boolean; latestSince(row: number): number | null },
  ): void {
    const rows = index.rows();
    compare(filter, rows, compared, now, (row) => {
      const latest = latestSince(row);
      const match = latest === null ? null : matchOf(filter, rows, row, now.now, latest);
      if (match !== null) found({ ...match, isFromStart });
    });
    filter.left = [];
  }

  /** Compares all rows. Those that match already cause no alert, except young ones at a start. */
  function begin(filter: Filter, isFromStart: boolean): void {
    const now = context();
    if (filters.size === 1) last = now;
    const { addresses, columns } = index.rows();
    search(filter, addresses.keys(), now, {
      isFromStart,
      latestSince(row) {
        const detectedAt = columns.figures.detected[row] ?? 0;
        return isFromStart && detectedAt >= now.now - START_AGE ? detectedAt : null;
      },
    });
    changes.start();
  }

  function advance(): void {
    if (!isReady || filters.size === 0) return;
    const now = context();
    const changed = changes.take([]);
    const isNewRate = now.solUsd !== last.solUsd;
    for (const filter of filters.values()) {
      const all = filter.followsRate && isNewRate ? index.rows().addresses.keys() : null;
      const compared = all ?? [...changed, ...changes.aged(filter, last.now, now.now)];
      search(filter, compared, now, { isFromStart: false, latestSince: () => now.now });
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
        for (const filter of filters.values()) begin(filter, true);
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

/** Compares rows with a filter. `onEnter`: a row begins to match. */
function compare(
  filter: Filter,
  rows: Rows,
  compared: Iterable<number>,
  context: FilterContext,
  onEnter: (row: number) => void,
): void {
  judgeRows(filter, rows, compared, context, {
    enter(row) {
      onEnter(row);
      return true;
    },
    failed: (row, compiled) => noteFailure(filter, row, compiled, rows),
  });
}

/**
 * Returns a row that begins to match at `at` with the alerts that began by `latestSince` (epoch ms) and that it has not matched before;
 * null without any.
 */
function matchOf(filter: Filter, rows: Rows, row: number, at: number, latestSince: number) {
  const { addresses, columns } = rows;
  const number = columns.figures.number[row] ?? 0;
  const before = filter.matchedAt.get(number) ?? Number.NEGATIVE_INFINITY;
  filter.matchedAt.delete(number);
  filter.matchedAt.set(number, at);
  for (const oldest of filter.matchedAt.keys()) {
    if (filter.matchedAt.size <= MATCHED_MAX) break;
    filter.matchedAt.delete(oldest);
  }
  const rules = [...filter.rules.values()].filter(
    ({ since, mutedUntil }) => since > before && since <= latestSince && mutedUntil <= at,
  );
  const address = addresses[row];
  if (address === undefined || rules.length === 0) return null;
  return { address, rules, condition: conditionOf(filter, filter.failed[row] ?? 0) };
}

function createFilter(list: string): Filter {
  return { ...createWatchedList(list), rules: new Map(), failed: new Uint8Array(0), matchedAt: new Map() };
}

function noteFailure(filter: Filter, row: number, compiled: RowFilter, rows: Rows): void {
  if (row >= filter.failed.length) {
    const grown = new Uint8Array(2 * row + 64);
    grown.set(filter.failed);
    filter.failed = grown;
  }
  filter.failed[row] = codeOf(failedBound(compiled, rows, row));
}

/** Moves the failure of the row `from` to the row that it takes. */
function moveFailure(failed: Uint8Array, row: number, from: number): void {
  if (row < failed.length) failed[row] = row === from ? 0 : (failed[from] ?? 0);
  if (from < failed.length) failed[from] = 0;
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
