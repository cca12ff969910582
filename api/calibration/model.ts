import { type Connection, Schema } from 'mongoose';
import { DAY } from '../../common/time.ts';
import type { OpenCase } from './case.ts';
import type { DayRecord } from './day-counts.ts';

const amount = { type: Number, default: null };
const text = { type: String, required: true };
const number = { type: Number, required: true };
const flag = { type: Boolean, required: true };
const options = { versionKey: false, id: false, minimize: false } as const;

/** An open case in storage. */
export interface CaseRecord extends OpenCase {
  /** Expiry of a case that no server settles any more. */
  expiresAt: Date;
}

const caseSchema = new Schema<CaseRecord>(
  {
    _id: text,
    address: text,
    market: text,
    rulesVersion: number,
    age: number,
    takenAt: number,
    settlesAt: number,
    score: amount,
    coverage: number,
    growth: amount,
    runner: flag,
    mightRun: flag,
    stage: text,
    liquidity: number,
    price: amount,
    lowestLiquidity: number,
    highestPrice: amount,
    graduated: flag,
    complete: flag,
    expiresAt: { type: Date, required: true },
  },
  { ...options, collection: 'calibrationcases' },
);
// Removal of a token.
caseSchema.index({ address: 1 });
caseSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const daySchema = new Schema<DayRecord>(
  {
    _id: text,
    day: text,
    market: text,
    rulesVersion: number,
    age: number,
    scores: { type: Schema.Types.Mixed, required: true },
    small: number,
    interrupted: number,
    incomplete: number,
    settledThrough: number,
    expiresAt: { type: Date, required: true },
  },
  { ...options, collection: 'calibrationdays' },
);
daySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** When the server last recorded cases, to notice a gap at the next start. */
export interface RunRecord {
  _id: 'run';
  /** Its last round, epoch ms. */
  aliveAt: number;
}

const runSchema = new Schema<RunRecord>({ _id: text, aliveAt: number }, { ...options, collection: 'calibrationruns' });

/** How long a case outlives its hour in storage, ms. */
export const CASE_RETENTION = DAY;

export type CalibrationModels = ReturnType<typeof calibrationModels>;

export function calibrationModels(connection: Connection) {
  return {
    cases: connection.model<CaseRecord>('CalibrationCase', caseSchema),
    days: connection.model<DayRecord>('CalibrationDay', daySchema),
    runs: connection.model<RunRecord>('CalibrationRun', runSchema),
  };
}
