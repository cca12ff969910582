import { BPS } from '../../../../common/trading/amounts.ts';
import type { Reason } from '../../../../common/trading/reasons.ts';
import type { CorePlan, CorePrice } from '../model.ts';
import { codeOf } from '../state/pairs.ts';
import { noGates, type TrackedToken } from '../state/tokens.ts';

/** Share of the depth that an impact needs by a first estimate, from which on it is computed exactly. */
const NEAR = 0.9;
const stages = ['curve', 'complete', 'pool'];

/** Returns which inputs of guards are known, and of which kind, as a number that changes with each of them. */
function inputsOf({ figures, price, facts }: TrackedToken, isLive: boolean): number {
  const reserves = price?.reserves;
  const hasDepth = reserves && Math.min(reserves.virtualQuote, reserves.virtualToken, reserves.realToken) > 0;
  const flags = [
    isLive,
    figures.liquidity !== null,
    hasDepth,
    price?.venue === 'pool',
    facts !== null,
    facts?.risk != null,
    facts?.quote === 'SOL',
    facts?.decimals != null,
  ];
  return flags.reduce((sum, flag) => 2 * sum + (flag ? 1 : 0), 1 + (price ? stages.indexOf(price.stage) : -1));
}

/** Returns whether a guard that refused a pair of the token for its figures may pass now. */
export function mayPass(token: TrackedToken, isLive: boolean): boolean {
  if (token.pairs.byToken === 0) return false;
  const { gates, figures, price, facts } = token;
  const risk = facts?.risk;
  return (
    (figures.liquidity ?? 0) >= gates.liquidity ||
    (risk != null && risk <= gates.risk) ||
    (price?.reserves?.virtualQuote ?? 0) >= gates.depth ||
    inputsOf(token, isLive) !== token.inputs
  );
}

/** Returns whether the guard that refused a pair of the token, by its state, may pass with the present figures. */
export function mayPassFor({ figures, price, facts }: TrackedToken, plan: CorePlan, state: number): boolean {
  const risk = facts?.risk ?? null;
  switch (codeOf(state)) {
    case 'low-liquidity':
      return (figures.liquidity ?? 0) >= (plan.minLiquidity ?? 0);
    case 'unknown-liquidity':
      return figures.liquidity !== null;
    case 'high-risk':
      return risk === null || risk <= (plan.maxRisk ?? 0);
    case 'unknown-risk':
      return risk !== null;
    case 'impact':
      return (price?.reserves?.virtualQuote ?? 0) >= leastDepth(plan);
    default:
      return true;
  }
}

/** Forgets the gates of a token before all its refused pairs are asked again. */
export function openGates(token: TrackedToken, isLive: boolean): void {
  token.gates = noGates();
  token.inputs = inputsOf(token, isLive);
}

/** Remembers from which figures on a pair that was refused may pass. */
export function closeGate(token: TrackedToken, plan: CorePlan, { code }: Pick<Reason, 'code'>, isLive: boolean): void {
  if (token.pairs.byToken === 0) openGates(token, isLive);
  const { gates } = token;
  if (code === 'low-liquidity') gates.liquidity = Math.min(gates.liquidity, plan.minLiquidity ?? 0);
  if (code === 'high-risk') gates.risk = Math.max(gates.risk, plan.maxRisk ?? 0);
  if (code === 'impact') gates.depth = Math.min(gates.depth, depthFor(plan, token.price));
}

/** Returns the quote side from which on a purchase may move the price little enough, above the present one, lamports. */
function depthFor(plan: CorePlan, price: CorePrice | null): number {
  const present = price?.reserves?.virtualQuote ?? 0;
  return Math.max(present + 1, leastDepth(plan));
}

/** Returns a quote side below which the purchase certainly moves the price too far, lamports. */
function leastDepth({ lamports, slippageBps }: CorePlan): number {
  return (NEAR * lamports * BPS) / slippageBps;
}
