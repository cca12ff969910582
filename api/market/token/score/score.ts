import { DAY } from '../../../../common/time.ts';
import { growthScore } from '../../../../common/tokens/growth.ts';
import { marketCapUsd } from '../../../../common/tokens/market-cap.ts';
import { RISK_RULES_VERSION, riskScore } from '../../../../common/tokens/risk/score.ts';
import { riskContext } from '../../../tokens/present.ts';
import { currentVolume, endOfVolumeDay } from '../../../tokens/volume.ts';
import { priceInSol, toLamports } from '../merge/price.ts';
import { appliedReport, reportedPrice } from '../merge/reported-figures.ts';
import { followPrice } from '../state/follow-price.ts';
import { AT_ONCE, type LiveToken, set } from '../state/live-token.ts';
import { dropOldHours, nextVolumeDrop, valueVolume } from '../state/volume.ts';
import { refreshFacts } from './refresh-facts.ts';
import { nextFactsChange } from './refresh-ledger-facts.ts';

/** Least time between two scores of a token, ms: they change more slowly than trades arrive. */
const SCORE_INTERVAL = 1_000;
export const GROWTH_INTERVAL = 5_000;
/** Least time between two copies of the largest holders, ms: twenty wallets are the largest part of a record. */
const HOLDERS_INTERVAL = 5_000;

/** Rate of the dollar figures, and its generation. */
export interface AppliedRate {
  solUsd: number | null;
  generation: number;
}

/** Computes the figures in US dollars, and those in SOL of coins quoted in dollars. Returns true when one changed. */
export function refreshValues(live: LiveToken, { solUsd, generation }: AppliedRate, now: number): boolean {
  if (live.ratedIn === generation && now < live.due.values) return false;
  live.ratedIn = generation;
  const { record } = live;
  const dayEnds = endOfVolumeDay(record, now);
  const isDropped = dropOldHours(record, dayEnds);
  const isValued = valueVolume(record, solUsd);
  if (isDropped) live.dirty.add('volumeMinutes');
  if (isDropped || isValued) live.dirty.add('volumeByHour');
  live.due.values =
    dayEnds < now ? Number.POSITIVE_INFINITY : Math.min(nextVolumeDrop(record, now), reportEnd(live, now));
  let changed = false;
  if (record.reserves !== null) {
    changed = set(live, 'price', priceInSol(record.reserves, record.quote, record.decimals, solUsd));
    if (record.quote === 'USDC') {
      const liquidity = toLamports(record.quote, record.reserves.realQuote, solUsd);
      if (set(live, 'liquidityLamports', liquidity)) changed = true;
    }
  }
  if (applyReports(live, solUsd)) changed = true;
  followPrice(live, now);
  const cap = marketCapUsd(record.price, record.totalSupply, record.decimals, solUsd);
  if (set(live, 'marketCapUsd', cap ?? record.reported?.marketCapUsd?.value ?? null)) changed = true;
  if (set(live, 'volumeUsd', currentVolume(record, appliedReport(live, 'volumeUsd'), now))) changed = true;
  return changed;
}

/** Returns when the reported volume is a day old and counts no more, epoch ms; Infinity without one. */
function reportEnd({ record }: LiveToken, now: number): number {
  const end = (record.reported?.volumeUsd?.at ?? Number.NEGATIVE_INFINITY) + DAY + 1;
  return end > now ? end : Number.POSITIVE_INFINITY;
}

/** Applies reported figures where the chain's own do not take precedence. */
function applyReports(live: LiveToken, solUsd: number | null): boolean {
  if (live.record.reported == null) return false;
  let changed = false;
  // A dollar price without a rate is unknown in SOL and replaces nothing.
  const price = appliedReport(live, 'price') === null ? null : reportedPrice(live.record, solUsd);
  if (price !== null) changed = set(live, 'price', price);
  const liquidity = appliedReport(live, 'liquidityLamports');
  if (liquidity !== null && set(live, 'liquidityLamports', liquidity.value)) changed = true;
  const holders = appliedReport(live, 'holderCount');
  if (holders !== null && set(live, 'holderCount', holders.value)) changed = true;
  return changed;
}

/**
 * Counts the holders, and computes the risk score when it is due; without `mayScore` it stays due. Returns true when one
 * changed.
 */
export function refreshScore(live: LiveToken, now: number, mayScore = true): boolean {
  const isOurs = live.ledger !== null && appliedReport(live, 'holderCount') === null;
  const counted = isOurs && set(live, 'holderCount', live.ledger?.holders() ?? null);
  const scored = computeScore(live, now, mayScore);
  return counted || scored;
}

function computeScore(live: LiveToken, now: number, mayScore: boolean): boolean {
  const { due } = live;
  if (now < due.scoreFrom || !mayScore) {
    due.score = AT_ONCE;
    return false;
  }
  due.scoreFrom = now + SCORE_INTERVAL;
  refreshFacts(live, now);
  refreshHolders(live, now);
  const isDue = now >= due.score;
  due.score = nextFactsChange(live, now);
  if (!isDue) return false;
  const { score, coverage, reason } = riskScore(live.record.facts, riskContext(live.record));
  const scoreChanged = set(live, 'riskScore', score);
  const coverageChanged = set(live, 'riskCoverage', coverage);
  const reasonChanged = set(live, 'riskReason', reason);
  // A score of earlier rules was presented as unknown, so that it changes for the clients even at the same value.
  const rulesChanged = set(live, 'riskRulesVersion', RISK_RULES_VERSION);
  return scoreChanged || coverageChanged || reasonChanged || rulesChanged || live.factsChanged;
}

function refreshHolders(live: LiveToken, now: number): void {
  if (live.ledger === null || now < live.due.holders) return;
  live.due.holders = now + HOLDERS_INTERVAL;
  copyHolders(live);
}

/** Copies the largest holders from the ledger into the record. */
export function copyHolders(live: LiveToken): void {
  if (live.ledger !== null) set(live, 'topHolders', [...live.ledger.top()]);
}

/** Computes the growth score when it is due. Returns true when it changed. */
export function refreshGrowth(live: LiveToken, now: number): boolean {
  if (now < live.due.growth) return false;
  live.due.growth = now + GROWTH_INTERVAL;
  const { record } = live;
  return set(live, 'growthScore', growthScore(live.momentum.read(now, record.price)));
}
