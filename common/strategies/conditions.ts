import type { TokenHistory } from './history.ts';
import { valueAt } from './history.ts';
import { holdersFlaw, holdersMet, holdersWindow } from './holders.ts';
import { liquidityFlaw, liquidityMet, liquidityWindow } from './liquidity.ts';
import { allMet, anyMet, type Met } from './met.ts';
import { type Configuration, type StrategyFields, sectionOf } from './model.ts';
import { priceFlaw, priceMet, priceWindow } from './price.ts';
import { timeFlaw, timeMet, timeMoments } from './time.ts';

/** The part of a strategy that says when to buy. */
export type Conditions = Pick<StrategyFields, 'type' | 'configuration'>;

type Limit = number | null | undefined;

/** All of a strategy that decides about a purchase. Without a limit (null) everything is within it. */
export interface BuyPlan extends Conditions {
  /** SOL. */
  minLiquidity?: Limit;
  /** Percent, 0–100. */
  maxScamProbability?: Limit;
  isActive: boolean;
  /** Whether its user has a wallet. */
  hasWallet: boolean;
}

/** What a purchase depends on besides the token's history. */
export interface Candidate {
  /** Scam probability, percent 0–100; null when it is not known. */
  risk: number | null;
  /** Which of the user's lists it is on. */
  listed: 'white' | 'black' | null;
  /** Whether this strategy has bought it before: it does so once. */
  bought: boolean;
}

/** Whether to buy, and if not, why not. */
export type Decision =
  | 'buy'
  | 'inactive'
  | 'no-wallet'
  | 'already-bought'
  | 'blacklisted'
  /** The conditions can't be met any more for this token, or at all. */
  | 'never'
  /** The conditions are not met yet. */
  | 'waiting'
  /** The conditions need a value that is not known. */
  | 'unknown-value'
  | 'low-liquidity'
  | 'high-risk'
  | 'unknown-liquidity'
  | 'unknown-risk';

/** Whether a strategy's conditions are met at `now`, epoch ms. Points of `history` later than that are not looked at. */
export function conditionsMet(conditions: Conditions, history: TokenHistory, now: number): Met {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  const parts: Met[] = [];
  if (timeConfig) parts.push(timeMet(timeConfig, history, now));
  if (priceConfig) parts.push(priceMet(priceConfig, history, now));
  if (liquidityConfig) parts.push(liquidityMet(liquidityConfig, history, now));
  if (holderConfig) parts.push(holdersMet(holderConfig, history, now));
  return needsAll(conditions) ? allMet(parts) : anyMet(parts);
}

/**
 * Whether a strategy buys a token at `now` (epoch ms): its conditions are met, the liquidity is known and at least
 * `minLiquidity`, the risk is known and at most `maxScamProbability`, it is active, its user has a wallet and the token is
 * neither blacklisted nor bought already. Tokens of the whitelist skip the limit of the risk, and no other.
 */
export function wouldBuy(plan: BuyPlan, token: Candidate, history: TokenHistory, now: number): Decision {
  if (!plan.isActive) return 'inactive';
  if (!plan.hasWallet) return 'no-wallet';
  if (token.listed === 'black') return 'blacklisted';
  if (token.bought) return 'already-bought';
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
  const maxRisk = token.listed === 'white' ? null : (plan.maxScamProbability ?? null);
  // What is known to be beyond a limit is said first: then it does not matter what else is unknown.
  if (minLiquidity !== null && liquidity !== null && liquidity < minLiquidity) return 'low-liquidity';
  if (maxRisk !== null && token.risk !== null && token.risk > maxRisk) return 'high-risk';
  if (minLiquidity !== null && liquidity === null) return 'unknown-liquidity';
  if (maxRisk !== null && token.risk === null) return 'unknown-risk';
  return 'buy';
}

/** The sections that count: that of the strategy's type, or all of a mixed one. */
export function sections({ type, configuration }: Conditions): Omit<Configuration, 'requireAllConditions'> {
  if (type === 'mixed') return configuration;
  const name = sectionOf[type];
  return { [name]: configuration[name] };
}

/** Whether all sections have to be met, rather than any one. */
export function needsAll({ type, configuration }: Conditions): boolean {
  return type !== 'mixed' || configuration.requireAllConditions === true;
}

/** Why the sections that can never be met can't, in the order of the form. */
export function flaws(conditions: Conditions): string[] {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  const found = [
    timeConfig && timeFlaw(timeConfig),
    priceConfig && priceFlaw(priceConfig),
    liquidityConfig && liquidityFlaw(liquidityConfig),
    holderConfig && holdersFlaw(holderConfig),
  ];
  return found.filter((flaw) => typeof flaw === 'string');
}

/** How much history the conditions need, ms: what `withPoint` has to keep. */
export function windowOf(conditions: Conditions): number {
  const { priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  return Math.max(
    priceConfig ? priceWindow(priceConfig) : 0,
    liquidityConfig ? liquidityWindow(liquidityConfig) : 0,
    holderConfig ? holdersWindow(holderConfig) : 0,
  );
}

/**
 * Moments besides the points of a history at which the conditions may become met, epoch ms. There are no others: between
 * points values stay, and a window that moves on only loses what a change is measured from.
 */
export function momentsOf(conditions: Conditions, detectedAt: number): number[] {
  const { timeConfig } = sections(conditions);
  return timeConfig ? timeMoments(timeConfig, detectedAt) : [];
}
