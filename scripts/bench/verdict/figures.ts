import { hasDoubled, hasLost, MIN_CASE_LIQUIDITY } from '../../../common/calibration/rules.ts';
import {
  areaUnderCurve,
  bootstrapEstimate,
  type Estimate,
  shareEstimate,
  tallyScores,
} from '../../../common/calibration/statistics.ts';
import type { Random } from '../../../common/time.ts';
import { type RiskLevel, riskLevel } from '../../../common/tokens/levels.ts';
import type { Span } from './outcomes.ts';
import { AGES, type MarketRun, type Snapshot } from './run-market.ts';

/** How well the score separates the coins of one seed at one age. */
export interface AgeFigures {
  seed: string;
  age: number;
  cases: number;
  dumps: number;
  lost: number;
  /** Area under the curve for "dumped by insiders" and for "lost 80 % within the hour", with bootstrap intervals. */
  dumpArea: Estimate | null;
  lostArea: Estimate | null;
  /** As `dumpArea`, without coins that are drained already: what the score says about the future. */
  undrainedDumpArea: Estimate | null;
}

/** The coins of all seeds in one band at one age. */
interface BandFigures {
  age: number;
  band: RiskLevel;
  cases: number;
  dumpRate: Estimate | null;
  lostRate: Estimate | null;
}

/** The coins of all seeds with one fate at one age: their bands by the product's score, and its label for rugs. */
interface FateFigures {
  age: number;
  fate: string;
  cases: number;
  bands: Record<RiskLevel, number>;
  /** Share of the coins that ever had 1 SOL of liquidity that the product labels as rugs. */
  rugged: Estimate | null;
}

export interface RunnerFigures {
  coins: number;
  everRunner: Estimate | null;
  /** Share of the entries that doubled within an hour of entering, and of any coin within an hour of its fifth second. */
  doubledAtEntry: Estimate | null;
  doubledAnyCoin: Estimate | null;
  graduationPrecision: Estimate | null;
  graduationRecall: Estimate | null;
  dumpShare: number | null;
}

export interface VerdictFigures {
  ages: AgeFigures[];
  bands: BandFigures[];
  fates: FateFigures[];
  /** Coins that are drained at a snapshot, of all seeds and ages, and those of them called Low. */
  drained: { cases: number; low: number };
  runners: RunnerFigures;
}

/** Returns the control of the bench: the same coins with a score that calls each of them Low. */
export function withEqualScores(run: MarketRun): MarketRun {
  return { ...run, snapshots: run.snapshots.map((one) => ({ ...one, score: 0 })) };
}

/** Computes every figure of the bench. The same random numbers give the same intervals. */
export function verdictFigures(runs: readonly MarketRun[], random: Random): VerdictFigures {
  const all = runs.flatMap(({ snapshots }) => snapshots);
  const drained = all.filter(({ isDrained }) => isDrained);
  return {
    ages: runs.flatMap((run) => AGES.map((age) => ageFigures(run, age, random))),
    bands: AGES.flatMap((age) => bandFigures(all, age)),
    fates: AGES.flatMap((age) => fateFigures(all, age)),
    drained: { cases: drained.length, low: drained.filter(({ score }) => riskLevel(score) === 'Low Risk').length },
    runners: runnerFigures(runs),
  };
}

const isDump = ({ fate }: Snapshot): boolean => fate === 'dump';
const isLost = ({ span }: Snapshot): boolean => hasLost(span.liquidity, span.lowestLiquidity);
const counts = ({ span }: Snapshot): boolean => span.liquidity >= MIN_CASE_LIQUIDITY;
const atAge = (snapshots: readonly Snapshot[], age: number): Snapshot[] =>
  snapshots.filter((one) => one.age === age && counts(one));

function ageFigures({ seed, snapshots }: MarketRun, age: number, random: Random): AgeFigures {
  const cases = atAge(snapshots, age);
  return {
    seed,
    age,
    cases: cases.length,
    dumps: cases.filter(isDump).length,
    lost: cases.filter(isLost).length,
    dumpArea: areaOf(cases, isDump, random),
    lostArea: areaOf(cases, isLost, random),
    undrainedDumpArea: areaOf(
      cases.filter((one) => !one.isDrained),
      isDump,
      random,
    ),
  };
}

function areaOf(cases: readonly Snapshot[], isHit: (one: Snapshot) => boolean, random: Random): Estimate | null {
  const scored = cases.map((one) => ({ score: one.score, hit: isHit(one) }));
  return bootstrapEstimate(scored, (sample) => areaUnderCurve(tallyScores(sample)), random);
}

function bandFigures(all: readonly Snapshot[], age: number): BandFigures[] {
  const cases = atAge(all, age);
  const bands: RiskLevel[] = ['Low Risk', 'Medium Risk', 'High Risk', 'Unknown'];
  return bands.map((band) => {
    const inBand = cases.filter(({ score }) => riskLevel(score) === band);
    const dumpRate = shareEstimate(inBand.filter(isDump).length, inBand.length);
    const lostRate = shareEstimate(inBand.filter(isLost).length, inBand.length);
    return { age, band, cases: inBand.length, dumpRate, lostRate };
  });
}

/** SOL; a coin that never had this much cannot end as a rug. */
const RUG_MIN_PEAK = 1;

function fateFigures(all: readonly Snapshot[], age: number): FateFigures[] {
  const fates = [...new Set(all.map(({ fate }) => fate))].sort();
  return fates.map((fate) => {
    const ofFate = all.filter((one) => one.age === age && one.fate === fate);
    const cases = ofFate.filter(counts);
    const bands = { 'Low Risk': 0, 'Medium Risk': 0, 'High Risk': 0, Unknown: 0 };
    for (const { score } of cases) bands[riskLevel(score)] += 1;
    const ruggable = ofFate.filter(({ peakLiquidity }) => peakLiquidity >= RUG_MIN_PEAK);
    const rugged = shareEstimate(ruggable.filter(({ isRugged }) => isRugged).length, ruggable.length);
    return { age, fate, cases: cases.length, bands, rugged };
  });
}

function runnerFigures(runs: readonly MarketRun[]): RunnerFigures {
  const sum = (count: (run: MarketRun) => number): number => runs.reduce((total, run) => total + count(run), 0);
  const entries = runs.flatMap(({ runners }) => runners);
  const base = runs.flatMap((run) => run.base);
  const coins = sum((run) => run.coins);
  const graduates = entries.filter(({ truth }) => truth.isGraduated).length;
  return {
    coins,
    everRunner: shareEstimate(entries.length, coins),
    doubledAtEntry: shareEstimate(entries.filter(({ span }) => isDoubled(span)).length, entries.length),
    doubledAnyCoin: shareEstimate(base.filter(isDoubled).length, base.length),
    graduationPrecision: shareEstimate(graduates, entries.length),
    graduationRecall: shareEstimate(
      graduates,
      sum(({ graduated }) => graduated),
    ),
    dumpShare:
      shareEstimate(entries.filter(({ truth }) => truth.fate === 'dump').length, entries.length)?.value ?? null,
  };
}

function isDoubled({ price, highestPrice }: Span): boolean {
  return hasDoubled(price, highestPrice);
}
