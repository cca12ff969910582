import type { Risk, RiskFactor } from '../model.ts';
import type { RiskCheck, RiskContext } from './check.ts';
import { controlChecks } from './checks/controls.ts';
import { developerChecks } from './checks/developer.ts';
import { insiderChecks } from './checks/insiders.ts';
import { marketChecks } from './checks/market.ts';
import type { RiskFacts } from './facts.ts';
import { checkIds, type RiskReason, type UnknownReason } from './reason.ts';

const byId = new Map<string, RiskCheck>(
  [...controlChecks, ...developerChecks, ...insiderChecks, ...marketChecks].map((check) => [check.id, check]),
);

/**
 * Every risk check, in the order of `checkIds`. The points come from measurements on coins of known fate (`npm run bench:verdict`)
 * and from published rules; the three controls carry 15 points besides being hard flags.
 */
export const riskChecks: readonly RiskCheck[] = checkIds.flatMap((id) => byId.get(id) ?? []);

export { isStandardLaunch, type RiskContext } from './check.ts';
export { type Fact, type Maturity, noFacts, type RiskFacts } from './facts.ts';

/** Version of the checks and their points; rises with every change of either, and is stored with a score that is judged later. */
export const RISK_RULES_VERSION = 6;

/** A hard flag lifts the score to at least this. */
const HARD_FLAG_SCORE = 90;
/** Points of a coin with a finding that has not earned a low score: just above the highest low one. */
const UNPROVEN_POINTS = 31;
/** What a score of at most 30 requires, besides an age of two minutes: SOL, outside holders, and share of known checks. */
const LOW_RISK_NEEDS = { liquiditySol: 5, holders: 30, known: 0.8 } as const;

/** Score 0–100 or null, with its reason and the number of checks that are known and that apply. */
export interface RiskScore {
  score: number | null;
  /** Known share of the checks that apply, percent 0–100 to one decimal. */
  coverage: number;
  reason: RiskReason | null;
  known: number;
  total: number;
}

/**
 * Returns the risk 0–100, the known share of the checks, and the reason.
 *
 * score = min(100, Σ points of the findings), plus 31 while the coin has not earned a low score, and at least 90 with a hard
 * flag. A low score (at most 30) is earned by an age of two minutes without an insider's sale in the last two, 5 SOL of liquidity, 30 outside
 * holders, and 80 % of the checks known. Without a finding and before that the score is null: bad news counts at once, good news is earned.
 *
 * The law of these rules: a worse fact never lowers the score and never makes it unknown. A clear fact adds nothing and an
 * unknown one nothing either, so that knowing a fact never lowers the sum; what it can do for a coin is to meet one of the
 * conditions of a low score. With facts that remember (facts.ts), no sale by an insider and no loss of liquidity lowers the score.
 */
export function riskScore(facts: RiskFacts, context: RiskContext): RiskScore {
  let sum = 0;
  let known = 0;
  let total = 0;
  let heaviest = 0;
  let hard = false;
  let reason: RiskReason | null = null;
  for (const check of riskChecks) {
    if (!check.applies(context, facts) || check.isStandard(facts, context)) continue;
    total += 1;
    const points = check.points(facts);
    if (points === null) continue;
    known += 1;
    sum += points;
    const isHard = check.isHard(facts);
    if ((isHard && !hard) || (isHard === hard && points > heaviest)) {
      heaviest = points;
      reason = check.id;
    }
    hard ||= isHard;
  }
  const coverage = total === 0 ? 0 : Math.round((known / total) * 1000) / 10;
  const earned = isLowEarned(facts, known / total);
  const base = { coverage, known, total };
  if (sum === 0 && !hard && !earned) return { ...base, score: null, reason: unknownReason(facts, context) };
  const score = Math.min(100, sum + (earned ? 0 : UNPROVEN_POINTS));
  return { ...base, score: hard ? Math.max(HARD_FLAG_SCORE, score) : score, reason };
}

/** Returns the same score as `riskScore` with the factors behind it, worst first, each with its evidence. */
export function scoreRisk(facts: RiskFacts, context: RiskContext): Risk {
  const factors = riskChecks
    .filter((check) => check.applies(context, facts))
    .map((check) => check.describe(facts, context))
    .sort((a, b) => rank(a) - rank(b) || b.points - a.points);
  const result = riskScore(facts, context);
  if (!isLowEarned(facts, result.known / result.total)) insertUnproven(factors, facts, result);
  return { ...result, rulesVersion: RISK_RULES_VERSION, factors };
}

function isLowEarned({ maturity, liquidity, holders }: RiskFacts, known: number): boolean {
  return (
    maturity?.value === 'mature' &&
    (liquidity?.value ?? 0) >= LOW_RISK_NEEDS.liquiditySol &&
    (holders?.value ?? 0) >= LOW_RISK_NEEDS.holders &&
    known >= LOW_RISK_NEEDS.known
  );
}

function unknownReason(facts: RiskFacts, { stage, standard }: RiskContext): UnknownReason {
  if (facts.maturity?.value === 'early') return facts.holders?.value === 0 ? 'no-buyers' : 'too-early';
  // On a curve both are known with the first trade.
  if (stage === 'pool' && (!facts.liquidity || !facts.holders)) return 'pool-unobserved';
  return !standard && facts.mintAuthorityLive === null ? 'mint-unread' : 'too-little-known';
}

/** Order of the factors: hard findings, findings, unknown checks, clear checks, checks that are clear for every standard coin. */
function rank({ hard, state, standard }: RiskFactor): number {
  if (standard) return 4;
  if (hard) return 0;
  return { risk: 1, unknown: 2, clear: 3 }[state];
}

/** Adds the factor of a coin that has not earned a low score, behind the findings. */
function insertUnproven(factors: RiskFactor[], facts: RiskFacts, { score, known, total }: RiskScore): void {
  const after = factors.findLastIndex(({ state }) => state === 'risk') + 1;
  factors.splice(after, 0, {
    id: 'unproven',
    label: 'Low risk not earned',
    state: score === null ? 'unknown' : 'risk',
    points: score === null ? 0 : UNPROVEN_POINTS,
    maxPoints: UNPROVEN_POINTS,
    evidence: `A low score needs an age of 2 min, ${missingNeeds(facts, known, total).join(', ')}.`,
    source: null,
    readAt: null,
    hard: false,
    standard: false,
  });
}

function missingNeeds({ liquidity, holders }: RiskFacts, known: number, total: number): string[] {
  const { liquiditySol, holders: leastHolders, known: leastKnown } = LOW_RISK_NEEDS;
  const sol = liquidity ? ` (now ${Number(liquidity.value.toPrecision(4))})` : '';
  const wallets = holders ? ` (now ${holders.value})` : '';
  return [
    'no sale by an insider in the last 2 min',
    `${liquiditySol} SOL of liquidity${sol}`,
    `${leastHolders} outside holders${wallets}`,
    `and ${leastKnown * 100} % of the checks known (now ${known} of ${total})`,
  ];
}
