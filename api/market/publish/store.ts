import type { Collection, Connection, Model, QueryFilter } from 'mongoose';
import type { Logger } from 'pino';
import { DAY, HOUR } from '../../../common/time.ts';
import { RISK_RULES_VERSION } from '../../../common/tokens/risk/score.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { type RateRecord, type TokenModels, tokenModels } from '../../tokens/model.ts';
import type { SourceName, TokenRecord, TradeRecord } from '../../tokens/record.ts';
import type { Rate } from '../token/merge/sol-rate.ts';
import { type Launch, type LaunchRecord, launchOf } from '../token/score/creator-history.ts';
import { RETENTION } from '../token/state/live-token.ts';
import { createBulkWrite } from './bulk-write.ts';
import { type JournalEntry, journalModel } from './journal.ts';

/** Data that the market loads at its start. */
export interface StoredState {
  /** Tokens whose lists may still change by themselves. */
  tokens: TokenRecord[];
  /** Trades of the growth window, oldest first, and the ids of more. */
  trades: TradeRecord[];
  tradeIds: string[];
  launches: Launch[];
  rate: Rate | null;
  /** Highest number of a stored token; 0 without one. */
  highestNumber: number;
  /** Position of the newest entry in the journal; 0 without one. */
  position: number;
}

/** Fields that decide the lists of a token. */
const listProjection = {
  createdAt: 1,
  growthScore: 1,
  outsideBuyers: 1,
  drained: 1,
  rugged: 1,
  marketCapUsd: 1,
  volumeUsd: 1,
  runner: 1,
  mightRun: 1,
} as const;
export type ListFields = Pick<TokenRecord, '_id' | keyof typeof listProjection>;

/** Fields that decide whether a record is a real token. */
const identityProjection = { name: 1, symbol: 1, cluster: 1, launchpad: 1, detectedAt: 1 } as const;
export type IdentityFields = Pick<TokenRecord, '_id' | keyof typeof identityProjection>;

/** Fields of a token that follow from a new score, by path. */
export interface ScoreWrite {
  address: string;
  set: Readonly<Record<string, unknown>>;
}

/** The market's storage. Every method rejects while the database is away. */
export type MarketStore = ReturnType<typeof createMarketStore>;

/** Tokens up to this age can enter or leave a list by age alone, ms. */
const LISTS_SPAN = 2 * HOUR;
/** Bounds of the reads at a start. */
const MAX_LOADED_TOKENS = 20_000;
const MAX_LAUNCHES = 60_000;
const MAX_WINDOW_TRADES = 200_000;
const MAX_TRADE_IDS = 50_000;
const MAX_RECENT_TOKENS = 5_000;
/** A coin with more trades than this in a day gets no ledger. */
const MAX_TRADES_OF_TOKEN = 50_000;
/** Enough to contain the first buyers of a coin, and everything in the seconds after its launch. */
const FIRST_TRADES = 1_000;
/** Far more than a token has changes between two checkpoints. */
const VERSION_LEAP = 100_000;
/** Tokens deleted at once, each with up to hundreds of trades and samples. */
const REMOVED_AT_ONCE = 200;
/** Tokens of one page of a walk over all tokens. */
const PAGE = 500;
/** Tokens scored again at once: their write delays a tick. */
const RESCORED_AT_ONCE = 200;
/** Time limit of that write, ms: the market waits for it. */
const SCORES_TIMEOUT = 500;
/** Reads at a start take longer than a request may, ms. */
const slow = { timeoutMS: 60_000 };

export function createMarketStore(connection: Connection, log: Logger) {
  const models = tokenModels(connection);
  const journal = journalModel(connection);
  const { tokens, trades } = models;
  return {
    /** Creates the indexes. */
    async prepare(): Promise<void> {
      await ensureIndexes(tokens);
      await ensureIndexes(trades);
      await ensureIndexes(models.samples);
    },
    /** Loads the state for a start. `window` is the span of `trades` in ms. */
    loadState: (now: number, window: number): Promise<StoredState> => loadState(models, journal, now, window),
    tokens: (addresses: readonly string[]): Promise<TokenRecord[]> =>
      tokens
        .find({ _id: { $in: addresses } })
        .lean<TokenRecord[]>()
        .exec(),
    tradesOf: (address: string): Promise<TradeRecord[]> =>
      trades.find({ address }).limit(MAX_TRADES_OF_TOKEN).lean<TradeRecord[]>().exec(),
    /** Returns the oldest stored trades of a token. Index { address: 1, at: -1 }. */
    firstTradesOf: (address: string): Promise<TradeRecord[]> =>
      trades.find({ address }).sort({ at: 1 }).limit(FIRST_TRADES).lean<TradeRecord[]>().exec(),
    /** Returns the tokens of a source updated in the last 24 h, newest first. */
    recentTokens: (detectedBy: SourceName, now: number): Promise<TokenRecord[]> =>
      // Index { keepUntil }: an update within 24 h expires later than the retention from 24 h ago.
      tokens
        .find({ keepUntil: { $gte: new Date(now - DAY + RETENTION) }, detectedBy }, null, slow)
        .sort({ listedAt: -1 })
        .limit(MAX_RECENT_TOKENS)
        .lean<TokenRecord[]>()
        .exec(),
    /** Yields the entries of the journal, oldest first. */
    journal: (): AsyncIterable<JournalEntry> =>
      journal.find({}, null, slow).sort({ _id: 1 }).lean<JournalEntry[]>().cursor(),
    /** Returns the newest entry of the journal without its trades; null without one. */
    journalEnd: () => newestEntry(journal),
    /**
     * Raises the versions of all tokens that changed after `since` (epoch ms), after a crash: clients may have received a higher one
     * than is stored, which must not stand for another content. Those of the lists also change without trades. Indexes { keepUntil },
     * { runner, … } and { mightRun, … }.
     */
    async leapVersions(since: number): Promise<void> {
      await tokens.updateMany(mayHaveChanged(since), { $inc: { version: VERSION_LEAP } }, slow);
    },
    /** Resolves once everything is durable. May be repeated with the same batch after a failure. */
    write: createBulkWrite(connection, models, log),
    /** Returns the launches of the last day, and the ones that ended as rugs, oldest first. */
    launches: (now: number): Promise<Launch[]> => launchesSince(tokens, now),
    // Index { riskRulesVersion }.
    /** Returns some of the tokens whose score is not of the present rules. Empty when there are none. */
    outdatedScores: (): Promise<TokenRecord[]> =>
      tokens.find(outdated, null, slow).limit(RESCORED_AT_ONCE).lean<TokenRecord[]>().exec(),
    /** Stores new scores where the score is still of other rules. Resolves with the number of changed tokens. */
    writeScores: (scores: readonly ScoreWrite[]): Promise<number> =>
      writeScores(connection.collection<{ _id: string }>(tokens.collection.name), scores),
    /**
     * Deletes the next matching tokens after the address `after` with their trades and samples. Resolves with their
     * addresses; empty at the end. `beforeDelete` is awaited before the deletion.
     */
    remove: (
      filter: QueryFilter<TokenRecord>,
      after: string,
      beforeDelete?: (addresses: readonly string[]) => Promise<void>,
    ): Promise<string[]> => removePage(models, filter, after, beforeDelete),
    isEmpty: async (): Promise<boolean> => (await tokens.findOne({}, { _id: 1 }).lean()) === null,
    /** Return the next tokens after this address, by address; empty at the end. */
    listFields: (after: string): Promise<ListFields[]> => readPage<ListFields>(tokens, after, listProjection),
    identityFields: (after: string): Promise<IdentityFields[]> =>
      readPage<IdentityFields>(tokens, after, identityProjection),
  };
}

function mayHaveChanged(since: number) {
  return {
    $or: [{ keepUntil: { $gte: new Date(since - HOUR + RETENTION) } }, { runner: true }, { mightRun: true }],
  };
}

/** Index { _id }. */
function newestEntry(journal: Model<JournalEntry>): Promise<Omit<JournalEntry, 'trades'> | null> {
  return journal.findOne({}, { trades: 0 }).sort({ _id: -1 }).lean<JournalEntry>().exec();
}

async function loadState(
  { tokens, trades, rates }: TokenModels,
  journal: Model<JournalEntry>,
  now: number,
  window: number,
): Promise<StoredState> {
  // Indexes { listedAt, _id }, { runner, … } and { mightRun, … }: tokens that are or may come into a list.
  const listed = { $or: [{ listedAt: { $gte: now - LISTS_SPAN } }, { runner: true }, { mightRun: true }] };
  const [found, recent, ids, launches, rate, highest, newest] = await Promise.all([
    tokens.find(listed, null, slow).sort({ listedAt: -1 }).limit(MAX_LOADED_TOKENS).lean<TokenRecord[]>(),
    trades
      .find({ at: { $gte: new Date(now - window) } }, null, slow)
      .sort({ at: -1 })
      .limit(MAX_WINDOW_TRADES)
      .lean<TradeRecord[]>(),
    trades.find({}, { _id: 1 }, slow).sort({ at: -1 }).limit(MAX_TRADE_IDS).lean<{ _id: string }[]>(),
    launchesSince(tokens, now),
    rates.findById('SOL/USD').lean<RateRecord>(),
    // Index { number }.
    tokens
      .findOne({ number: { $gt: 0 } }, { number: 1 }, slow)
      .sort({ number: -1 })
      .lean<Pick<TokenRecord, 'number'>>(),
    newestEntry(journal),
  ]);
  return {
    tokens: found,
    trades: recent.reverse(),
    tradeIds: ids.map(({ _id }) => _id).reverse(),
    launches,
    rate,
    highestNumber: highest?.number ?? 0,
    position: newest?._id ?? 0,
  };
}

const outdated = { riskRulesVersion: { $ne: RISK_RULES_VERSION } };

async function writeScores(tokens: Collection<{ _id: string }>, scores: readonly ScoreWrite[]): Promise<number> {
  if (scores.length === 0) return 0;
  // Past the model, like every write of tokens. Index { _id }.
  const { modifiedCount } = await tokens.bulkWrite(
    scores.map(({ address, set }) => ({ updateOne: { filter: { _id: address, ...outdated }, update: { $set: set } } })),
    { ordered: false, timeoutMS: SCORES_TIMEOUT },
  );
  return modifiedCount;
}

async function removePage(
  { tokens, trades, samples }: TokenModels,
  filter: QueryFilter<TokenRecord>,
  after: string,
  beforeDelete?: (addresses: readonly string[]) => Promise<void>,
): Promise<string[]> {
  // Index { _id }: one walk over the collection by pages. A rare job does not justify an index of its own.
  const page = await tokens
    .find({ $and: [{ _id: { $gt: after } }, filter] }, { _id: 1 }, slow)
    .sort({ _id: 1 })
    .hint({ _id: 1 })
    .limit(REMOVED_AT_ONCE)
    .lean<{ _id: string }[]>();
  const addresses = page.map(({ _id }) => _id);
  if (addresses.length === 0) return [];
  await beforeDelete?.(addresses);
  // The tokens last, so that an interrupted removal finds them again. Indexes { address, … } and { _id }.
  await Promise.all([
    trades.deleteMany({ address: { $in: addresses } }),
    samples.deleteMany({ address: { $in: addresses } }),
  ]);
  await tokens.deleteMany({ _id: { $in: addresses } });
  return addresses;
}

/** Index { _id }: one page of a walk over the collection. */
function readPage<Fields>(
  tokens: Model<TokenRecord>,
  after: string,
  fields: Readonly<Record<string, 1>>,
): Promise<Fields[]> {
  return tokens
    .find({ _id: { $gt: after } }, fields, slow)
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Fields[]>()
    .exec();
}

const launchFields = {
  creator: 1,
  creationUser: 1,
  creationFeePayer: 1,
  symbol: 1,
  name: 1,
  listedAt: 1,
  rugged: 1,
} as const;

/** Indexes { listedAt, _id } and { rugged, listedAt }. */
async function launchesSince(tokens: Model<TokenRecord>, now: number): Promise<Launch[]> {
  const newest = (filter: QueryFilter<TokenRecord>) =>
    tokens.find(filter, launchFields, slow).sort({ listedAt: -1 }).limit(MAX_LAUNCHES).lean<LaunchRecord[]>();
  const found = await Promise.all([newest({ listedAt: { $gte: now - DAY } }), newest({ rugged: true })]);
  return found
    .flat()
    .map(launchOf)
    .sort((a, b) => a.at - b.at);
}
