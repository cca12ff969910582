import { z } from 'zod';
import { progressSchema } from '../strategies/progress.ts';
import { addressSchema } from '../tokens/model.ts';
import { signedLamportsSchema } from '../trading/amounts.ts';
import { reasonCodes, reasonSchema } from '../trading/reasons.ts';
import { idSchema } from '../users/model.ts';

/** Days for which decisions and their counts are kept. */
export const DECISION_DAYS = 7;
/** Default and largest page of decisions. */
export const DECISION_PAGE_DEFAULT = 50;
export const DECISION_PAGE_MAX = 200;

/** A rule or strategy, as it was called last. */
const planNameSchema = z.strictObject({
  id: idSchema,
  kind: z.enum(['rule', 'strategy']),
  name: z.string(),
});
export type PlanName = z.infer<typeof planNameSchema>;

/** `ordered`: its order is on the way. `tried`: its order ended without a trade. */
export const decisionOutcomes = ['bought', 'ordered', 'tried', 'not-bought'] as const;
const decisionOutcomeSchema = z.enum(decisionOutcomes);
export type DecisionOutcome = z.infer<typeof decisionOutcomeSchema>;

/** How far a token is with each condition of a plan. `needsAll`: whether all conditions must be met, rather than any one. */
const waitsSchema = z.strictObject({ progress: z.array(progressSchema), needsAll: z.boolean() });
export type Waits = z.infer<typeof waitsSchema>;

/** The last answer of a plan to a token: bought, or why not. */
export const decisionSchema = z.strictObject({
  id: idSchema,
  plan: planNameSchema,
  address: addressSchema,
  symbol: z.string().nullable(),
  outcome: decisionOutcomeSchema,
  /** Null while it has bought, or is about to. */
  reason: reasonSchema.nullable(),
  /** What its conditions waited for at `lastAt`, when they were no longer met; null otherwise. */
  waits: waitsSchema.nullable(),
  firstAt: z.iso.datetime(),
  /** Time of the answer's figures. */
  lastAt: z.iso.datetime(),
  /** How many times the answer has changed, the first one included. New figures of the same reason are no change. */
  count: z.int().min(1),
  orderId: idSchema.nullable(),
  /** Whether the windows of its conditions began before a restart of the server. */
  isResumed: z.boolean(),
});
export type Decision = z.infer<typeof decisionSchema>;

/** Answers of a plan in the last 7 days. */
export const decisionCountsSchema = z.strictObject({
  /** Tokens whose conditions were met, or that a list or the account refused. */
  considered: z.int().min(0),
  /** Answers that were counted only: too many at a time, or the database was slow. */
  dropped: z.int().min(0),
  /** How many tokens are not bought for each reason: each counts once, with the last one. Most frequent first. */
  reasons: z.array(z.strictObject({ code: z.enum(reasonCodes), count: z.int().min(1) })),
});
export type DecisionCounts = z.infer<typeof decisionCountsSchema>;

/** The answer of one plan to a token at the present moment. */
const explanationSchema = z.strictObject({
  plan: planNameSchema,
  isActive: z.boolean(),
  /** Why it does not buy now; null when it has bought, or is about to, and while `isDeciding` is false. */
  reason: reasonSchema.nullable(),
  /** Whether all conditions must be met, rather than any one. */
  needsAll: z.boolean(),
  /** How far the token is with each condition; empty for a token that is not followed. */
  progress: z.array(progressSchema),
  /** The last stored answer; null without one in 7 days. */
  last: decisionSchema.nullable(),
});
export type Explanation = z.infer<typeof explanationSchema>;

/** Answers of all plans of a user to a token. */
export const explainedTokenSchema = z.strictObject({
  /** Whether this server decides at present; without it `reason` is not known. */
  isDeciding: z.boolean(),
  /** Active ones first. */
  plans: z.array(explanationSchema),
  at: z.iso.datetime(),
});
export type ExplainedToken = z.infer<typeof explainedTokenSchema>;

/** The newest answer of a plan to any token. */
const lastAnswerSchema = decisionSchema.pick({
  address: true,
  symbol: true,
  outcome: true,
  reason: true,
  waits: true,
  lastAt: true,
});
export type LastAnswer = z.infer<typeof lastAnswerSchema>;

/** Results of a plan in the mode in force, with its last answer. */
export const planResultsSchema = z.strictObject({
  planId: idSchema,
  /** Positions that it has opened, and how many are still open. */
  bought: z.int().min(0),
  open: z.int().min(0),
  /** Of all sales. */
  realisedLamports: signedLamportsSchema,
  /** Null without one in 7 days. */
  last: lastAnswerSchema.nullable(),
});
export type PlanResults = z.infer<typeof planResultsSchema>;
