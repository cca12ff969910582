import type { AlertCondition } from '../../../common/alerts/cause.ts';
import type { AlertChannels } from '../../../common/alerts/rules/model.ts';
import { MINUTE } from '../../../common/time.ts';
import { type FilterContext, rangeFields } from '../../../common/tokens/filters.ts';
import type { ListIndex } from '../../tokens/list-index/list-index.ts';
import { failedBound, type RowBound, type RowFilter } from '../../tokens/list-index/row-filter.ts';
import { createRowChanges } from '../../tokens/live-lists/row-changes.ts';
import { createWatchedList, judgeRows, type RowJudge, type WatchedList } from '../../tokens/live-lists/watched-list.ts';

/** Different filters that are watched at once. Each needs two bytes a token. */
export const FILTERS_MAX = 1_000;
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

export type PresetWatch = ReturnType<typeof createPresetWatch>;

/** Finds tokens that begin to match the presets of alerts. A changed token is compared once with each different filter. */
export function createPresetWatch({ index, context, found, filtersMax = FILTERS_MAX }: PresetWatchDeps) {
  const rules = new Map<string, PresetRule>();
  const filters = new Map<string, Filter>();
  const changes = createRowChanges(index, filters, (row, from) => {
    for (const { failed } of filters.values()) {
      if (row < failed.length) failed[row] = row === from ? 0 : (failed[from] ?? 0);
      if (from < failed.length) failed[from] = 0;
    }
  });
  let isReady = false;
  let timer: NodeJS.Timeout | undefined;
  let last = context();

  /** Compares all rows. Those that match already cause no alert, except young ones at a start. */
  function begin(filter: Filter, isStart: boolean): void {
    const now = context();
    if (filters.size === 1) last = now;
    const { addresses, columns } = index.rows();
    compare(filter, addresses.keys(), now, (row) => {
      const detectedAt = columns.figures.detected[row] ?? 0;
      if (!isStart || detectedAt < now.now - START_AGE) return;
      offer(filter, row, now.now, { isFromStart: true, latestSince: detectedAt });
    });
    filter.left = [];
    changes.start();
  }

  function compare(filter: Filter, rows: Iterable<number>, now: FilterContext, onEnter: (row: number) => void): void {
    const judge: RowJudge = {
      enter(row) {
        onEnter(row);
        return true;
      },
      failed: (row, compiled) => noteFailure(filter, row, compiled, index.rows()),
    };
    judgeRows(filter, index.rows(), rows, now, judge);
  }

  /** Offers a row that begins to match to the alerts that it has not matched before. `latestSince`: they began by then, epoch ms. */
  function offer(filter: Filter, row: number, at: number, start: { isFromStart: boolean; latestSince: number }): void {
    const { addresses, columns } = index.rows();
    const number = columns.figures.number[row] ?? 0;
    const before = filter.matchedAt.get(number) ?? Number.NEGATIVE_INFINITY;
    filter.matchedAt.delete(number);
    filter.matchedAt.set(number, at);
    for (const oldest of filter.matchedAt.keys()) {
      if (filter.matchedAt.size <= MATCHED_MAX) break;
      filter.matchedAt.delete(oldest);
    }
    const concerned = [...filter.rules.values()].filter(
      ({ since, mutedUntil }) => since > before && since <= start.latestSince && mutedUntil <= at,
    );
    const address = addresses[row];
    if (address === undefined || concerned.length === 0) return;
    const condition = conditionOf(filter, filter.failed[row] ?? 0);
    found({ address, rules: concerned, condition, isFromStart: start.isFromStart });
  }

  function advance(): void {
    if (!isReady || filters.size === 0) return;
    const now = context();
    const changed = changes.take([]);
    for (const filter of filters.values()) {
      const rows =
        filter.followsRate && now.solUsd !== last.solUsd
          ? index.rows().addresses.keys()
          : [...changed, ...changes.aged(filter, last.now, now.now)];
      compare(filter, rows, now, (row) => offer(filter, row, now.now, { isFromStart: false, latestSince: now.now }));
      filter.left = [];
    }
    last = now;
  }

  function leave({ id, list }: PresetRule): void {
    const filter = filters.get(list);
    rules.delete(id);
    filter?.rules.delete(id);
    if (filter === undefined || filter.rules.size > 0) return;
    filters.delete(list);
    if (filters.size === 0) changes.stop();
  }

  return {
    rule: (id: string): PresetRule | undefined => rules.get(id),
    /** Adds or replaces an alert. Does nothing when too many different filters are watched. */
    put(rule: PresetRule): void {
      const before = rules.get(rule.id);
      if (before !== undefined && before.list !== rule.list) leave(before);
      const known = filters.get(rule.list);
      if (known === undefined && filters.size >= filtersMax) return;
      const filter = known ?? createFilter(rule.list);
      filter.rules.set(rule.id, rule);
      rules.set(rule.id, rule);
      if (known !== undefined) return;
      filters.set(rule.list, filter);
      if (isReady) begin(filter, false);
    },
    remove(id: string): void {
      const rule = rules.get(id);
      if (rule !== undefined) leave(rule);
    },
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

function createFilter(list: string): Filter {
  return { ...createWatchedList(list), rules: new Map(), failed: new Uint8Array(0), matchedAt: new Map() };
}

function noteFailure(filter: Filter, row: number, compiled: RowFilter, rows: ReturnType<ListIndex['rows']>): void {
  if (row >= filter.failed.length) {
    const grown = new Uint8Array(2 * row + 64);
    grown.set(filter.failed);
    filter.failed = grown;
  }
  filter.failed[row] = codeOf(failedBound(compiled, rows, row));
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
