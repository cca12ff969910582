import { SECOND } from '../time.ts';
import type { TokenHistory } from './history.ts';
import { valueAt } from './history.ts';
import { allMet, anyMet, type Met } from './met.ts';
import { type Configuration, type StrategyFields, sectionOf } from './model.ts';
import { timeFlaw, timeMet, timeMoments } from './time.ts';
import { type ValueConfig, valueFlaw, valueMet, valueWindow } from './values.ts';

/** The conditions of a strategy. */
export type Conditions = Pick<StrategyFields, 'type' | 'configuration'>;

type Limit = number | null | undefined;

/** The part of a strategy that decides about a purchase. A null limit is not checked. */
export interface BuyPlan extends Conditions {
  /** SOL. */
  minLiquidity?: Limit;
  /** Percent, 0–100. */
  maxScamProbability?: Limit;
  /** Whether an unknown risk is no obstacle. */
  buyUnknownRisk: boolean;
  /** Seconds since the detection. */
  buyWithinSeconds?: Limit;
  isActive: boolean;
  /** Whether the user has a wallet. */
  hasWallet: boolean;
}

/** Properties of a token, besides its history, that decide about a purchase. */
export interface Candidate {
  /** Scam probability, percent 0–100; null when unknown. */
  risk: number | null;
  /** The user's list with this token. */
  listed: 'white' | 'black' | null;
  /** Whether this strategy has already bought it; it buys a token once. */
  bought: boolean;
}

/** `buy`, or the reason against it. */
export type Decision =
  | 'buy'
  | 'inactive'
  | 'no-wallet'
  | 'already-bought'
  | 'blacklisted'
  /** The conditions can no longer be met for this token. */
  | 'never'
  /** The token was detected too long ago for this plan. */
  | 'too-late'
  /** The conditions are not met yet. */
  | 'waiting'
  /** The conditions need a value that is unknown. */
  | 'unknown-value'
  | 'low-liquidity'
  | 'high-risk'
  | 'unknown-liquidity'
  | 'unknown-risk';

/** Returns whether a token that was detected at `detectedAt` is too old at `now` (both epoch ms) for a plan with this limit. */
export function isTooLate(buyWithin: Limit, detectedAt: number, now: number): boolean {
  return buyWithin != null && now - detectedAt > buyWithin * SECOND;
}

/** Evaluates a strategy's conditions at `now`, epoch ms. Later points of `history` are ignored. */
export function conditionsMet(conditions: Conditions, history: TokenHistory, now: number): Met {
  const { timeConfig } = sections(conditions);
  const parts: Met[] = timeConfig ? [timeMet(timeConfig, history, now)] : [];
  for (const config of valueConfigs(conditions)) parts.push(valueMet(config, history, now));
  return needsAll(conditions) ? allMet(parts) : anyMet(parts);
}

/**
 * Decides whether a strategy buys a token at `now` (epoch ms): its conditions are met, the liquidity is known and at least
 * `minLiquidity`, the risk is at most `maxScamProbability`, it is active, its user has a wallet, and the token is neither
 * blacklisted nor already bought, nor detected more than `buyWithinSeconds` ago. An unknown risk counts as too high, with or
 * without a limit, unless the plan allows it.
 * Whitelisted tokens may have any risk; no other limit is lifted for them.
 */
export function wouldBuy(plan: BuyPlan, token: Candidate, history: TokenHistory, now: number): Decision {
  if (!plan.isActive) return 'inactive';
  if (!plan.hasWallet) return 'no-wallet';
  if (token.listed === 'black') return 'blacklisted';
  if (token.bought) return 'already-bought';
  if (isTooLate(plan.buyWithinSeconds, history.detectedAt, now)) return 'too-late';
  const met = conditionsMet(plan, history, now);
  switch (met) {
    case 'never':
    case 'waiting':
      return met;
    case 'unknown':
      return 'unknown-value';
    case 'met':
      return withinLimits(plan, token, valueAt(history, 'liquidity', now));
  }
}

function withinLimits(plan: BuyPlan, token: Candidate, liquidity: number | null): Decision {
  const minLiquidity = plan.minLiquidity ?? null;
  const anyRisk = token.listed === 'white';
  const maxRisk = plan.maxScamProbability ?? null;
  // A missed limit is reported before an unknown value, which then does not matter.
  if (minLiquidity !== null && liquidity !== null && liquidity < minLiquidity) return 'low-liquidity';
  if (!anyRisk && maxRisk !== null && token.risk !== null && token.risk > maxRisk) return 'high-risk';
  if (minLiquidity !== null && liquidity === null) return 'unknown-liquidity';
  if (!anyRisk && token.risk === null && !plan.buyUnknownRisk) return 'unknown-risk';
  return 'buy';
}

/** Returns the effective sections: the section of the type, or all sections of a mixed strategy. */
export function sections({ type, configuration }: Conditions): Omit<Configuration, 'requireAllConditions'> {
  if (type === 'mixed') return configuration;
  const name = sectionOf[type];
  return { [name]: configuration[name] };
}

/** Returns the effective sections about a value, in the order of the form. */
export function valueConfigs(conditions: Conditions): ValueConfig[] {
  const { priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  return [priceConfig, liquidityConfig, holderConfig].filter((config) => config !== undefined);
}

/** Returns true when all sections must be met, rather than any one. */
export function needsAll({ type, configuration }: Conditions): boolean {
  return type !== 'mixed' || configuration.requireAllConditions === true;
}

/** Returns the flaws of sections that can never be met, in the order of the form. */
export function flaws(conditions: Conditions): string[] {
  const { timeConfig } = sections(conditions);
  const found = [timeConfig && timeFlaw(timeConfig), ...valueConfigs(conditions).map(valueFlaw)];
  return found.filter((flaw) => typeof flaw === 'string');
}

/** Returns the length of history that the conditions need, ms, for `withPoint`. */
export function windowOf(conditions: Conditions): number {
  return Math.max(0, ...valueConfigs(conditions).map(valueWindow));
}

/**
 * Returns the moments between the points of a history when the conditions may become met, epoch ms. There are no
 * others: values are constant between points, and a moving window only drops the base of a change.
 */
export function momentsOf(conditions: Conditions, detectedAt: number): number[] {
  const { timeConfig } = sections(conditions);
  return timeConfig ? timeMoments(timeConfig, detectedAt) : [];
}
