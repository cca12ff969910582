import {
  type FilterContext,
  type ParsedFilter,
  parseFilter,
  passesWords,
  type Range,
  type RangeField,
  rangeFields,
  type TokenFilter,
} from '../../../common/tokens/filters.ts';
import { type ListFilter, NEW_FOR, RISKY_ABOVE, SAFE_BELOW } from '../../../common/tokens/lists.ts';
import { matchesSearch, searchWords } from '../../../common/tokens/text/search.ts';
import { COPY, type Columns, IN_POOL, LATER_TWIN, MIGHT_RUN, RUNNER } from './columns.ts';
import type { Rows } from './rows.ts';

/** What decides which rows a list has. */
export interface RowChoice extends TokenFilter {
  filter?: ListFilter | undefined;
  q?: string | undefined;
  /** Earliest creation or detection, epoch ms; missing: any. */
  since?: number | undefined;
}

/** Results of a filter: `HIDDEN` rows would match if unknown figures were shown. */
export const NO_MATCH = 0;
export const HIDDEN = 1;
export const MATCH = 2;
export type RowVerdict = typeof NO_MATCH | typeof HIDDEN | typeof MATCH;

type Test = (row: number) => boolean;
type FigureOfRow = (row: number) => number;

/** A range of a filter over the rows: its field, as a place in `rangeFields`, its figures, NaN while unknown, and its bounds. */
export interface RowRange {
  place: number;
  figure: FigureOfRow;
  min: number;
  max: number;
}

/** A filter whose texts are parsed and whose columns are found, for one scan. */
export interface RowFilter {
  /** Tests of everything but source and ranges, cheapest first. */
  tests: readonly Test[];
  /** Null: every source. */
  sources: ReadonlySet<string> | null;
  ranges: readonly RowRange[];
  showsUnknown: boolean;
}

/** A choice whose texts are parsed, for many scans. */
export interface ParsedChoice extends Pick<RowChoice, 'filter' | 'since'>, ParsedFilter {
  words: readonly string[];
}

export function parseChoice({ filter, since, q, ...limits }: RowChoice): ParsedChoice {
  return { ...parseFilter(limits), filter, since, words: q === undefined ? [] : searchWords(q) };
}

/** Compiles a choice for the rows as they are: a row that is added meanwhile may need other columns. */
export function compileFilter(rows: Rows, choice: ParsedChoice, context: FilterContext): RowFilter {
  const { sources, showsUnknown } = choice;
  const ranges = choice.ranges.map(([field, range]) => rowRange(rows.columns, field, range, context));
  return { tests: testsOf(rows, choice, context.now), sources, ranges, showsUnknown };
}

/** Returns the verdict of a filter on a row, equal to `judgeFilter` of its token. */
export function judgeRow({ tests, sources, ranges, showsUnknown }: RowFilter, rows: Rows, row: number): RowVerdict {
  for (const passes of tests) if (!passes(row)) return NO_MATCH;
  if (sources !== null && !sources.has(rows.sources[row] ?? '')) return NO_MATCH;
  let verdict: RowVerdict = MATCH;
  for (const { figure, min, max } of ranges) {
    const value = figure(row);
    if (value < min || value > max) return NO_MATCH;
    if (Number.isNaN(value) && !showsUnknown) verdict = HIDDEN;
  }
  return verdict;
}

/** A bound of a range, as its place in `rangeFields`. */
export interface RowBound {
  place: number;
  isMax: boolean;
}

/** Returns the first bound that a row fails, also by an unknown figure; null when it fails something else, or nothing. */
export function failedBound(
  { tests, sources, ranges, showsUnknown }: RowFilter,
  rows: Rows,
  row: number,
): RowBound | null {
  if (!tests.every((passes) => passes(row)) || (sources !== null && !sources.has(rows.sources[row] ?? ''))) return null;
  for (const { place, figure, min, max } of ranges) {
    const value = figure(row);
    if (value < min || (Number.isNaN(value) && !showsUnknown && min > Number.NEGATIVE_INFINITY))
      return { place, isMax: false };
    if (value > max || (Number.isNaN(value) && !showsUnknown)) return { place, isMax: true };
  }
  return null;
}

function testsOf(rows: Rows, choice: ParsedChoice, now: number): Test[] {
  const { columns, texts } = rows;
  const { detected } = columns.figures;
  const { filter, since, words, hidesCopies, stage, include, exclude } = choice;
  const tests: Test[] = [];
  if (filter !== undefined) tests.push(namedTest(columns, filter, now));
  if (since !== undefined) tests.push((row) => (detected[row] ?? 0) >= since);
  if (hidesCopies) tests.push((row) => ((columns.flags[row] ?? 0) & (COPY | LATER_TWIN)) === 0);
  if (stage !== null) {
    const wanted = stage === 'pool' ? IN_POOL : 0;
    tests.push((row) => ((columns.flags[row] ?? 0) & IN_POOL) === wanted);
  }
  if (words.length > 0) tests.push((row) => matchesSearch(texts[row] ?? '', words));
  if (include.length + exclude.length > 0) tests.push((row) => passesWords(choice, texts[row] ?? ''));
  return tests;
}

function namedTest({ figures, flags }: Columns, filter: ListFilter, now: number): Test {
  // A comparison with NaN, the unknown value, is false.
  switch (filter) {
    case 'new':
      return (row) => now - (figures.createdAt[row] ?? Number.NaN) <= NEW_FOR;
    case 'runners':
      return (row) => ((flags[row] ?? 0) & RUNNER) !== 0;
    case 'might-run':
      return (row) => ((flags[row] ?? 0) & MIGHT_RUN) !== 0;
    case 'risky':
      return (row) => (figures.risk[row] ?? Number.NaN) > RISKY_ABOVE;
    case 'safe':
      return (row) => (figures.risk[row] ?? Number.NaN) < SAFE_BELOW;
  }
}

function rowRange(columns: Columns, field: RangeField, { min, max }: Range, context: FilterContext): RowRange {
  return {
    place: rangeFields.indexOf(field),
    figure: figureOfRow(columns, field, context),
    min: min ?? Number.NEGATIVE_INFINITY,
    max: max ?? Number.POSITIVE_INFINITY,
  };
}

/** Returns the figure of a field by row, equal to `figureOf` of its token; NaN while unknown. */
export function figureOfRow({ figures }: Columns, field: RangeField, { now, solUsd }: FilterContext): FigureOfRow {
  const { price, highestPrice, supply, detected } = figures;
  const highest: FigureOfRow = (row) => {
    const [present, past] = [price[row] ?? Number.NaN, highestPrice[row] ?? Number.NaN];
    if (Number.isNaN(past)) return present;
    return present > past ? present : past;
  };
  switch (field) {
    case 'age':
      return (row) => (now - (detected[row] ?? 0)) / 1_000;
    case 'marketCapSol':
      return (row) => (price[row] ?? Number.NaN) * (supply[row] ?? Number.NaN);
    case 'highestCapSol':
      return (row) => highest(row) * (supply[row] ?? Number.NaN);
    case 'highestCap': {
      const rate = solUsd ?? Number.NaN;
      return (row) => highest(row) * (supply[row] ?? Number.NaN) * rate;
    }
    default: {
      const column = figures[field];
      return (row) => column[row] ?? Number.NaN;
    }
  }
}
