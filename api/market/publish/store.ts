import { type Collection, type Connection, type Model, mongo, type QueryFilter } from 'mongoose';
import type { Logger } from 'pino';
import { ensureIndexes } from '../../platform/database.ts';
import { type RateRecord, tokenModels } from '../../tokens/model.ts';
import type { SampleRecord, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import type { SourceName } from '../sources/observation.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { type Launch, type LaunchRecord, launchOf } from '../token/score/creator-history.ts';
import { RETENTION } from '../token/state/live-token.ts';

/** One token's part of a write: the whole record, or only what changed. */
export type TokenWrite =
  | { address: string; replace: TokenRecord }
  | { address: string; set: Readonly<Record<string, unknown>> };

/** A sample with its id, so that a second try writes no second one. */
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

/** What a start finds. */
export interface Kept {
  /** Tokens that lists or time can still move. */
  tokens: TokenRecord[];
  /** Trades of the growth window, oldest first, and the ids of more. */
  trades: TradeRecord[];
  tradeIds: string[];
  launches: Launch[];
  rate: Rate | null;
}

/** What decides which lists a token is in. */
export type ListFields = Pick<
  TokenRecord,
  '_id' | 'createdAt' | 'growthScore' | 'marketCapUsd' | 'volumeUsd' | 'runner' | 'mightRun'
>;
/** What tells whether a token is one. */
export type IdentityFields = Pick<TokenRecord, '_id' | 'name' | 'symbol' | 'cluster' | 'launchpad' | 'detectedAt'>;

/** The market's place to keep things. Every method rejects while the database is away. */
export interface MarketStore {
  /** Makes the indexes. */
  prepare(): Promise<void>;
  /** What is there at a start; `window` in ms is the span of `trades`. */
  kept(now: number, window: number): Promise<Kept>;
  tokens(addresses: readonly string[]): Promise<TokenRecord[]>;
  tradesOf(address: string): Promise<TradeRecord[]>;
  /** Tokens of a source that were updated in the last 24 h, newest first. */
  known(detectedBy: SourceName, now: number): Promise<TokenRecord[]>;
  /** Resolves once everything is in the journal. May be given the same again after a failure. */
  write(batch: WriteBatch): Promise<void>;
  /** Launches of the last day, and those that ended as rugs, oldest first. */
  launches(now: number): Promise<Launch[]>;
  /**
   * Deletes some of the tokens that match, with their trades and samples, in the order of their addresses and beginning
   * after `after`. Gives their addresses; none when there are no more. `letGo` is waited for before they are deleted.
   */
  remove(
    filter: QueryFilter<TokenRecord>,
    after: string,
    letGo?: (addresses: readonly string[]) => Promise<void>,
  ): Promise<string[]>;
  isEmpty(): Promise<boolean>;
  /** The next tokens after this address, in the order of their addresses; none when there are no more. */
  listFields(after: string): Promise<ListFields[]>;
  identityFields(after: string): Promise<IdentityFields[]>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Tokens up to this age can enter or leave a list by time alone, ms. */
const LISTS_SPAN = 2 * HOUR;
/** Bounds of what a start reads. */
const MAX_KEPT_TOKENS = 20_000;
const MAX_LAUNCHES = 60_000;
const MAX_WINDOW_TRADES = 200_000;
const MAX_TRADE_IDS = 50_000;
const MAX_KNOWN = 5_000;
/** A coin with more trades than this in a day gets its wallets from elsewhere, or not at all. */
const MAX_TRADES_OF_TOKEN = 50_000;
/** Tokens deleted in one go, each of them with up to hundreds of trades and samples. */
const REMOVED_AT_ONCE = 200;
/** Tokens looked at in one go, when it is about all of them. */
const WALKED_AT_ONCE = 500;
/** Writes of a whole backlog take longer than what a request may take, ms; so do the reads of a start. */
const WRITE_TIMEOUT = 10_000;
const START_TIMEOUT = 60_000;

const writeOptions = { ordered: false, writeConcern: { w: 1, journal: true }, timeoutMS: WRITE_TIMEOUT } as const;

export function createMarketStore(connection: Connection, log: Logger): MarketStore {
  const { tokens, trades, samples, rates } = tokenModels(connection);
  // Past the models: casting thousands of documents a second would cost more than writing them.
  const of = (model: { collection: { name: string } }) => connection.collection<AnyDocument>(model.collection.name);
  const slow = { timeoutMS: START_TIMEOUT };

  return {
    async prepare() {
      await ensureIndexes(tokens);
      await ensureIndexes(trades);
      await ensureIndexes(samples);
    },

    async kept(now, window) {
      // Indexes { listedAt, _id }, { runner, … } and { mightRun, … }: what may be in a list, or is.
      const listed = { $or: [{ listedAt: { $gte: now - LISTS_SPAN } }, { runner: true }, { mightRun: true }] };
      const [found, recent, ids, launches, rate] = await Promise.all([
        tokens.find(listed, null, slow).sort({ listedAt: -1 }).limit(MAX_KEPT_TOKENS).lean<TokenRecord[]>(),
        trades
          .find({ at: { $gte: new Date(now - window) } }, null, slow)
          .sort({ at: -1 })
          .limit(MAX_WINDOW_TRADES)
          .lean<TradeRecord[]>(),
        trades.find({}, { _id: 1 }, slow).sort({ at: -1 }).limit(MAX_TRADE_IDS).lean<{ _id: string }[]>(),
        launchesSince(tokens, now),
        rates.findById('SOL/USD').lean<RateRecord>(),
      ]);
      return {
        tokens: found,
        trades: recent.reverse(),
        tradeIds: ids.map(({ _id }) => _id).reverse(),
        launches,
        rate,
      };
    },

    tokens: (addresses) =>
      tokens
        .find({ _id: { $in: addresses } })
        .lean<TokenRecord[]>()
        .exec(),

    tradesOf: (address) => trades.find({ address }).limit(MAX_TRADES_OF_TOKEN).lean<TradeRecord[]>().exec(),

    known: (detectedBy, now) =>
      // Index { keepUntil }: what was updated in the last 24 h is kept until 24 h less than the retention from now on.
      tokens
        .find({ keepUntil: { $gte: new Date(now - DAY + RETENTION) }, detectedBy }, null, slow)
        .sort({ listedAt: -1 })
        .limit(MAX_KNOWN)
        .lean<TokenRecord[]>()
        .exec(),

    launches: (now) => launchesSince(tokens, now),

    async remove(filter, after, letGo) {
      // Index { _id }: one walk over the collection, a piece at a time. No index is kept up all year for this.
      const page = await tokens
        .find({ $and: [{ _id: { $gt: after } }, filter] }, { _id: 1 }, slow)
        .sort({ _id: 1 })
        .hint({ _id: 1 })
        .limit(REMOVED_AT_ONCE)
        .lean<{ _id: string }[]>();
      const addresses = page.map(({ _id }) => _id);
      if (addresses.length === 0) return [];
      await letGo?.(addresses);
      // The tokens last: what was interrupted is found again by them. Indexes { address, … } and { _id }.
      await Promise.all([
        trades.deleteMany({ address: { $in: addresses } }),
        samples.deleteMany({ address: { $in: addresses } }),
      ]);
      await tokens.deleteMany({ _id: { $in: addresses } });
      return addresses;
    },

    isEmpty: async () => (await tokens.findOne({}, { _id: 1 }).lean()) === null,

    listFields: (after) => walk<ListFields>(tokens, after, listProjection),
    identityFields: (after) => walk<IdentityFields>(tokens, after, identityProjection),

    async write(batch) {
      // Trades first: should the process end in between, a token's wallets and counts follow from them.
      await inOneGo(of(trades), batch.trades.map(insert), log);
      await allOf([
        ...halves(batch.tokens.map(tokenWrite)).map((half) => inOneGo(of(tokens), half, log)),
        inOneGo(of(samples), batch.samples.map(sampleWrite), log),
        batch.rate && rates.replaceOne({ _id: 'SOL/USD' }, batch.rate, { upsert: true }).exec(),
      ]);
      const empty = batch.tokens.length + batch.trades.length + batch.samples.length === 0;
      // Without anything to write, the question is only whether the database is there.
      if (empty) await tokens.findById('', { _id: 1 }).lean().exec();
    },
  };
}

const listProjection = { createdAt: 1, growthScore: 1, marketCapUsd: 1, volumeUsd: 1, runner: 1, mightRun: 1 } as const;
const identityProjection = { name: 1, symbol: 1, cluster: 1, launchpad: 1, detectedAt: 1 } as const;

/** Index { _id }: one walk over the collection, a piece at a time. */
function walk<Fields>(
  tokens: Model<TokenRecord>,
  after: string,
  fields: Readonly<Record<string, 1>>,
): Promise<Fields[]> {
  return tokens
    .find({ _id: { $gt: after } }, fields, { timeoutMS: START_TIMEOUT })
    .sort({ _id: 1 })
    .limit(WALKED_AT_ONCE)
    .lean<Fields[]>()
    .exec();
}

/** Indexes { listedAt, _id } and { rugged, listedAt }. */
async function launchesSince(tokens: Model<TokenRecord>, now: number): Promise<Launch[]> {
  const newest = (filter: QueryFilter<TokenRecord>) =>
    tokens
      .find(filter, launchFields, { timeoutMS: START_TIMEOUT })
      .sort({ listedAt: -1 })
      .limit(MAX_LAUNCHES)
      .lean<LaunchRecord[]>();
  const found = await Promise.all([newest({ listedAt: { $gte: now - DAY } }), newest({ rugged: true })]);
  return found
    .flat()
    .map(launchOf)
    .sort((a, b) => a.at - b.at);
}

const launchFields = { creator: 1, symbol: 1, listedAt: 1, rugged: 1 } as const;

/** From so many on, two commands side by side are faster than one: the database works on both at once. */
const WORTH_HALVING = 100;

function halves<Item>(items: Item[]): Item[][] {
  if (items.length < WORTH_HALVING) return [items];
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** Waits for all, also when one fails: the next write must not run beside what is left of this one. */
async function allOf(promises: readonly unknown[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}

/** Any of our documents. */
interface AnyDocument extends mongo.BSON.Document {
  _id: string | mongo.ObjectId;
}
type Operation = mongo.AnyBulkWriteOperation<AnyDocument>;

function insert(document: TradeRecord): Operation {
  return { insertOne: { document } };
}

function sampleWrite(sample: StampedSample): Operation {
  if (sample.grain === 'full') return { insertOne: { document: sample } };
  // The points of a minute or hour may be written again, when a late trade belongs to them.
  const { _id, ...replacement } = sample;
  const { address, grain, at } = replacement;
  return { replaceOne: { filter: { address, grain, at }, replacement, upsert: true } };
}

function tokenWrite(write: TokenWrite): Operation {
  const filter = { _id: write.address };
  if ('replace' in write) return { replaceOne: { filter, replacement: write.replace, upsert: true } };
  return { updateOne: { filter, update: { $set: write.set } } };
}

const DUPLICATE_KEY = 11_000;

async function inOneGo(collection: Collection<AnyDocument>, operations: Operation[], log: Logger): Promise<void> {
  if (operations.length === 0) return;
  try {
    await collection.bulkWrite(operations, writeOptions);
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    // Nothing about single documents: the database itself failed, and all of it is written again.
    if (errors.length === 0) throw error;
    // A duplicate is what an earlier try, whose answer was lost, has written. Anything else would fail for ever.
    const refused = errors.filter(({ code }) => code !== DUPLICATE_KEY);
    if (refused.length === 0) return;
    log.error(
      { collection: collection.collectionName, count: refused.length, reason: refused[0]?.errmsg },
      'writes refused',
    );
  }
}
