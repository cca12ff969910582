import mongoose from 'mongoose';
import type { ReplayResult } from '../../../common/replay/model.ts';
import type { Exits, TradingMode } from '../../../common/trading/account.ts';
import type { CoreAccount } from '../core/model.ts';
import type { OrderRecord } from '../orders/record.ts';
import type { Delays } from '../paper/paper-delay.ts';
import type { PositionFillRecord } from '../positions/record.ts';
import type { DeskOpening } from './desk/desk.ts';
import type { OwnPlan } from './run-task.ts';

/** Everything that a run needs, so that its thread reads nothing but the tape. */
export interface ReplayJob {
  dir: string;
  hour: string;
  /** When live orders were read, epoch ms: an hour that is being recorded is run up to then. */
  until: number;
  userId: string;
  wallet: string;
  plans:
    | (OwnPlan & { delays: Delays })
    /** The user's plans as recorded, filled on paper with money of the run. */
    | { type: 'filled'; ids: string[]; account: CoreAccount; delays: Delays }
    /** `ids`: all plans of the user, also inactive ones. */
    | { type: 'recorded'; ids: string[] };
  defaultExits: Exits;
  opening: DeskOpening;
  live: LiveHour;
}

/** The orders that plans of a user really made within an hour, and the effects of all orders of their mode on positions. */
export interface LiveHour {
  /** Null when they made none. */
  mode: TradingMode | null;
  orders: OrderRecord[];
  fills: PositionFillRecord[];
}

/** A message of a run's thread. `progress`: 0–1. */
export type ReplayMessage = { type: 'progress'; progress: number } | { type: 'result'; result: ReplayResult };

// The library of the records, so that their ids and dates arrive as such.
const { EJSON } = mongoose.mongo.BSON;

/** Returns a job as text for another thread. */
export function jobText(job: ReplayJob): string {
  return EJSON.stringify(job);
}

/** Returns the job of a text. */
export function jobOf(text: string): ReplayJob {
  const job: ReplayJob = EJSON.parse(text);
  return job;
}
