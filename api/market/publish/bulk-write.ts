import { type Collection, type Connection, mongo } from 'mongoose';
import type { Logger } from 'pino';
import { DUPLICATE_KEY } from '../../platform/database.ts';
import type { TokenModels } from '../../tokens/model.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import type { Rate } from '../token/merge/sol-rate.ts';

/** One token's part of a write: the whole record, or the changed fields. */
export type TokenWrite =
  | { address: string; replace: TokenRecord }
  | { address: string; set: Readonly<Record<string, unknown>> };

/** A sample with its id, so that a second attempt writes no second document. */
export type StampedSample = SampleRecord & { _id: mongo.ObjectId };

export function stamped(sample: SampleRecord): StampedSample {
  return { _id: new mongo.ObjectId(), ...sample };
}

export interface WriteBatch {
  tokens: readonly TokenWrite[];
  trades: readonly TradeRecord[];
  samples: readonly StampedSample[];
  rate: Rate | null;
}

/** A whole backlog takes longer than a request may, ms. */
const WRITE_TIMEOUT = 10_000;
const writeOptions = { ordered: false, writeConcern: { w: 1, journal: true }, timeoutMS: WRITE_TIMEOUT } as const;

/** From this many operations on, two commands in parallel are faster than one. */
const WORTH_HALVING = 100;

/** Any of our documents. */
interface AnyDocument extends mongo.BSON.Document {
  _id: string | mongo.ObjectId;
}
type Operation = mongo.AnyBulkWriteOperation<AnyDocument>;

/** Creates the write of a batch. It resolves once everything is in the journal, and may be repeated after a failure. */
export function createBulkWrite(
  connection: Connection,
  { tokens, trades, samples, rates }: TokenModels,
  log: Logger,
): (batch: WriteBatch) => Promise<void> {
  // Past the models: casting thousands of documents a second would cost more than writing them.
  const of = (model: { collection: { name: string } }) => connection.collection<AnyDocument>(model.collection.name);

  return async (batch) => {
    // Trades first: if the process ends in between, a token's ledger and counts can be rebuilt from them.
    await bulkWrite(of(trades), batch.trades.map(insert), log);
    await allSettled([
      ...halves(batch.tokens.map(tokenWrite)).map((half) => bulkWrite(of(tokens), half, log)),
      bulkWrite(of(samples), batch.samples.map(sampleWrite), log),
      batch.rate && rates.replaceOne({ _id: 'SOL/USD' }, batch.rate, { upsert: true }).exec(),
    ]);
    const isEmpty = batch.tokens.length + batch.trades.length + batch.samples.length === 0;
    // An empty batch checks whether the database is available.
    if (isEmpty) await tokens.findById('', { _id: 1 }).lean().exec();
  };
}

function halves<Item>(items: Item[]): Item[][] {
  if (items.length < WORTH_HALVING) return [items];
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** Waits for all even when one fails: the next write must not run in parallel with the rest of this one. */
async function allSettled(promises: readonly unknown[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}

function insert(document: TradeRecord): Operation {
  return { insertOne: { document } };
}

function sampleWrite(sample: StampedSample): Operation {
  if (sample.grain === 'full') return { insertOne: { document: sample } };
  // Replaced, since a late trade may change the point of its minute or hour.
  const { _id, ...replacement } = sample;
  const { address, grain, at } = replacement;
  return { replaceOne: { filter: { address, grain, at }, replacement, upsert: true } };
}

function tokenWrite(write: TokenWrite): Operation {
  const filter = { _id: write.address };
  if ('replace' in write) return { replaceOne: { filter, replacement: write.replace, upsert: true } };
  return { updateOne: { filter, update: { $set: write.set } } };
}

async function bulkWrite(collection: Collection<AnyDocument>, operations: Operation[], log: Logger): Promise<void> {
  if (operations.length === 0) return;
  try {
    await collection.bulkWrite(operations, writeOptions);
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    // Without errors of single documents the database itself failed, and the whole batch is written again.
    if (errors.length === 0) throw error;
    // A duplicate was written by an earlier attempt whose response was lost. Any other document would fail forever.
    const refused = errors.filter(({ code }) => code !== DUPLICATE_KEY);
    if (refused.length === 0) return;
    log.error(
      { collection: collection.collectionName, count: refused.length, reason: refused[0]?.errmsg },
      'documents refused by MongoDB',
    );
  }
}
