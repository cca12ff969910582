import type { Risk, Stage } from '../model.ts';
import type { RiskCheck } from './check.ts';
import { riskChecks } from './checks.ts';
import type { RiskFacts } from './facts.ts';

export type { Fact, RiskFacts } from './facts.ts';

/** A hard flag lifts the score to at least this. */
export const HARD_FLAG_SCORE = 90;
/** Below this percentage of known checks there is no score, unless a hard flag fired. */
export const MIN_COVERAGE = 50;

/** Context that decides which checks apply. */
export interface RiskContext {
  stage: Stage;
}

/**
 * Returns the risk 0–100 and the known share of the checks' weight, percent 0–100 to one decimal.
 *
 * score = min(100, Σ points of the known checks), at least 90 with a hard flag. coverage = Σ max points of the known checks
 * / Σ max points of the checks that apply at this stage. Under 50 % coverage the score is null unless a hard flag fired:
 * unknown never counts as safe.
 */
export function riskScore(facts: RiskFacts, context: RiskContext): { score: number | null; coverage: number } {
  let sum = 0;
  let known = 0;
  let total = 0;
  let hard = false;
  for (const check of riskChecks) {
    if (!check.applies(context.stage)) continue;
    total += check.maxPoints;
    const points = check.points(facts);
    if (points === null) continue;
    known += check.maxPoints;
    sum += points;
    hard ||= check.isHard(facts);
  }
  const coverage = (known / total) * 100;
  return { score: verdict(sum, coverage, hard), coverage: Math.round(coverage * 10) / 10 };
}

/** Returns the same score as `riskScore` with the factors behind it, each with its evidence. */
export function scoreRisk(facts: RiskFacts, context: RiskContext): Risk {
  const applying = riskChecks.filter((check: RiskCheck) => check.applies(context.stage));
  const factors = applying.map((check) => check.describe(facts));
  return {
    ...riskScore(facts, context),
    known: factors.filter((factor) => factor.state !== 'unknown').length,
    total: factors.length,
    factors,
  };
}

function verdict(sum: number, coverage: number, hard: boolean): number | null {
  const score = Math.min(100, sum);
  if (hard) return Math.max(HARD_FLAG_SCORE, score);
  return coverage < MIN_COVERAGE ? null : score;
}

/** Returns facts that are all unknown. */
export function noFacts(): RiskFacts {
  return {
    creatorRugged: null,
    creatorLaunches24h: null,
    lpUnlocked: null,
    topTen: null,
    largestWallet: null,
    creatorHolds: null,
    sameSlotBuyers: null,
    creatorSoldEarly: null,
    liquidity: null,
    buysWithoutSell: null,
    standardCurve: null,
    transferFeeBps: null,
    symbolTwin: null,
    holders: null,
    metadataMutable: null,
    metadataFile: null,
    mintAuthorityLive: null,
    freezeAuthorityLive: null,
    extensions: null,
  };
}
