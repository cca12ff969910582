import { type Conditions, needsAll, sections } from '../../../../common/strategies/conditions.ts';
import { timeFlaw } from '../../../../common/strategies/time.ts';
import { comparisonOf, type ValueConfig, valueFlaw } from '../../../../common/strategies/values.ts';
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

type Option = ValueConfig['option'];

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
  const values = [
    { bit: SECTION.price, config: priceConfig },
    { bit: SECTION.liquidity, config: liquidityConfig },
    { bit: SECTION.holders, config: holderConfig },
  ];
  let isFlawed = timeConfig !== undefined && timeFlaw(timeConfig) !== null;
  let bits: number = timeConfig && !isFlawed ? SECTION.time : 0;
  for (const { bit, config } of values) {
    if (config === undefined) continue;
    if (valueFlaw(config) === null) {
      bits |= bit;
      addValue(config, plan, add);
    } else isFlawed = true;
  }
  return { bits, isFlawed };
}

function addValue(config: ValueConfig, plan: number, add: Add): void {
  const compared = comparisonOf(config);
  if ('target' in compared) add(config.option, plan, compared.target);
  else add(config.option, plan, compared.percent, compared.seconds ?? 0);
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
