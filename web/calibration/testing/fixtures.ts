import type { CalibrationReport, CaseCounts } from '../../../common/calibration/model.ts';
import { ageReports } from '../../../common/calibration/report.ts';
import { CALIBRATION_AGES } from '../../../common/calibration/rules.ts';

/** Coins by score, and those of them that lost their liquidity. */
const LOSSES: readonly (readonly [score: number | null, cases: number, lost: number])[] = [
  [8, 420, 21],
  [18, 610, 52],
  [27, 380, 49],
  [35, 540, 131],
  [46, 700, 250],
  [58, 260, 133],
  [66, 150, 88],
  [78, 90, 66],
  [90, 410, 372],
  [null, 900, 190],
];

/** Counts of a market with 4,460 cases at each age. */
export const counts: CaseCounts[] = CALIBRATION_AGES.flatMap((age) =>
  LOSSES.map(([score, cases, lost]) => ({
    day: '2026-11-20',
    market: 'simulated',
    rulesVersion: 2,
    age,
    score,
    cases,
    lost,
    doubled: Math.round(cases / 9),
    onCurve: cases,
    graduated: Math.round(cases / 120),
    runners: score === 18 ? 240 : 0,
    runnersDoubled: score === 18 ? 62 : 0,
    runnersOnCurve: score === 18 ? 240 : 0,
    runnersGraduated: score === 18 ? 4 : 0,
  })),
);

export const report: CalibrationReport = {
  at: '2026-11-22T10:00:00.000Z',
  market: 'simulated',
  rulesVersion: 2,
  since: '2026-11-20',
  pending: 1_204,
  leftOut: { small: 2_310, interrupted: 12, incomplete: 3 },
  ages: ageReports(counts),
};

export const emptyReport: CalibrationReport = {
  ...report,
  market: 'live',
  since: null,
  pending: 0,
  leftOut: { small: 0, interrupted: 0, incomplete: 0 },
  ages: ageReports([]),
};
