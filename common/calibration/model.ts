import { z } from 'zod';

/** Markets that are never mixed: mainnet, the simulator, and replayed recordings. */
export const calibrationMarketSchema = z.enum(['live', 'simulated', 'replay']);
export type CalibrationMarket = z.infer<typeof calibrationMarketSchema>;

/** A figure with the bounds of its 95 % interval. */
const estimateSchema = z.strictObject({ value: z.number(), low: z.number(), high: z.number() });

/** How often an event happened. `share` is 0–1, null without cases. */
const rateSchema = z.strictObject({ cases: z.int(), events: z.int(), share: estimateSchema.nullable() });
export type Rate = z.infer<typeof rateSchema>;

/** Scores that count as alike, both bounds included; null: Unknown. */
const scoreRangeSchema = z.strictObject({ from: z.int(), to: z.int() }).nullable();
export type ScoreRange = z.infer<typeof scoreRangeSchema>;

/**
 * Settled cases of one day with the same market, rules, age and score. A case is a coin at that age with at least 0.5 SOL of
 * liquidity, and what happened to it within the hour that followed (see rules.ts).
 */
export const caseCountsSchema = z.strictObject({
  /** Day of the snapshot, UTC, `YYYY-MM-DD`. */
  day: z.iso.date(),
  market: calibrationMarketSchema,
  rulesVersion: z.int(),
  /** Age of the coins, ms. */
  age: z.int(),
  /** Risk 0–100, rounded up; null when it was unknown. */
  score: z.int().min(0).max(100).nullable(),
  cases: z.int(),
  /** Lost 80 % of their liquidity. */
  lost: z.int(),
  /** Reached twice their price. */
  doubled: z.int(),
  /** Were on their curve, and those of them that sold it out. */
  onCurve: z.int(),
  graduated: z.int(),
  /** The same counts for the cases that were in the runner list. */
  runners: z.int(),
  runnersDoubled: z.int(),
  runnersOnCurve: z.int(),
  runnersGraduated: z.int(),
});
export type CaseCounts = z.infer<typeof caseCountsSchema>;

/** Counts of all days. */
export type CaseTotals = Omit<CaseCounts, 'day'>;

/** What happened to coins like one token. Without `age` or `market` nothing comparable is measured, and the rates are null. */
export const tokenCalibrationSchema = z.strictObject({
  market: calibrationMarketSchema.nullable(),
  /** Age of the compared coins when they were scored, ms: the nearest at or below the token's; null before 30 s and beyond 2 h. */
  age: z.int().nullable(),
  rulesVersion: z.int(),
  scores: scoreRangeSchema,
  /** Coins with a score like this that lost 80 % of their liquidity within an hour. */
  lost: rateSchema.nullable(),
  /** Runners that doubled within an hour; null while the token is no runner. */
  runnersDoubled: rateSchema.nullable(),
  /** Coins of any score that doubled within an hour. */
  anyDoubled: rateSchema.nullable(),
});
export type TokenCalibration = z.infer<typeof tokenCalibrationSchema>;

/** Precision, recall and base rate of the runner list for one event. */
const listFiguresSchema = z.strictObject({
  /** Of the runners, those with the event. */
  precision: rateSchema,
  /** The runners among the coins with the event. */
  recall: rateSchema,
  /** Of all coins, those with the event. */
  base: rateSchema,
});
export type ListFigures = z.infer<typeof listFiguresSchema>;

/** Figures of the coins at one age. */
const ageCalibrationSchema = z.strictObject({
  age: z.int(),
  cases: z.int(),
  lost: rateSchema,
  /** How well the score separates coins that lose 80 % of their liquidity; null with fewer than two cases of either kind. */
  area: estimateSchema.nullable(),
  /** Null without a known score. */
  brier: estimateSchema.nullable(),
  /** By tenths of the scale, lowest first; Unknown last. */
  bins: z.array(z.strictObject({ scores: scoreRangeSchema, lost: rateSchema })),
  bands: z.array(
    z.strictObject({
      band: z.enum(['Low Risk', 'Medium Risk', 'High Risk', 'Unknown']),
      lost: rateSchema,
      doubled: rateSchema,
    }),
  ),
  runners: z.strictObject({ doubled: listFiguresSchema, graduated: listFiguresSchema }),
});
export type AgeCalibration = z.infer<typeof ageCalibrationSchema>;

/** Snapshots that give no case. */
const leftOutSchema = z.strictObject({
  /** Less than 0.5 SOL of liquidity, or an unknown one. */
  small: z.int(),
  /** The server did not run during part of the hour. */
  interrupted: z.int(),
  /** Trades of the coin were missed. */
  incomplete: z.int(),
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** How often the verdict was right, by the present rules, in one market. */
export const calibrationReportSchema = z.strictObject({
  at: z.iso.datetime(),
  market: calibrationMarketSchema,
  rulesVersion: z.int(),
  /** Day of the oldest case; null without one. */
  since: z.iso.date().nullable(),
  /** Snapshots whose hour is still running. */
  pending: z.int(),
  leftOut: leftOutSchema,
  ages: z.array(ageCalibrationSchema),
});
export type CalibrationReport = z.infer<typeof calibrationReportSchema>;
