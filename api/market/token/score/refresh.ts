import { HOUR } from '../../../../common/time.ts';
import type { SampleRecord } from '../../../tokens/record.ts';
import { classify, isDrained, isRug, type ListChange } from '../lifecycle.ts';
import { countOutsideBuyers, type LiveToken, set, touch } from '../state/live-token.ts';
import { dueSamples, hasDueSample } from '../state/samples.ts';
import { type AppliedRate, GROWTH_INTERVAL, refreshGrowth, refreshScore, refreshValues } from './score.ts';

/** The growth score of a token without trades only falls, so it is refreshed this much later, ms. */
const IDLE_GROWTH_DELAY = GROWTH_INTERVAL;

/** Work of the periodic refresh allowed in one tick: a new rate or minute concerns all tokens at once. */
export interface RefreshBudget {
  scores: number;
  rerates: number;
  samples: number;
  growths: number;
}

export interface RefreshContext {
  now: number;
  rate: AppliedRate;
  sample(record: SampleRecord): void;
}

/** Result of a refresh. */
export interface Refreshed {
  changed: boolean;
  lists: ListChange[];
  /** True when the token ended as a rug with this refresh. */
  rugged: boolean;
}

/**
 * Computes everything that follows from a token's state: after observations, and when time alone may have changed it. Without
 * `mayScore` a due score waits.
 */
export function refresh(live: LiveToken, now: number, rate: AppliedRate, mayScore = true): Refreshed {
  const valued = refreshValues(live, rate, now);
  const drained = set(live, 'drained', isDrained(live));
  const rugged = !live.record.rugged && isRug(live);
  if (rugged) set(live, 'rugged', true);
  const scored = refreshScore(live, now, mayScore);
  const grown = refreshGrowth(live, now);
  countOutsideBuyers(live);
  const lists = classify(live, now);
  const changed = valued || scored || grown || rugged || drained || lists.length > 0;
  // An observation merged in this tick has incremented the version already.
  if (changed && !live.changed) touch(live, now);
  return { changed, lists, rugged };
}

/** Returns whether time alone requires a refresh. Called for every token once a second, so it only compares numbers. */
export function isRefreshDue(live: LiveToken, { now, rate }: RefreshContext, budget: RefreshBudget): boolean {
  if (isScoreDue(live, now) && budget.scores > 0) {
    budget.scores -= 1;
    return true;
  }
  if (isGrowthDue(live, now, budget)) return true;
  if (isStale(live, rate, now) && budget.rerates > 0) {
    budget.rerates -= 1;
    return true;
  }
  return mayChangeLists(live, now);
}

/** Returns whether the score is due, by a change or by time alone. */
function isScoreDue({ due }: LiveToken, now: number): boolean {
  return now >= due.score && now >= due.scoreFrom;
}

function isGrowthDue(live: LiveToken, now: number, budget: RefreshBudget): boolean {
  const { growth } = live.due;
  if (now < growth) return false;
  if (now >= growth + IDLE_GROWTH_DELAY) return live.record.growthScore !== 0 || !live.momentum.isEmpty(now);
  if (live.touchedAt < growth - GROWTH_INTERVAL || budget.growths <= 0) return false;
  budget.growths -= 1;
  return true;
}

function isStale(live: LiveToken, rate: AppliedRate, now: number): boolean {
  // Trades older than a day leave the volume even without an observation.
  return live.ratedIn !== rate.generation || now >= live.due.values;
}

function mayChangeLists({ record }: LiveToken, now: number): boolean {
  if (record.createdAt === null) return false;
  const age = now - record.createdAt;
  return record.runner || record.mightRun || (age >= HOUR && age <= 2 * HOUR);
}

/** Writes chart points that are over, within the budget. Returns true when it wrote some. */
export function writeDueSamples(live: LiveToken, context: RefreshContext, budget: RefreshBudget): boolean {
  if (budget.samples <= 0 || !hasDueSample(live.record, context.now)) return false;
  budget.samples -= 1;
  dueSamples(live, context);
  return true;
}
