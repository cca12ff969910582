import type { Types } from 'mongoose';
import type { DecisionOutcome, PlanName, Waits } from '../../../common/decisions/model.ts';
import type { Reason, ReasonCode } from '../../../common/trading/reasons.ts';

/** A plan's name in `decisions`. */
export type PlanNameRecord = Pick<PlanName, 'kind' | 'name'>;

/** The last answer of a plan to a token, in `decisions`. Ends 7 days after its last change. */
export interface DecisionRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  planId: Types.ObjectId;
  plan: PlanNameRecord;
  address: string;
  symbol: string | null;
  outcome: DecisionOutcome;
  /** Null while it has bought, or is about to. */
  reason: Reason | null;
  waits: Waits | null;
  orderId: Types.ObjectId | null;
  firstAt: Date;
  lastAt: Date;
  count: number;
  /** The batch that changed it last. */
  batch: Types.ObjectId;
  isResumed: boolean;
  expiresAt: Date;
}

/** What a plan has answered to the tokens that it considered first within an hour, in `decisionCounts`. Ends 7 days later. */
export interface DecisionCountRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  planId: Types.ObjectId;
  /** Its begin. */
  hour: Date;
  considered: number;
  dropped: number;
  /** Tokens not bought, by their last reason. */
  lost: Partial<Record<ReasonCode, number>>;
  batch?: Types.ObjectId;
  expiresAt: Date;
}

/** The newest answer of a plan to any token, in `lastDecisions`: one document a plan. */
export interface LastDecisionRecord {
  /** Id of the plan. */
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  address: string;
  symbol: string | null;
  outcome: DecisionOutcome;
  reason: Reason | null;
  waits?: Waits | null;
  lastAt: Date;
  expiresAt: Date;
}
