import type { Random } from '../time.ts';
import { MEDIUM_RISK_ABOVE } from '../tokens/levels.ts';

/** Cases with the same score: those in which the event happened (`hits`), and the others (`misses`). */
export interface ScoreTally {
  /** Risk 0–100; null when unknown. */
  score: number | null;
  hits: number;
  misses: number;
}

/** A figure with the bounds of its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** Place of an unknown score in a ranking: above every Low (at most 30) and below every Medium (from 31 on). */
const UNKNOWN_RANK = MEDIUM_RISK_ABOVE + 0.5;

/** Standard normal quantile of a two-sided 95 % interval. */
const Z = 1.959964;

/** Returns the tallies of single cases, one for each score. */
export function tallyScores(cases: Iterable<{ score: number | null; hit: boolean }>): ScoreTally[] {
  const tallies = new Map<number | null, ScoreTally>();
  for (const { score, hit } of cases) {
    const tally = tallies.get(score) ?? { score, hits: 0, misses: 0 };
    tallies.set(score, tally);
    if (hit) tally.hits += 1;
    else tally.misses += 1;
  }
  return [...tallies.values()];
}

/**
 * Returns the area under the ROC curve 0–1: the chance that a random case with the event ranks above a random case without it,
 * half of it for equal scores (Mann–Whitney U). Unknown scores rank at `UNKNOWN_RANK`. null without both kinds of cases.
 */
export function areaUnderCurve(tallies: readonly ScoreTally[]): number | null {
  const { hits, misses } = totalOf(tallies);
  if (hits === 0 || misses === 0) return null;
  let missesBelow = 0;
  let sum = 0;
  for (const tally of ranked(tallies)) {
    sum += tally.hits * (missesBelow + tally.misses / 2);
    missesBelow += tally.misses;
  }
  return sum / (hits * misses);
}

/**
 * Returns the area under the ROC curve with its 95 % interval by the variance of DeLong, DeLong and Clarke-Pearson (1988),
 * cut to 0–1. null with fewer than two cases of either kind.
 */
export function areaEstimate(tallies: readonly ScoreTally[]): Estimate | null {
  const { hits, misses } = totalOf(tallies);
  const area = areaUnderCurve(tallies);
  if (area === null || hits < 2 || misses < 2) return null;
  let missesBelow = 0;
  let hitsBelow = 0;
  let varianceOfHits = 0;
  let varianceOfMisses = 0;
  for (const tally of ranked(tallies)) {
    const placeOfHit = (missesBelow + tally.misses / 2) / misses;
    const placeOfMiss = (hits - hitsBelow - tally.hits / 2) / hits;
    varianceOfHits += tally.hits * (placeOfHit - area) ** 2;
    varianceOfMisses += tally.misses * (placeOfMiss - area) ** 2;
    missesBelow += tally.misses;
    hitsBelow += tally.hits;
  }
  const variance = varianceOfHits / (hits - 1) / hits + varianceOfMisses / (misses - 1) / misses;
  return around(area, Math.sqrt(variance));
}

/**
 * Returns the Brier score with its 95 % interval: the mean squared distance of score / 100, read as a probability, from what
 * happened (0 or 1). 0 is perfect, 0.25 is a constant 50 %. Unknown scores forecast nothing and are left out; null without a case.
 */
export function brierEstimate(tallies: readonly ScoreTally[]): Estimate | null {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (const { score, hits, misses } of tallies) {
    if (score === null) continue;
    const ofHit = (1 - score / 100) ** 2;
    const ofMiss = (score / 100) ** 2;
    count += hits + misses;
    sum += hits * ofHit + misses * ofMiss;
    squares += hits * ofHit ** 2 + misses * ofMiss ** 2;
  }
  if (count === 0) return null;
  const mean = sum / count;
  return around(mean, Math.sqrt(Math.max(0, squares / count - mean ** 2) / count));
}

/**
 * Returns a share 0–1 with its 95 % interval by Wilson (1927), which also holds for shares near 0 and 1. null without cases.
 */
export function shareEstimate(events: number, cases: number): Estimate | null {
  if (cases === 0) return null;
  const share = events / cases;
  const scale = 1 + Z ** 2 / cases;
  const middle = (share + Z ** 2 / (2 * cases)) / scale;
  const half = (Z / scale) * Math.sqrt((share * (1 - share)) / cases + Z ** 2 / (4 * cases ** 2));
  return { value: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Resamples behind a bootstrap interval. */
const RESAMPLES = 300;

/**
 * Returns a statistic of the items with its 95 % percentile bootstrap interval: the statistic is computed of as many items drawn
 * with replacement. The same random numbers give the same interval. null where the statistic of all items is null.
 */
export function bootstrapEstimate<Item>(
  items: readonly Item[],
  statistic: (sample: readonly Item[]) => number | null,
  random: Random,
): Estimate | null {
  const value = statistic(items);
  if (value === null) return null;
  const values: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    const sample = resampled(items, random);
    const drawn = statistic(sample);
    if (drawn !== null) values.push(drawn);
  }
  values.sort((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? value;
  return { value, low: at(0.025), high: at(0.975) };
}

/** Returns as many items as there are, drawn with replacement. */
function resampled<Item>(items: readonly Item[], random: Random): Item[] {
  const sample: Item[] = [];
  for (let left = items.length; left > 0; left -= 1) {
    const item = items[Math.floor(random() * items.length)];
    if (item !== undefined) sample.push(item);
  }
  return sample;
}

function totalOf(tallies: readonly ScoreTally[]): { hits: number; misses: number } {
  let hits = 0;
  let misses = 0;
  for (const tally of tallies) {
    hits += tally.hits;
    misses += tally.misses;
  }
  return { hits, misses };
}

/** Returns one tally for each rank, lowest first. */
function ranked(tallies: readonly ScoreTally[]): { hits: number; misses: number }[] {
  const byRank = new Map<number, { hits: number; misses: number }>();
  for (const { score, hits, misses } of tallies) {
    const rank = score ?? UNKNOWN_RANK;
    const sum = byRank.get(rank) ?? { hits: 0, misses: 0 };
    byRank.set(rank, { hits: sum.hits + hits, misses: sum.misses + misses });
  }
  return [...byRank].sort(([a], [b]) => a - b).map(([, sum]) => sum);
}

function around(value: number, standardError: number): Estimate {
  const half = Z * standardError;
  return { value, low: Math.max(0, value - half), high: Math.min(1, value + half) };
}
