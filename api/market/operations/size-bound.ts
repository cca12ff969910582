import type { Collection, Connection, Types } from 'mongoose';
import type { Logger } from 'pino';
import { z } from 'zod';
import { MINUTE } from '../../../common/time.ts';
import { pause } from '../../platform/resilience.ts';
import { tokenModels } from '../../tokens/model.ts';

/** Time between two measurements, ms: longer than MongoDB takes to count the room in its files as free. */
const INTERVAL = 2 * MINUTE;
/** Share of the bound that a cut leaves, so that it need not cut again at once. */
const LEFT = 0.95;
/** Documents deleted at once: other writes run in between. */
const BATCH = 2_000;

/** The fields of a trade or a sample that its deletion reads. */
interface Row {
  _id: string | Types.ObjectId;
  address: string;
  grain?: string;
}

export interface SizeBoundDeps {
  connection: Connection;
  /** Most bytes of the trades and samples with their indexes; 0: no bound. */
  bytes: number;
  /** Returns the addresses of the tokens of open positions, whose trades and samples stay. */
  held(): readonly string[];
  log: Logger;
}

/** Keeps trades and samples below a size, beside the retention by time. */
export function createSizeBound({ connection, bytes, held, log }: SizeBoundDeps) {
  const models = tokenModels(connection);
  const trades = connection.collection<Row>(models.trades.collection.name);
  const samples = connection.collection<Row>(models.samples.collection.name);
  const stopping = new AbortController();
  const { signal } = stopping;
  let ended: Promise<void> = Promise.resolve();

  async function cut(): Promise<number> {
    const sizes = await Promise.all([sizeOf(trades), sizeOf(samples)]);
    const used = sizes.reduce((sum, size) => sum + size.bytes, 0);
    if (used <= bytes) return 0;
    const share = 1 - (LEFT * bytes) / used;
    const [ofTrades, ofSamples] = sizes.map(({ count }) => Math.ceil(count * share));
    const others = { address: { $nin: held() } };
    const deleted =
      // Index: at.
      (await deleteFirst(trades, others, { at: 1 }, { count: ofTrades ?? 0, signal })) +
      // Index: expiresAt. Those of ten minutes (`full`) go by themselves, and are the newest.
      (await deleteFirst(
        samples,
        { ...others, grain: { $ne: 'full' } },
        { expiresAt: 1 },
        { count: ofSamples ?? 0, signal },
      ));
    log.info({ used, bound: bytes, deleted }, 'oldest trades and samples deleted');
    return deleted;
  }

  async function run(): Promise<void> {
    // First the pause: the market, which starts later, creates the collections.
    while (await isDue(signal)) {
      await cut().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ error }, 'size of trades and samples could not be bounded');
      });
    }
  }

  return {
    /** Measures, and deletes the oldest beyond the bound. Resolves with the number of deleted documents. */
    cut,
    start(): void {
      if (bytes > 0) ended = run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

/** Resolves with true after the interval, and with false at once when it is aborted. */
async function isDue(signal: AbortSignal): Promise<boolean> {
  await pause(INTERVAL, signal);
  return !signal.aborted;
}

const statsSchema = z.object({
  storageStats: z.object({
    size: z.number(),
    count: z.number(),
    totalIndexSize: z.number(),
    indexDetails: z.record(
      z.string(),
      z.object({ 'block-manager': z.object({ 'file bytes available for reuse': z.number() }) }),
    ),
  }),
});

/**
 * Resolves with the number of documents, and the bytes that they and their indexes take. Free room within the files is left
 * out: MongoDB reuses it, and never gives it back.
 */
async function sizeOf(collection: Collection<Row>): Promise<{ count: number; bytes: number }> {
  const [stats] = await collection.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
  const { size, count, totalIndexSize, indexDetails } = statsSchema.parse(stats).storageStats;
  const free = Object.values(indexDetails).reduce(
    (sum, index) => sum + index['block-manager']['file bytes available for reuse'],
    0,
  );
  return { count, bytes: size + totalIndexSize - free };
}

/** Deletes the first `count` documents in an order, batch by batch. Resolves with their number. */
async function deleteFirst(
  collection: Collection<Row>,
  filter: NonNullable<Parameters<Collection<Row>['deleteMany']>[0]>,
  order: Record<string, 1>,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<number> {
  let deleted = 0;
  while (deleted < count && !signal.aborted) {
    const limit = Math.min(BATCH, count - deleted);
    const rows = await collection
      .find(filter, { projection: { _id: 1 } })
      .sort(order)
      .limit(limit)
      .toArray();
    const { deletedCount } = await collection.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
    if (deletedCount === 0) break;
    deleted += deletedCount;
  }
  return deleted;
}
