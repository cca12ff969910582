import { hasFallen, hasRisen } from '../../../../common/percent-change.ts';
import type { Conditions } from '../../../../common/strategies/conditions.ts';
import { type Columns, compile, type LimitColumn, NEVER, SECTION, type WindowColumn } from './columns.ts';
import { Extremes } from './extremes.ts';
import { isWithin } from './time-spans.ts';

/** Figures of a token that plans wait for. SOL and wallets; null is unknown. */
export interface Figures {
  price: number | null;
  liquidity: number | null;
  holders: number | null;
}

/** Figures of one token, with the extremes that windows ask for. */
export class TokenFigures {
  price: number | null = null;
  liquidity: number | null = null;
  holders: number | null = null;
  /** Lowest price above 0 since the detection; Infinity without one. */
  low = Number.POSITIVE_INFINITY;
  readonly priceLows = new Extremes(1);
  readonly priceHighs = new Extremes(-1);
  readonly liquidityLows = new Extremes(1);
  readonly liquidityHighs = new Extremes(-1);
  readonly holderLows = new Extremes(1);

  /** Epoch ms; no earlier figure may be pushed. */
  readonly detectedAt: number;

  constructor(detectedAt: number) {
    this.detectedAt = detectedAt;
  }
}

/** Many plans that are asked at once which of them a token meets. */
export interface Book {
  /** Sets the figures of a token from `at` (epoch ms, not before the last one) on. */
  push(token: TokenFigures, at: number, figures: Figures): void;
  /** Returns the indexes of the plans whose conditions a token meets at `now`; as `conditionsMet` would, for each plan. */
  met(token: TokenFigures, now: number): number[];
  /** The same, without plans that time alone completed. Cheaper, as no plan is looked at that waits for time only. */
  metByFigures(token: TokenFigures, now: number): number[];
}

/** Compiles plans into a book. `keptMs`: windows up to this length are kept for plans to come. */
export function createBook(plans: readonly Conditions[], keptMs = 0): Book {
  const columns = compile(plans);
  const longest = (column: WindowColumn) => Math.max(column.longest, keptMs);
  const [priceRise, priceFall] = [longest(columns.priceRise), longest(columns.priceFall)];
  const [liquidityRise, liquidityFall] = [longest(columns.liquidityRise), longest(columns.liquidityFall)];
  const holdersRise = longest(columns.holdersRise);
  const sections = createMetSections(columns.count);

  function evaluate(token: TokenFigures, now: number, isTimed: boolean): number[] {
    notePrice(columns, sections.note, token, now);
    noteLiquidity(columns, sections.note, token, now);
    noteHolders(columns, sections.note, token, now);
    if (isTimed) {
      for (const plan of columns.timed) if (isTimeMet(columns, plan, token, now)) sections.note(plan, SECTION.time);
    }
    return sections.take((plan, bits) => isComplete(columns, plan, bits, token, now));
  }

  return {
    push(token, at, { price, liquidity, holders }) {
      token.price = price;
      if (price !== null && price > 0 && price < token.low) token.low = price;
      token.priceLows.push(at, price, priceRise);
      token.priceHighs.push(at, price, priceFall);
      if (liquidity !== token.liquidity) {
        token.liquidity = liquidity;
        token.liquidityLows.push(at, liquidity, liquidityRise);
        token.liquidityHighs.push(at, liquidity, liquidityFall);
      }
      if (holders !== token.holders) {
        token.holders = holders;
        token.holderLows.push(at, holders, holdersRise);
      }
    },
    met: (token, now) => evaluate(token, now, true),
    metByFigures: (token, now) => evaluate(token, now, false),
  };
}

type Note = (plan: number, section: number) => void;

/** Collects the met sections of each plan during one evaluation. */
function createMetSections(count: number): {
  note: Note;
  /** Returns the plans with a met section that are complete, and forgets all sections. */
  take(isCompleteWith: (plan: number, bits: number) => boolean): number[];
} {
  const bits = new Uint8Array(count);
  const touched: number[] = [];
  return {
    note(plan, section) {
      if (bits[plan] === 0) touched.push(plan);
      bits[plan] = (bits[plan] ?? 0) | section;
    },
    take(isCompleteWith) {
      const met = touched.filter((plan) => isCompleteWith(plan, bits[plan] ?? 0));
      for (const plan of touched) bits[plan] = 0;
      touched.length = 0;
      return met;
    },
  };
}

function isComplete(columns: Columns, plan: number, bits: number, token: TokenFigures, now: number): boolean {
  const needed = columns.needed[plan] ?? NEVER;
  if (needed === NEVER) return false;
  if (needed === 0 || (bits & needed) === needed) return true;
  return (bits | SECTION.time) === needed && isTimeMet(columns, plan, token, now);
}

function notePrice(
  columns: Columns,
  note: Note,
  { price, low, priceLows, priceHighs }: TokenFigures,
  now: number,
): void {
  if (price === null) return;
  noteLimits(columns.atMostPrice, (limit) => price <= limit, note, SECTION.price);
  if (low < Number.POSITIVE_INFINITY) {
    noteLimits(columns.aboveLow, (percent) => hasRisen(price, low, percent), note, SECTION.price);
  }
  noteWindows(columns.priceRise, priceLows, { value: price, now, sign: 1 }, note, SECTION.price);
  noteWindows(columns.priceFall, priceHighs, { value: price, now, sign: -1 }, note, SECTION.price);
}

function noteLiquidity(columns: Columns, note: Note, token: TokenFigures, now: number): void {
  const { liquidity, liquidityLows, liquidityHighs } = token;
  if (liquidity === null) return;
  noteLimits(columns.leastLiquidity, (limit) => liquidity >= limit, note, SECTION.liquidity);
  noteWindows(columns.liquidityRise, liquidityLows, { value: liquidity, now, sign: 1 }, note, SECTION.liquidity);
  noteWindows(columns.liquidityFall, liquidityHighs, { value: liquidity, now, sign: -1 }, note, SECTION.liquidity);
}

function noteHolders(columns: Columns, note: Note, { holders, holderLows }: TokenFigures, now: number): void {
  if (holders === null) return;
  noteLimits(columns.leastHolders, (limit) => holders >= limit, note, SECTION.holders);
  noteWindows(columns.holdersRise, holderLows, { value: holders, now, sign: 1 }, note, SECTION.holders);
}

function noteLimits(column: LimitColumn, isMet: (limit: number) => boolean, note: Note, section: number): void {
  const { limits, plans } = column;
  for (let index = 0; index < limits.length; index += 1) {
    if (!isMet(limits[index] ?? 0)) return;
    note(plans[index] ?? 0, section);
  }
}

/** One walk from the longest window and the oldest entry serves all windows. */
function noteWindows(
  column: WindowColumn,
  extremes: Extremes,
  { value, now, sign }: { value: number; now: number; sign: 1 | -1 },
  note: Note,
  section: number,
): void {
  const { until } = extremes;
  let entry = extremes.first;
  for (let index = column.windows.length - 1; index >= 0; index -= 1) {
    const begin = now - (column.windows[index] ?? 0);
    while (entry < until.length && (until[entry] ?? 0) <= begin) entry += 1;
    const base = baseOf(extremes.values[entry], value, sign);
    if (base > 0 && hasChanged(value, base, column.percents[index] ?? 0, sign)) {
      note(column.plans[index] ?? 0, section);
    }
  }
}

/** Returns the extreme of a window: of the values before the present one, and of that one. A value of 0 is no base. */
function baseOf(before: number | undefined, value: number, sign: 1 | -1): number {
  return before === undefined || (value > 0 && sign * value < sign * before) ? value : before;
}

function hasChanged(value: number, base: number, percent: number, sign: 1 | -1): boolean {
  return sign > 0 ? hasRisen(value, base, percent) : hasFallen(value, base, percent);
}

function isTimeMet({ times }: Columns, plan: number, { detectedAt }: TokenFigures, now: number): boolean {
  const time = times[plan];
  return time != null && isWithin(time, detectedAt, now);
}
