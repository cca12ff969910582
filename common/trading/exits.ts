import { z } from 'zod';
import { changePercent, hasFallen, hasRisen } from '../percent-change.ts';
import { type Exits, exitBounds } from './account.ts';

/**
 * When a position is sold by itself: one module for live positions, the preview and the replay. An exit is judged on every price,
 * oldest first, and on the time alone; the first one that fires is carried out.
 */

/** In this order: the first one that fires wins. The names are those of the orders' cause. */
export const exitKinds = ['stop loss', 'trailing stop', 'time', 'take profit', 'step'] as const;
export const exitKindSchema = z.enum(exitKinds);
export type ExitKind = z.infer<typeof exitKindSchema>;
/** As users read them. */
export const exitNames: Record<ExitKind, string> = {
  'stop loss': 'Stop loss',
  'trailing stop': 'Trailing stop',
  time: 'Time',
  'take profit': 'Take profit',
  step: 'Step',
};

/** The facts of a position that its exits depend on. */
export interface ExitState {
  /** Average price paid, SOL for one whole token; exits by price need it above 0. */
  entryPrice: number;
  /** Highest price since it was opened, at least the price paid. */
  peakPrice: number;
  /** Epoch ms. */
  openedAt: number;
  /** Rises (percent) of the steps that have fired. */
  stepsDone: readonly number[];
}

/** A sale by an exit. */
export interface FiredExit {
  kind: ExitKind;
  /** Part of the tokens held then, percent above 0; 100: the whole position. */
  sharePercent: number;
  /** Rises (percent) of the steps that it carries out; empty for another kind. */
  steps: number[];
}

/** Returns the highest price after a further one. */
export function peakAfter(peakPrice: number, price: number | null): number {
  return price === null ? peakPrice : Math.max(peakPrice, price);
}

/** Returns when a position is sold by time, epoch ms; null when it is not. */
export function exitDueAt({ maxHoldMs }: Exits, openedAt: number): number | null {
  return maxHoldMs === null ? null : openedAt + maxHoldMs;
}

/**
 * Returns the exit that fires at a price and a time (epoch ms); null when none does. Without a price only the time is judged.
 * The price counts for the peak as well.
 */
export function exitAt(exits: Exits, state: ExitState, price: number | null, at: number): FiredExit | null {
  const judged = state.entryPrice > 0 ? price : null;
  if (judged !== null) {
    if (isBelow(judged, state.entryPrice, exits.stopLossPercent)) return whole('stop loss');
    const peak = peakAfter(Math.max(state.peakPrice, state.entryPrice), judged);
    if (isBelow(judged, peak, exits.trailingPercent)) return whole('trailing stop');
  }
  const dueAt = exitDueAt(exits, state.openedAt);
  if (dueAt !== null && at >= dueAt) return whole('time');
  if (judged === null) return null;
  if (isAbove(judged, state.entryPrice, exits.takeProfitPercent)) return whole('take profit');
  return stepsAt(exits, state, judged);
}

/**
 * Returns the exit that is left to carry out when another one fires before the sale of the first has begun: the first sale of
 * everything stays, and shares add up.
 */
export function mergedExit(waiting: FiredExit | null, fired: FiredExit): FiredExit {
  if (waiting === null) return fired;
  if (waiting.sharePercent === 100) return waiting;
  if (fired.sharePercent === 100) return fired;
  const left = (1 - waiting.sharePercent / 100) * (1 - fired.sharePercent / 100);
  return { kind: 'step', sharePercent: shareOf(left), steps: [...waiting.steps, ...fired.steps] };
}

/** Returns how many base units an exit sells of those held, rounded down. */
export function exitTokens({ sharePercent }: Pick<FiredExit, 'sharePercent'>, held: bigint): bigint {
  return (held * BigInt(Math.round(sharePercent * SHARE_PARTS))) / BigInt(100 * SHARE_PARTS);
}

/** An exit along known prices: its time (epoch ms), its price (null when only the time made it fire), and the change in percent. */
export interface PastExit extends FiredExit {
  at: number;
  price: number | null;
  change: number | null;
}

/**
 * Returns the exits of a position along its prices since it was opened, oldest first, up to the one that sells all of it. Unknown
 * prices count for the time alone.
 */
export function exitsAlong(
  exits: Exits,
  { entryPrice, openedAt }: Pick<ExitState, 'entryPrice' | 'openedAt'>,
  prices: readonly { at: number; price: number | null }[],
): PastExit[] {
  const found: PastExit[] = [];
  const state = { entryPrice, openedAt, peakPrice: entryPrice, stepsDone: [] as number[] };
  for (const { at, price } of prices) {
    const fired = exitAt(exits, state, price, at);
    state.peakPrice = peakAfter(state.peakPrice, price);
    if (fired === null) continue;
    const change = price === null || entryPrice <= 0 ? null : changePercent(entryPrice, price);
    found.push({ ...fired, at, price, change });
    if (fired.sharePercent === 100) break;
    state.stepsDone.push(...fired.steps);
  }
  return found;
}

/** Returns whether any exit is set. */
export function hasExits(exits: Exits): boolean {
  const { stopLossPercent, trailingPercent, maxHoldMs, takeProfitPercent, steps } = exits;
  return (
    steps.length > 0 || [stopLossPercent, trailingPercent, maxHoldMs, takeProfitPercent].some((one) => one !== null)
  );
}

/** What decides the exits of positions that a plan opens. A rule has none of its own. */
export type ExitPlan =
  | { kind: 'rule' }
  | { kind: 'strategy'; stopLoss?: number | null | undefined; takeProfit?: number | null | undefined };

/**
 * Returns the exits of positions that a plan opens. A rule takes the user's default exits; a strategy has its own stop loss and take
 * profit (also when it has none), and takes the others.
 */
export function exitsOfPlan(plan: ExitPlan, defaults: Exits): Exits {
  if (plan.kind === 'rule') return defaults;
  return {
    ...defaults,
    stopLossPercent: limitOf(plan.stopLoss, exitBounds.stopLossPercent),
    takeProfitPercent: limitOf(plan.takeProfit, exitBounds.takeProfitPercent),
  };
}

const SHARE_PARTS = 10_000;

const whole = (kind: ExitKind): FiredExit => ({ kind, sharePercent: 100, steps: [] });

function isBelow(price: number, base: number, percent: number | null): boolean {
  return percent !== null && hasFallen(price, base, percent);
}

function isAbove(price: number, base: number, percent: number | null): boolean {
  return percent !== null && hasRisen(price, base, percent);
}

/** Returns one sale for all the steps that a price reaches: a price may jump over several. */
function stepsAt({ steps }: Exits, { entryPrice, stepsDone }: ExitState, price: number): FiredExit | null {
  const reached = steps.filter(
    ({ atPercent }) => !stepsDone.includes(atPercent) && hasRisen(price, entryPrice, atPercent),
  );
  if (reached.length === 0) return null;
  const left = reached.reduce((part, { sellPercent }) => part * (1 - sellPercent / 100), 1);
  return { kind: 'step', sharePercent: shareOf(left), steps: reached.map(({ atPercent }) => atPercent) };
}

/** Returns the percent that is sold when a part from 0 to 1 is left. */
function shareOf(left: number): number {
  return Math.round((1 - left) * 100 * SHARE_PARTS) / SHARE_PARTS;
}

/** Returns a limit of a strategy, which allows any amount, as an exit; null when it is no limit. */
function limitOf(percent: number | null | undefined, { min, max }: { min: number; max: number }): number | null {
  return percent == null || percent <= 0 ? null : Math.min(Math.max(percent, min), max);
}
