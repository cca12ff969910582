import { type Connection, type QueryFilter, Types } from 'mongoose';
import { DECISION_DAYS, DECISION_PAGE_DEFAULT } from '../../../common/decisions/model.ts';
import { DAY } from '../../../common/time.ts';
import { duplicateIndexes, ensureIndexes } from '../../platform/database.ts';
import type { Answer, Batch, Counts } from './buffer.ts';
import { decisionCountModel, decisionModel, lastDecisionModel } from './model.ts';
import type { DecisionCountRecord, DecisionRecord, LastDecisionRecord } from './record.ts';

const KEPT_MS = DECISION_DAYS * DAY;

/** Filter and page of a query. Ids are hexadecimal. */
export interface DecisionQuery {
  plan?: string | undefined;
  address?: string | undefined;
  /** Id of the last entry of the page before. */
  before?: string | undefined;
  limit?: number | undefined;
}

/** A plan and a token. */
export type Pair = Pick<Answer, 'planId' | 'address'>;

export type DecisionStore = Awaited<ReturnType<typeof openDecisionStore>>;

const idOf = (id: string) => new Types.ObjectId(id);

/** Opens the answers of this database and creates their indexes. */
export async function openDecisionStore(connection: Connection) {
  const decisions = decisionModel(connection);
  const counts = decisionCountModel(connection);
  const last = lastDecisionModel(connection);
  await ensureIndexes(decisions);
  await ensureIndexes(counts);
  await ensureIndexes(last);
  const unordered = { ordered: false } as const;

  return {
    /**
     * Stores a batch. Rejects when something may be missing: repeated before the next batch, it stores the missing parts alone.
     */
    async write(batch: Batch): Promise<void> {
      const id = idOf(batch.id);
      const answers = batch.answers.map((answer) => answerWrite(id, answer));
      if (answers.length > 0) await decisions.collection.bulkWrite(answers, unordered).catch(acceptRepeated);
      if (batch.last.length > 0) await last.collection.bulkWrite(batch.last.map(lastWrite), unordered);
      const added = batch.counts.map((of) => countWrite(id, of));
      if (added.length > 0) await counts.collection.bulkWrite(added, unordered).catch(acceptRepeated);
    },
    /** Returns a page of answers, newest first. Index: userId, _id; with a plan or an address between them. */
    list: (userId: string, { limit = DECISION_PAGE_DEFAULT, ...query }: DecisionQuery) =>
      decisions
        .find({ userId: idOf(userId), ...matching(query) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<DecisionRecord[]>()
        .exec(),
    /** Returns the entries of some pairs. Index: planId, address (unique). */
    ofPairs: (pairs: readonly Pair[]) =>
      pairs.length === 0
        ? Promise.resolve([])
        : decisions
            .find({ $or: pairs.map(({ planId, address }) => ({ planId: idOf(planId), address })) })
            .lean<DecisionRecord[]>()
            .exec(),
    /** Returns the counts of a plan by hour since a time. Index: planId, hour (unique). */
    counts: (userId: string, planId: string, since: Date) =>
      counts
        .find({ planId: idOf(planId), hour: { $gte: since }, userId: idOf(userId) })
        .lean<DecisionCountRecord[]>()
        .exec(),
    /** Returns the newest answer of each plan of a user. Index: userId. */
    last: (userId: string) =>
      last
        .find({ userId: idOf(userId) })
        .lean<LastDecisionRecord[]>()
        .exec(),
  };
}

function matching({ plan, address, before }: Omit<DecisionQuery, 'limit'>): QueryFilter<DecisionRecord> {
  return {
    ...(plan === undefined ? {} : { planId: idOf(plan) }),
    ...(address === undefined ? {} : { address }),
    ...(before === undefined ? {} : { _id: { $lt: idOf(before) } }),
  };
}

/** Fields that the newest answer replaces. */
function newestFields({ userId, outcome, reason, waits, at }: Answer) {
  return {
    userId: idOf(userId),
    outcome,
    reason,
    waits,
    lastAt: new Date(at),
    expiresAt: new Date(at + KEPT_MS),
  };
}

/** Accepts that documents have their part of a repeated batch: no filter matches them then, and no other one may have their keys. */
function acceptRepeated(error: unknown): void {
  duplicateIndexes(error);
}

function answerWrite(batch: Types.ObjectId, answer: Answer) {
  const { planId, plan, address, symbol, orderId, firstAt, count, isNew, isResumed } = answer;
  const kept = {
    ...(symbol === null ? {} : { symbol }),
    ...(orderId === null ? {} : { orderId: idOf(orderId) }),
    ...(isResumed ? { isResumed } : {}),
  };
  const first = { symbol: null, orderId: null, isResumed: false, firstAt: new Date(firstAt) };
  const missing = Object.fromEntries(Object.entries(first).filter(([name]) => !(name in kept)));
  const update = { $set: { ...newestFields(answer), plan, batch, ...kept }, $setOnInsert: missing, $inc: { count } };
  const filter = { planId: idOf(planId), address, batch: { $ne: batch } };
  // An hour may have only so many entries, so other answers change an entry alone.
  return { updateOne: { filter, update, upsert: isNew } };
}

function lastWrite(answer: Answer) {
  const { planId, address, symbol } = answer;
  const update = { $set: { ...newestFields(answer), address, symbol } };
  return { updateOne: { filter: { _id: idOf(planId) }, update, upsert: true } };
}

function countWrite(batch: Types.ObjectId, { planId, userId, hour, considered, dropped, lost }: Counts) {
  const ofReasons = Object.fromEntries(Object.entries(lost).map(([code, count]) => [`lost.${code}`, count]));
  const update = {
    $setOnInsert: { userId: idOf(userId), expiresAt: new Date(hour + KEPT_MS) },
    $set: { batch },
    $inc: { considered, dropped, ...ofReasons },
  };
  const filter = { planId: idOf(planId), hour: new Date(hour), batch: { $ne: batch } };
  return { updateOne: { filter, update, upsert: true } };
}
