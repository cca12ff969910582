import { type Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import { z } from 'zod';
import { DUPLICATE_KEY } from '../../platform/database.ts';
import type { TokenModels } from '../../tokens/model.ts';
import type { StampedSample, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { type JournalEntry, journalModel } from './journal.ts';

/** One token's part of a write: the whole record, or the changed fields. */
export type TokenWrite =
  | { address: string; replace: TokenRecord }
  | { address: string; set: Readonly<Record<string, unknown>> };

export interface WriteBatch {
  journal: readonly JournalEntry[];
  tokens: readonly TokenWrite[];
  trades: readonly TradeRecord[];
  samples: readonly StampedSample[];
  rate: Rate | null;
  /** Entries of the journal below this position are deleted after the write; null: none. */
  journalBelow: number | null;
}

/** A whole backlog takes longer than a request may, ms. */
const WRITE_TIMEOUT = 10_000;
const writeOptions = { ordered: false, writeConcern: { w: 'majority', j: true } } as const;

/** A statement of the update command: `u` is a replacement or a `$set`. */
interface UpdateStatement {
  q: mongo.BSON.Document;
  u: mongo.BSON.Document;
  upsert?: true;
}

/** Creates the write of a batch. It resolves once everything is in the journal, and may be repeated after a failure. */
export function createBulkWrite(
  connection: Connection,
  { tokens, trades, samples, rates }: TokenModels,
  log: Logger,
): (batch: WriteBatch) => Promise<void> {
  const journal = journalModel(connection);
  // Commands, past the models and the driver's bulk write: casting thousands of documents a second would cost more than
  // writing them, and the bulk write measures each document before it is serialized.
  async function write(statements: readonly object[], command: mongo.BSON.Document): Promise<void> {
    if (statements.length === 0) return;
    const response = await connection.db?.command({ ...command, ...writeOptions }, { timeoutMS: WRITE_TIMEOUT });
    // A duplicate insert was written by an earlier attempt whose response was lost.
    const isExpected = (code: number) => code === DUPLICATE_KEY && 'insert' in command;
    reportRefused(writeResponseSchema.parse(response), isExpected, (refused) =>
      log.error({ ...refused, collection: command.insert ?? command.update }, 'documents refused by MongoDB'),
    );
  }
  const insert = (model: AnyModel, documents: readonly object[]) =>
    write(documents, { insert: model.collection.name, documents });
  const update = (model: AnyModel, updates: readonly UpdateStatement[]) =>
    write(updates, { update: model.collection.name, updates });

  return async (batch) => {
    // The journal and the rows first: if the process ends in between, the tokens follow from them.
    await insert(journal, batch.journal);
    await allSettled([
      insert(trades, batch.trades),
      insert(
        samples,
        batch.samples.filter(({ grain }) => grain === 'full'),
      ),
      update(samples, batch.samples.filter(({ grain }) => grain !== 'full').map(sampleStatement)),
      batch.rate && rates.replaceOne({ _id: 'SOL/USD' }, batch.rate, { upsert: true }).exec(),
    ]);
    await update(tokens, batch.tokens.map(tokenStatement));
    const { journalBelow } = batch;
    if (journalBelow !== null) await journal.deleteMany({ _id: { $lt: journalBelow } }).exec();
    const isEmpty = batch.journal.length + batch.tokens.length + batch.trades.length + batch.samples.length === 0;
    // An empty batch checks whether the database is available.
    if (isEmpty) await tokens.findById('', { _id: 1 }).lean().exec();
  };
}

interface AnyModel {
  collection: { name: string };
}

/** Waits for all even when one fails: the next write must not run in parallel with the rest of this one. */
async function allSettled(promises: readonly unknown[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}

/** Replaced, since a late trade may change the point of its minute or hour. */
function sampleStatement({ _id, ...sample }: StampedSample): UpdateStatement {
  const { address, grain, at } = sample;
  return { q: { address, grain, at }, u: sample, upsert: true };
}

function tokenStatement(write: TokenWrite): UpdateStatement {
  const q = { _id: write.address };
  return 'replace' in write ? { q, u: write.replace, upsert: true } : { q, u: { $set: write.set } };
}

const writeResponseSchema = z.object({
  writeErrors: z.array(z.object({ code: z.number(), errmsg: z.string() })).default([]),
  writeConcernError: z.object({ code: z.number(), errmsg: z.string() }).optional(),
});

/** Reports documents that would fail forever. Throws when the write is not in the journal, so that it is repeated whole. */
function reportRefused(
  { writeErrors, writeConcernError }: z.infer<typeof writeResponseSchema>,
  isExpected: (code: number) => boolean,
  report: (refused: { count: number; reason: string }) => void,
): void {
  if (writeConcernError !== undefined) throw new mongo.MongoServerError(writeConcernError);
  const refused = writeErrors.filter(({ code }) => !isExpected(code));
  const [first] = refused;
  if (first !== undefined) report({ count: refused.length, reason: first.errmsg });
}
