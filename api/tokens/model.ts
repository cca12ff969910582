import { type Connection, type Model, Schema } from 'mongoose';
import type { SampleRecord, TokenRecord, TradeRecord } from './record.ts';

const DAY_SECONDS = 86_400;

const { Mixed } = Schema.Types;
const amount = { type: Number, default: null };
const text = { type: String, default: null };

/** Name of the field `reported` in databases of earlier versions. */
export const FORMER_REPORTED = 'told';

const tokenSchema = new Schema<TokenRecord>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    name: text,
    symbol: text,
    uri: text,
    decimals: amount,
    totalSupply: text,
    creator: text,
    creationUser: text,
    creationFeePayer: text,
    feeCreator: text,
    funders: Mixed,
    createdAt: amount,
    createdSlot: amount,
    detectedAt: { type: Number, required: true },
    lastUpdated: { type: Number, required: true },
    listedAt: { type: Number, required: true },
    stage: { type: String, required: true },
    quote: { type: String, required: true },
    launchpad: { type: String, required: true },
    detectedBy: { type: String, required: true },
    cluster: text,
    mayhem: { type: Boolean, default: null },
    bondingCurve: text,
    pool: text,
    reserves: Mixed,
    reservesVenue: String,
    migratedAt: Number,
    price: amount,
    initialLiquidityLamports: amount,
    liquidityLamports: amount,
    peakLiquidityLamports: amount,
    peakPrice: amount,
    volumeByHour: Mixed,
    volumeMinutes: Mixed,
    runningMinute: Mixed,
    marketCapUsd: amount,
    volumeUsd: amount,
    holderCount: amount,
    topHolders: Mixed,
    holdersFrozen: Boolean,
    buys: { type: Number, required: true },
    sells: { type: Number, required: true },
    complete: { type: Boolean, required: true },
    sinceCreation: Boolean,
    tradesMissed: Number,
    facts: Mixed,
    riskScore: amount,
    riskCoverage: { type: Number, required: true },
    riskReason: text,
    riskRulesVersion: amount,
    growthScore: amount,
    outsideBuyers: amount,
    runner: { type: Boolean, required: true },
    mightRun: { type: Boolean, required: true },
    rugged: { type: Boolean, required: true },
    drained: { type: Boolean, default: false },
    spark: Mixed,
    openSample: Mixed,
    fieldSources: Mixed,
    reported: Mixed,
    lastTradeAt: amount,
    insiderSoldAt: amount,
    lastSignature: text,
    storedAt: amount,
    publishedAt: amount,
    keepUntil: { type: Date, required: true },
  },
  { collection: 'tokens', versionKey: false, id: false, minimize: false },
);
// Newest first, and the pages that follow.
tokenSchema.index({ listedAt: -1, _id: -1 });
// The two short lists, loaded at the start: only their members are indexed.
tokenSchema.index({ runner: 1, listedAt: -1, _id: -1 }, { partialFilterExpression: { runner: true } });
tokenSchema.index({ mightRun: 1, listedAt: -1, _id: -1 }, { partialFilterExpression: { mightRun: true } });
// Rugs, which count against their creators; read at the start.
tokenSchema.index({ rugged: 1, listedAt: -1 }, { partialFilterExpression: { rugged: true } });
// Scores of earlier rules, which the market computes again after its start.
tokenSchema.index({ riskRulesVersion: 1 });
// Figures under their former name, which the market renames at its start. Only records that have them are indexed.
tokenSchema.index({ [FORMER_REPORTED]: 1 }, { sparse: true });
// Retention; also finds tokens updated lately.
tokenSchema.index({ keepUntil: 1 }, { expireAfterSeconds: 0 });

/** Indexes of earlier versions, by name; dropped at the start, since each would cost a part of every write. */
export const formerTokenIndexes = ['searchTerms_1_listedAt_-1', 'listedHour_1_initialLiquidityLamports_-1'] as const;

const tradeSchema = new Schema<TradeRecord>(
  {
    _id: { type: String, required: true },
    address: { type: String, required: true },
    at: { type: Date, required: true },
    side: { type: String, required: true },
    wallet: { type: String, required: true },
    lamports: amount,
    amount: { type: Number, required: true },
    price: amount,
    signature: text,
    slot: amount,
  },
  { collection: 'trades', versionKey: false, id: false },
);
tradeSchema.index({ address: 1, at: -1 });
// Retention; also reads the newest trades of all tokens at the start.
tradeSchema.index({ at: 1 }, { expireAfterSeconds: DAY_SECONDS });

const sampleSchema = new Schema<SampleRecord>(
  {
    address: { type: String, required: true },
    at: { type: Date, required: true },
    grain: { type: String, required: true },
    price: amount,
    open: Number,
    high: Number,
    low: Number,
    liquidityLamports: amount,
    volumeLamports: { type: Number, required: true },
    holders: amount,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'samples', versionKey: false, id: false },
);
sampleSchema.index({ address: 1, grain: 1, at: 1 });
sampleSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Newest SOL/USD rate, stored for the next start. */
export interface RateRecord {
  _id: 'SOL/USD';
  solUsd: number;
  /** Epoch ms. */
  at: number;
  source: string;
}

const rateSchema = new Schema<RateRecord>(
  {
    _id: { type: String, required: true },
    solUsd: { type: Number, required: true },
    at: { type: Number, required: true },
    source: { type: String, required: true },
  },
  { collection: 'rates', versionKey: false, id: false },
);

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
