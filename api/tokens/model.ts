import { type Connection, type Model, Schema } from 'mongoose';
import type { SampleRecord, TokenRecord, TradeRecord } from './record.ts';

const DAY_SECONDS = 86_400;

/** The market writes past the models, and reads are lean, so the schemas have the keys and indexes alone: record.ts has the fields. */
const options = { strict: false, versionKey: false, id: false, minimize: false } as const;
const _id = { type: String, required: true } as const;

const tokenSchema = new Schema<TokenRecord>({ _id }, { ...options, collection: 'tokens' });
// Newest first, and the pages that follow.
tokenSchema.index({ listedAt: -1, _id: -1 });
// The two short lists, loaded at the start: only their members are indexed.
tokenSchema.index({ runner: 1, listedAt: -1, _id: -1 }, { partialFilterExpression: { runner: true } });
tokenSchema.index({ mightRun: 1, listedAt: -1, _id: -1 }, { partialFilterExpression: { mightRun: true } });
// Rugs, which count against their creators; read at the start.
tokenSchema.index({ rugged: 1, listedAt: -1 }, { partialFilterExpression: { rugged: true } });
// The coins of a creator: of the wallet that signed them, or, while that is unknown, that they name.
tokenSchema.index({ creationUser: 1, listedAt: -1 });
tokenSchema.index({ creator: 1, listedAt: -1 });
// Scores of earlier rules, which the market computes again after its start.
tokenSchema.index({ riskRulesVersion: 1 });
// A number belongs to one token. Also finds the highest one at the start.
tokenSchema.index({ number: 1 }, { unique: true, partialFilterExpression: { number: { $gt: 0 } } });
// Retention; also finds tokens updated lately.
tokenSchema.index({ keepUntil: 1 }, { expireAfterSeconds: 0 });

const tradeSchema = new Schema<TradeRecord>({ _id }, { ...options, collection: 'trades' });
tradeSchema.index({ address: 1, at: -1 });
// Retention; also reads the newest trades of all tokens at the start.
tradeSchema.index({ at: 1 }, { expireAfterSeconds: DAY_SECONDS });

const sampleSchema = new Schema<SampleRecord>({}, { ...options, collection: 'samples' });
sampleSchema.index({ address: 1, grain: 1, at: 1 });
sampleSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Newest SOL/USD rate, stored for the next start. */
export interface RateRecord {
  _id: 'SOL/USD';
  /** Dollars for 1 SOL. */
  solUsd: number;
  /** Epoch ms. */
  at: number;
  source: string;
}

const rateSchema = new Schema<RateRecord>({ _id }, { ...options, collection: 'rates' });

export interface TokenModels {
  tokens: Model<TokenRecord>;
  trades: Model<TradeRecord>;
  samples: Model<SampleRecord>;
  rates: Model<RateRecord>;
}

/** Returns the token collections on a connection. The market creates their indexes at its start. */
export function tokenModels(connection: Connection): TokenModels {
  return {
    tokens: connection.model<TokenRecord>('Token', tokenSchema),
    trades: connection.model<TradeRecord>('Trade', tradeSchema),
    samples: connection.model<SampleRecord>('Sample', sampleSchema),
    rates: connection.model<RateRecord>('Rate', rateSchema),
  };
}
