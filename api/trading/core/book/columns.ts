import { type Conditions, needsAll, sections } from '../../../../common/strategies/conditions.ts';
import { holdersFlaw } from '../../../../common/strategies/holders.ts';
import { liquidityFlaw } from '../../../../common/strategies/liquidity.ts';
import type { HolderConfig, LiquidityConfig, PriceConfig } from '../../../../common/strategies/model.ts';
import { priceFlaw } from '../../../../common/strategies/price.ts';
import { timeFlaw } from '../../../../common/strategies/time.ts';
import { type TimeSpan, timeSpanOf } from './time-spans.ts';

/** Sections of a plan as bits. */
export const SECTION = { time: 1, price: 2, liquidity: 4, holders: 8 } as const;

/** Conditions that wait for a figure to reach a limit, nearest first: a walk may end at the first that is not met. */
export interface LimitColumn {
  /** Limits, or percentages. */
  limits: Float64Array;
  plans: Int32Array;
}

/** Conditions that wait for a change within a window, shortest window first. */
export interface WindowColumn {
  /** ms. */
  windows: Float64Array;
  percents: Float64Array;
  plans: Int32Array;
  /** Longest window, ms; 0 without a condition. */
  longest: number;
}

/** Plans, compiled into columns by what their conditions wait for. A plan is named by its index in the given list. */
export interface Columns {
  count: number;
  atMostPrice: LimitColumn;
  aboveLow: LimitColumn;
  priceRise: WindowColumn;
  priceFall: WindowColumn;
  leastLiquidity: LimitColumn;
  liquidityRise: WindowColumn;
  liquidityFall: WindowColumn;
  leastHolders: LimitColumn;
  holdersRise: WindowColumn;
  /** By plan: the sections that must be met, 0 when any one is enough, and `NEVER` when it can't be met. */
  needed: Uint8Array;
  /** By plan: its time condition, when it can be met. */
  times: (TimeSpan | null)[];
  /** Plans that time alone can complete. */
  timed: Int32Array;
}

/** More than all sections. */
export const NEVER = 255;

interface Entry {
  plan: number;
  limit: number;
  window: number;
}

type Option = PriceConfig['option'] | LiquidityConfig['option'] | HolderConfig['option'];

/** Sections of a plan that can be met, and whether one of them can't. */
interface Compiled {
  bits: number;
  isFlawed: boolean;
}

/** Compiles plans. Sections that can never be met are left out, as `conditionsMet` treats them. */
export function compile(plans: readonly Conditions[]): Columns {
  const entries = new Map<Option, Entry[]>();
  const add: Add = (option, plan, limit = 0, seconds = 0) => {
    const list = entries.get(option) ?? [];
    entries.set(option, list);
    list.push({ plan, limit, window: seconds * 1000 });
  };
  const needed = Uint8Array.from(plans, (conditions, plan) => neededOf(conditions, addSections(conditions, plan, add)));
  const times = plans.map((conditions) => {
    const { timeConfig } = sections(conditions);
    return timeConfig ? timeSpanOf(timeConfig) : null;
  });
  const limits = (option: Option, order: 1 | -1) => limitColumn(entries.get(option) ?? [], order);
  const windows = (option: Option) => windowColumn(entries.get(option) ?? []);
  return {
    count: plans.length,
    atMostPrice: limits('buy_at_fixed_price', -1),
    aboveLow: limits('buy_at_percentage_from_low', 1),
    priceRise: windows('buy_at_uptrend'),
    priceFall: windows('buy_at_downtrend'),
    leastLiquidity: limits('buy_at_minimum_liquidity', 1),
    liquidityRise: windows('buy_at_liquidity_increase'),
    liquidityFall: windows('buy_at_liquidity_decrease'),
    leastHolders: limits('buy_at_minimum_holders', 1),
    holdersRise: windows('buy_at_holder_increase_rate'),
    needed,
    times,
    timed: Int32Array.from(times.flatMap((time, plan) => (time === null || needed[plan] === NEVER ? [] : plan))),
  };
}

type Add = (option: Option, plan: number, limit?: number, seconds?: number) => void;

/** Returns the sections that must be met, 0 when any one is enough, and `NEVER` when none can complete the plan. */
function neededOf(conditions: Conditions, { bits, isFlawed }: Compiled): number {
  if (!needsAll(conditions)) return bits === 0 ? NEVER : 0;
  return bits === 0 || isFlawed ? NEVER : bits;
}

/** Adds the sections of a plan that can be met to the columns. */
function addSections(conditions: Conditions, plan: number, add: Add): Compiled {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  const flaws = [
    timeConfig && { bit: SECTION.time, flaw: timeFlaw(timeConfig) },
    priceConfig && { bit: SECTION.price, flaw: priceFlaw(priceConfig) },
    liquidityConfig && { bit: SECTION.liquidity, flaw: liquidityFlaw(liquidityConfig) },
    holderConfig && { bit: SECTION.holders, flaw: holdersFlaw(holderConfig) },
  ].filter((section) => section !== undefined);
  const bits = flaws.reduce((sum, { bit, flaw }) => (flaw === null ? sum | bit : sum), 0);
  if (priceConfig && bits & SECTION.price) addPrice(priceConfig, plan, add);
  if (liquidityConfig && bits & SECTION.liquidity) addLiquidity(liquidityConfig, plan, add);
  if (holderConfig && bits & SECTION.holders) addHolders(holderConfig, plan, add);
  return { bits, isFlawed: flaws.some(({ flaw }) => flaw !== null) };
}

function addPrice(config: PriceConfig, plan: number, add: Add): void {
  const { option, targetPrice, percentageFromLow, trendPercentage, trendDuration } = config;
  if (option === 'buy_at_fixed_price') add(option, plan, targetPrice);
  else if (option === 'buy_at_percentage_from_low') add(option, plan, percentageFromLow);
  else add(option, plan, trendPercentage, trendDuration);
}

function addLiquidity(config: LiquidityConfig, plan: number, add: Add): void {
  const { option, targetLiquidity, percentageChange, monitorDuration } = config;
  if (option === 'buy_at_minimum_liquidity') add(option, plan, targetLiquidity);
  else add(option, plan, percentageChange, monitorDuration);
}

function addHolders(config: HolderConfig, plan: number, add: Add): void {
  const { option, minHolders, increaseRatePercentage, monitorDuration } = config;
  if (option === 'buy_at_minimum_holders') add(option, plan, minHolders);
  else add(option, plan, increaseRatePercentage, monitorDuration);
}

function limitColumn(entries: readonly Entry[], order: 1 | -1): LimitColumn {
  const sorted = entries.toSorted((a, b) => order * (a.limit - b.limit));
  return {
    limits: Float64Array.from(sorted, ({ limit }) => limit),
    plans: Int32Array.from(sorted, ({ plan }) => plan),
  };
}

function windowColumn(entries: readonly Entry[]): WindowColumn {
  const sorted = entries.toSorted((a, b) => a.window - b.window);
  return {
    windows: Float64Array.from(sorted, ({ window }) => window),
    percents: Float64Array.from(sorted, ({ limit }) => limit),
    plans: Int32Array.from(sorted, ({ plan }) => plan),
    longest: sorted.at(-1)?.window ?? 0,
  };
}
