import type { SampleRecord } from '../../../tokens/record.ts';
import { isRug } from '../merge/facts.ts';
import { EARLY_SALE_SPAN } from '../state/holder-ledger.ts';
import { type LiveToken, set, touch } from '../state/live-token.ts';
import { dueSamples, hasDueSample } from '../state/samples.ts';
import { hourOf } from '../state/volume.ts';
import {
  classify,
  GROWTH_EVERY,
  type ListChange,
  type RateInForce,
  regrow,
  rescore,
  revalue,
  SCORE_EVERY,
} from './score.ts';

/** Growth of a token that nobody trades only fades, so it is looked at less often, ms. */
const GROWTH_EVERY_IDLE = 2 * GROWTH_EVERY;

/** What may be done in one tick of all that could be: a rate or a minute that changes touches every token at once. */
export interface SweepBudget {
  rerates: number;
  samples: number;
  growths: number;
}

export interface SweepContext {
  now: number;
  rate: RateInForce;
  sample(record: SampleRecord): void;
}

/** What came of looking at a token. */
export interface Refreshed {
  changed: boolean;
  lists: ListChange[];
  /** Just ended as a rug. */
  rugged: boolean;
}

/** Makes everything that follows from a token's state: after observations, and when time alone may have changed it. */
export function refresh(live: LiveToken, now: number, rate: RateInForce): Refreshed {
  const told = [revalue(live, rate, now), rescore(live, now), regrow(live, now)];
  const rugged = !live.record.rugged && isRug(live);
  if (rugged) set(live, 'rugged', true);
  const lists = classify(live, now);
  const changed = rugged || lists.length > 0 || told.includes(true);
  // What was merged in this tick has raised the version already.
  if (changed && !live.changed) touch(live, now);
  return { changed, lists, rugged };
}

/** Whether time alone gives the token something to do. Called for every token once a second, so it only compares numbers. */
export function isDue(live: LiveToken, { now, rate }: SweepContext, budget: SweepBudget): boolean {
  const { record } = live;
  if (live.scoreDue && now - live.scoredAt >= SCORE_EVERY) return true;
  if (isGrowthDue(live, now, budget)) return true;
  if (live.book !== null && record.facts.creatorSoldEarly === null && isEarlySaleOver(record.createdAt, now)) {
    live.scoreDue = true;
    return true;
  }
  if (isStale(live, rate, now) && budget.rerates > 0) {
    budget.rerates -= 1;
    // An hour that passed takes old volume away without any other news.
    live.ratedIn = -1;
    return true;
  }
  return listsMayChange(live, now);
}

function isGrowthDue(live: LiveToken, now: number, budget: SweepBudget): boolean {
  const since = now - live.grownAt;
  if (since < GROWTH_EVERY) return false;
  if (since >= GROWTH_EVERY_IDLE) return live.record.growthScore !== 0 || !live.momentum.isEmpty(now);
  if (live.touchedAt < live.grownAt || budget.growths <= 0) return false;
  budget.growths -= 1;
  return true;
}

function isEarlySaleOver(createdAt: number | null, now: number): boolean {
  return createdAt !== null && now - createdAt > EARLY_SALE_SPAN;
}

function isStale(live: LiveToken, rate: RateInForce, now: number): boolean {
  const oldest = live.record.volumeByHour[0];
  return live.ratedIn !== rate.generation || (oldest !== undefined && oldest.hour <= hourOf(now) - 24);
}

function listsMayChange({ record }: LiveToken, now: number): boolean {
  if (record.createdAt === null) return false;
  const age = now - record.createdAt;
  return record.runner || record.mightRun || (age >= 3_600_000 && age <= 7_200_000);
}

/** Writes chart points that are over, as far as the budget goes. True when it wrote some. */
export function sweepSamples(live: LiveToken, context: SweepContext, budget: SweepBudget): boolean {
  if (budget.samples <= 0 || !hasDueSample(live.record, context.now)) return false;
  budget.samples -= 1;
  dueSamples(live, context);
  return true;
}
