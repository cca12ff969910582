import { type RiskLevel, riskLevel } from '../tokens/levels.ts';
import type {
  AgeCalibration,
  CalibrationMarket,
  CaseTotals,
  ListFigures,
  Rate,
  ScoreRange,
  TokenCalibration,
} from './model.ts';
import { CALIBRATION_AGES, calibrationAge, scoreBin, scoreBins } from './rules.ts';
import { areaEstimate, brierEstimate, shareEstimate } from './statistics.ts';

/** Counts that a case adds to. */
type Count = Exclude<keyof CaseTotals, 'market' | 'rulesVersion' | 'age' | 'score'>;

const bands: readonly RiskLevel[] = ['Low Risk', 'Medium Risk', 'High Risk', 'Unknown'];

/** Returns the figures of every age from counts of one market and one version of the rules. */
export function ageReports(counts: readonly CaseTotals[]): AgeCalibration[] {
  return CALIBRATION_AGES.map((age) =>
    ageReport(
      age,
      counts.filter((one) => one.age === age),
    ),
  );
}

function ageReport(age: number, counts: readonly CaseTotals[]): AgeCalibration {
  const tallies = counts.map(({ score, cases, lost }) => ({ score, hits: lost, misses: cases - lost }));
  const inRange = (range: ScoreRange) => counts.filter(({ score }) => isIn(score, range));
  const inBand = (band: RiskLevel) => counts.filter(({ score }) => riskLevel(score) === band);
  return {
    age,
    cases: sum(counts, 'cases'),
    lost: rate(counts, 'lost', 'cases'),
    area: areaEstimate(tallies),
    brier: brierEstimate(tallies),
    bins: [...scoreBins, null].map((scores) => ({ scores, lost: rate(inRange(scores), 'lost', 'cases') })),
    bands: bands.map((band) => ({
      band,
      lost: rate(inBand(band), 'lost', 'cases'),
      doubled: rate(inBand(band), 'doubled', 'cases'),
    })),
    runners: {
      doubled: listFigures(counts, {
        listed: 'runners',
        listedEvents: 'runnersDoubled',
        events: 'doubled',
        cases: 'cases',
      }),
      graduated: listFigures(counts, {
        listed: 'runnersOnCurve',
        listedEvents: 'runnersGraduated',
        events: 'graduated',
        cases: 'onCurve',
      }),
    },
  };
}

function listFigures(
  counts: readonly CaseTotals[],
  of: { listed: Count; listedEvents: Count; events: Count; cases: Count },
): ListFigures {
  return {
    precision: rate(counts, of.listedEvents, of.listed),
    recall: rate(counts, of.listedEvents, of.events),
    base: rate(counts, of.events, of.cases),
  };
}

/** A token to compare with the coins before it. */
export interface ComparedToken {
  market: CalibrationMarket | null;
  /** ms; null when the creation is unknown. */
  age: number | null;
  score: number | null;
  runner: boolean;
}

/** Returns what happened to coins like a token, from counts of the rules `rulesVersion`. */
export function compareToken(
  token: ComparedToken,
  rulesVersion: number,
  counts: readonly CaseTotals[],
): TokenCalibration {
  const { market } = token;
  const age = token.age === null ? null : calibrationAge(token.age);
  const scores = scoreBin(token.score);
  if (market === null || age === null) {
    return { market, age, rulesVersion, scores, lost: null, runnersDoubled: null, anyDoubled: null };
  }
  const alike = counts.filter((one) => one.market === market && one.age === age && one.rulesVersion === rulesVersion);
  return {
    market,
    age,
    rulesVersion,
    scores,
    lost: rate(
      alike.filter(({ score }) => isIn(score, scores)),
      'lost',
      'cases',
    ),
    runnersDoubled: token.runner ? rate(alike, 'runnersDoubled', 'runners') : null,
    anyDoubled: rate(alike, 'doubled', 'cases'),
  };
}

function isIn(score: number | null, range: ScoreRange): boolean {
  if (range === null || score === null) return range === null && score === null;
  return score >= range.from && score <= range.to;
}

function rate(counts: readonly CaseTotals[], events: Count, cases: Count): Rate {
  const [happened, all] = [sum(counts, events), sum(counts, cases)];
  return { cases: all, events: happened, share: shareEstimate(happened, all) };
}

function sum(counts: readonly CaseTotals[], field: Count): number {
  let total = 0;
  for (const one of counts) total += one[field];
  return total;
}
