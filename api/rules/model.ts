import type { Connection, Model } from 'mongoose';
import type { PlanSwitch } from '../plans/active-since.ts';
import { type UserDocument, userDocumentSchema } from '../users/user-documents.ts';

/** An auto-buy rule as stored in `rules`, beside the fields of every user document. */
export interface RuleFields extends PlanSwitch {
  name: string;
  buyLamports: number;
  minLiquidityLamports: number;
  /** Percent 0–100, both. */
  maxRisk: number;
  maxSlippage: number;
  buyUnknownRisk: boolean;
  buyWithinSeconds: number | null;
}

export type RuleRecord = UserDocument & RuleFields;

const ruleSchema = userDocumentSchema('rules', {
  name: { type: String, required: true },
  buyLamports: { type: Number, required: true },
  minLiquidityLamports: { type: Number, required: true },
  maxRisk: { type: Number, required: true },
  maxSlippage: { type: Number, required: true },
  isActive: { type: Boolean, required: true },
  activeSince: { type: Number },
  buyUnknownRisk: { type: Boolean, default: false },
  buyWithinSeconds: { type: Number, default: null },
});

// Counts the active rules of all users, and how many of them buy.
ruleSchema.index({ isActive: 1 }, { partialFilterExpression: { isActive: true } });

export function ruleModel(connection: Connection): Model<UserDocument> {
  return connection.model<UserDocument>('Rule', ruleSchema);
}
