import { type Connection, type Model, Schema } from 'mongoose';
import type { Configuration, StrategyType } from '../../common/strategies/model.ts';
import type { PlanSwitch } from '../plans/active-since.ts';
import { type UserDocument, userDocumentSchema } from '../users/user-documents.ts';

/** A buying strategy as stored in `strategies`, beside the fields of every user document. */
export interface StrategyFields extends PlanSwitch {
  name: string;
  description: string;
  type: StrategyType;
  buyLamports: number;
  /** Percent, as are the limits below; null where none was given. */
  maxSlippage: number;
  stopLoss: number | null;
  takeProfit: number | null;
  minLiquidityLamports: number | null;
  maxScamProbability: number | null;
  buyUnknownRisk: boolean;
  buyWithinSeconds: number | null;
  /** As built by the form. */
  configuration: Configuration;
}

export type StrategyRecord = UserDocument & StrategyFields;

const figure = { type: Number, default: null };

const strategySchema = userDocumentSchema('strategies', {
  name: { type: String, required: true },
  description: { type: String, default: '' },
  type: { type: String, required: true },
  isActive: { type: Boolean, required: true },
  activeSince: { type: Number },
  buyLamports: { type: Number, required: true },
  maxSlippage: { type: Number, required: true },
  stopLoss: figure,
  takeProfit: figure,
  minLiquidityLamports: figure,
  maxScamProbability: figure,
  buyUnknownRisk: { type: Boolean, default: false },
  buyWithinSeconds: { type: Number, default: null },
  configuration: { type: Schema.Types.Mixed, required: true },
});

// Counts the active strategies of all users, and how many of them buy.
strategySchema.index({ isActive: 1 }, { partialFilterExpression: { isActive: true } });

export function strategyModel(connection: Connection): Model<UserDocument> {
  return connection.model<UserDocument>('Strategy', strategySchema);
}
