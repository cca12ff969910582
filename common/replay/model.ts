import { z } from 'zod';
import { ruleInputSchema } from '../rules/model.ts';
import { fittingType, strategyFieldsSchema } from '../strategies/model.ts';
import { addressSchema } from '../tokens/model.ts';
import { tradingModeSchema } from '../trading/account.ts';
import { lamportsSchema, signedLamportsSchema } from '../trading/amounts.ts';
import { reasonSchema } from '../trading/reasons.ts';
import { idSchema } from '../users/model.ts';

/** Name of an hour (UTC), such as `2026-11-23T05`. */
const hourSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}$/, 'is not an hour such as 2026-11-23T05');

const spanSchema = z.strictObject({ from: z.iso.datetime(), to: z.iso.datetime() });

/** A recorded hour. */
const replayHourSchema = z.strictObject({
  hour: hourSchema,
  /** First and last entry. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Times without entries, the begin and the end of the hour included. */
  gaps: z.array(spanSchema),
  /** Price steps, facts and changes of plans. */
  changes: z.int(),
  bytes: z.int(),
});
export type ReplayHour = z.infer<typeof replayHourSchema>;

export const replayHoursSchema = z.strictObject({
  /** Whether hours are recorded at present. */
  isRecording: z.boolean(),
  /** Newest first. */
  hours: z.array(replayHourSchema),
});
export type ReplayHours = z.infer<typeof replayHoursSchema>;

/** Trades and refusals that a result lists, at most. */
export const REPLAY_ROWS_MAX = 200;

/** The plan of a run, as it is now or as edited. `id`: of the stored plan, whose live trades stand beside the run; null without one. */
const replayPlanSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rule'), id: idSchema.nullable(), rule: ruleInputSchema }),
  z.strictObject({ kind: z.literal('strategy'), id: idSchema.nullable(), strategy: fittingType(strategyFieldsSchema) }),
]);
export type ReplayPlan = z.infer<typeof replayPlanSchema>;

export const newReplaySchema = z.strictObject({ hour: hourSchema, plan: replayPlanSchema });
export type NewReplay = z.input<typeof newReplaySchema>;

/** A sale of a bought position. */
const replaySaleSchema = z.strictObject({
  /** Name of the exit; null for a sale by hand or by a stop. */
  exit: z.string().nullable(),
  at: z.iso.datetime(),
  /** Received after the launchpad's fee. */
  lamports: lamportsSchema,
});

/** A purchase, with everything that followed. */
const replayTradeSchema = z.strictObject({
  address: addressSchema,
  symbol: z.string().nullable(),
  planName: z.string(),
  /** Time of the decision. */
  at: z.iso.datetime(),
  state: z.enum(['open', 'closed', 'failed']),
  /** Paid to the launchpad with its fee; 0 when it failed. */
  lamports: lamportsSchema,
  /** Average price without fees, SOL for one whole token; null when it failed. */
  price: z.number().nullable(),
  sales: z.array(replaySaleSchema),
  /** Launchpad, network, priority fees and tips. */
  feesLamports: lamportsSchema,
  /** With all fees; an open position counts with what its sale returns: in a run at its end, else now. Null while that is unknown. */
  resultLamports: signedLamportsSchema.nullable(),
  /** Why it failed. */
  failure: reasonSchema.nullable(),
});
export type ReplayTrade = z.infer<typeof replayTradeSchema>;

const replaySumsSchema = z.strictObject({
  bought: z.int(),
  failed: z.int(),
  closed: z.int(),
  open: z.int(),
  /** Everything that left for purchases, with all fees, without rents that come back. */
  spentLamports: lamportsSchema,
  feesLamports: lamportsSchema,
  realisedLamports: signedLamportsSchema,
  /** Realised, and what sales of everything else would return less its cost; null when one is unknown. */
  resultLamports: signedLamportsSchema.nullable(),
});
export type ReplaySums = z.infer<typeof replaySumsSchema>;

const sideSchema = z.strictObject({
  /** Oldest first, at most `REPLAY_ROWS_MAX`. */
  trades: z.array(replayTradeSchema),
  sums: replaySumsSchema,
});
export type ReplaySide = z.infer<typeof sideSchema>;

export const replayResultSchema = z.strictObject({
  /** Part of the hour that was run. */
  ...spanSchema.shape,
  gaps: z.array(spanSchema),
  /** Tokens that the plan could consider: detected within the hour, and new. */
  considered: z.int(),
  replay: sideSchema,
  /** What the plan really bought in the hour, and what became of it until now. `mode`: null when it made no order. */
  live: sideSchema.extend({ mode: tradingModeSchema.nullable() }),
  /** Tokens that were not bought, each counted once with the last reason against it, most first. */
  refusals: z.array(z.strictObject({ reason: reasonSchema, count: z.int() })),
});
export type ReplayResult = z.infer<typeof replayResultSchema>;

export const replayRunSchema = z.strictObject({
  id: idSchema,
  hour: hourSchema,
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** Part of the hour that is done, 0–1. */
  progress: z.number().min(0).max(1),
  /** Null until it is done. */
  result: replayResultSchema.nullable(),
});
export type ReplayRun = z.infer<typeof replayRunSchema>;
