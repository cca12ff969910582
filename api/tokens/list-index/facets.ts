import { MINUTE } from '../../../common/time.ts';
import { type FilterContext, type RangeField, rangeFields } from '../../../common/tokens/filters.ts';
import { FACET_BARS, type Facet, type Facets } from '../../../common/tokens/http.ts';
import { roundSignificant } from '../../../common/tokens/units.ts';
import {
  compileFilter,
  figureOfRow,
  HIDDEN,
  judgeRow,
  parseChoice,
  type RowChoice,
  type RowFilter,
} from './row-filter.ts';
import type { Rows } from './rows.ts';

/** Tokens listed within this time count as recent, ms. */
const RECENT = 10 * MINUTE;
/** Sources that are counted, at most: those with the most tokens. */
const MAX_SOURCES = 50;
/** The lowest bound of a rising scale is at most this part of the highest one. */
const SCALE = 1e-6;

/** Marks of a row beside the place of the one field that leaves it out. */
const PASSES = -1;
const BY_SOURCE = -2;
const OUT = -3;

/** Fields that are percentages: their bars are five percent wide. The others have bars that grow by the same factor. */
const percentFields: ReadonlySet<RangeField> = new Set([
  'curve',
  'risk',
  'checks',
  'developer',
  'topTen',
  'insiders',
  'bundle',
]);

/** Counts the rows that match a choice, and makes the histogram of each field from the rows that pass all other limits. */
export function facetsOf(rows: Rows, choice: RowChoice, context: FilterContext): Facets {
  const filter = compileFilter(rows, parseChoice(choice), context);
  const total = rows.addresses.length;
  const marks = new Int8Array(total);
  const { detected } = rows.columns.figures;
  const sources = new Map<string, number>();
  let matching = 0;
  let hidden = 0;
  let recent = 0;
  for (let row = 0; row < total; row += 1) {
    const mark = markOf(filter, rows, row);
    marks[row] = mark;
    if (mark !== PASSES && judgeRow(filter, rows, row) === HIDDEN) hidden += 1;
    if (mark === PASSES || mark === BY_SOURCE) {
      const source = rows.sources[row] ?? '';
      sources.set(source, (sources.get(source) ?? 0) + 1);
    }
    if (mark !== PASSES) continue;
    matching += 1;
    if (context.now - (detected[row] ?? 0) <= RECENT) recent += 1;
  }
  const fields: Facets['fields'] = {};
  for (const [place, field] of rangeFields.entries()) {
    const facet = facetOf(countedFigures(marks, place, figureOfRow(rows.columns, field, context)), field);
    if (facet.bounds.length > 0) fields[field] = facet;
  }
  return { total, matching, hidden, recent, fields, sources: mostFrequent(sources) };
}

/** Returns what leaves a row out when it is one limit alone: the place of a field, or its source; `OUT` for several limits. */
function markOf({ tests, sources, ranges, showsUnknown }: RowFilter, rows: Rows, row: number): number {
  for (const passes of tests) if (!passes(row)) return OUT;
  let mark = sources === null || sources.has(rows.sources[row] ?? '') ? PASSES : BY_SOURCE;
  for (const { place, figure, min, max } of ranges) {
    const value = figure(row);
    if (Number.isNaN(value) ? showsUnknown : value >= min && value <= max) continue;
    if (mark !== PASSES) return OUT;
    mark = place;
  }
  return mark;
}

/** Returns the known figures of the rows that no other limit leaves out, and the number of unknown ones. */
function countedFigures(marks: Int8Array, place: number, figure: (row: number) => number) {
  const known = new Float64Array(marks.length);
  let count = 0;
  let unknown = 0;
  for (let row = 0; row < marks.length; row += 1) {
    const mark = marks[row];
    if (mark !== PASSES && mark !== place) continue;
    const value = figure(row);
    if (Number.isNaN(value)) unknown += 1;
    else {
      known[count] = value;
      count += 1;
    }
  }
  return { known: known.subarray(0, count), unknown };
}

function facetOf({ known, unknown }: ReturnType<typeof countedFigures>, field: RangeField): Facet {
  const bounds = percentFields.has(field) ? percentBounds(known) : risingBounds(known);
  if (bounds.length === 0) return { unknown, bounds, bars: [] };
  // Typed arrays: the search runs once for each token and field.
  const lower = Float64Array.from(bounds);
  const bars = new Uint32Array(FACET_BARS);
  for (let place = 0; place < known.length; place += 1) {
    const bar = barOf(lower, known[place] ?? 0);
    bars[bar] = (bars[bar] ?? 0) + 1;
  }
  return { unknown, bounds, bars: [...bars] };
}

function percentBounds(known: Float64Array): number[] {
  if (known.length === 0) return [];
  return Array.from({ length: FACET_BARS + 1 }, (_, place) => (place * 100) / FACET_BARS);
}

/** Returns bounds from the lowest to the highest figure, each the same multiple of the one before; the first one may be 0. */
function risingBounds(known: Float64Array): number[] {
  if (known.length === 0) return [];
  let low = Number.POSITIVE_INFINITY;
  let lowest = Number.POSITIVE_INFINITY;
  let high = 0;
  for (let place = 0; place < known.length; place += 1) {
    const value = known[place] ?? 0;
    if (value < low) low = value;
    if (value > 0 && value < lowest) lowest = value;
    if (value > high) high = value;
  }
  // Figures that are all alike, or all 0, still get bars.
  high = high === 0 ? 1 : Math.max(high, lowest * 2);
  const first = Math.max(Math.min(lowest, high / 2), high * SCALE);
  // Figures below the scale share the first bar.
  const below = low < first ? [0] : [];
  const steps = FACET_BARS - below.length;
  const factor = (high / first) ** (1 / steps);
  return [...below, ...Array.from({ length: steps + 1 }, (_, place) => roundSignificant(first * factor ** place))];
}

/** Returns the bar of a figure: the last one whose lower bound is not above it. */
function barOf(bounds: Float64Array, value: number): number {
  let low = 0;
  let high = FACET_BARS - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bounds[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function mostFrequent(sources: ReadonlyMap<string, number>): Facets['sources'] {
  return [...sources]
    .map(([source, count]) => ({ source, count }))
    .sort((a, b) => b.count - a.count || (a.source < b.source ? -1 : 1))
    .slice(0, MAX_SOURCES);
}
