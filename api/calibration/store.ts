import type { Connection } from 'mongoose';
import type { DomainEvents } from '../events/events.ts';
import { ensureIndexes } from '../platform/database.ts';
import { tokenModels } from '../tokens/model.ts';
import { type CoinRecord, type CoinState, coinFields, type OpenCase, storedCoinState } from './case.ts';
import type { DayRecord } from './day-counts.ts';
import { CASE_RETENTION, type CalibrationModels, type CaseRecord, calibrationModels } from './model.ts';

/** Cases and coins loaded at a start; more are never open at a time (tracker.ts). */
const MAX_LOADED = 120_000;
const MAX_COINS = 30_000;
/** Addresses in one query. */
const PAGE = 2_000;
/** Reads at a start, and writes of a backlog, take longer than a request may, ms. */
const slow = { timeoutMS: 60_000 };
const writeOptions = { ordered: false, writeConcern: { w: 'majority', journal: true }, ...slow } as const;

/** Changes since the last write. */
export interface CalibrationChanges {
  days: readonly DayRecord[];
  /** New or changed open cases. */
  cases: readonly OpenCase[];
  /** Ids of cases that are no longer open. */
  closed: readonly string[];
  /** Time of the last round, epoch ms. */
  aliveAt: number;
}

/** Storage of the calibration. Every method rejects while the database is away. */
export type CalibrationStore = Awaited<ReturnType<typeof openCalibrationStore>>;

/** Creates the indexes. */
export async function openCalibrationStore(connection: Connection) {
  const models = calibrationModels(connection);
  await ensureIndexes(models.cases);
  await ensureIndexes(models.days);
  return {
    /** Returns the data of earlier runs. `aliveAt`: time of the last round that was written, epoch ms; null before the first. */
    async load(): Promise<{ days: DayRecord[]; cases: OpenCase[]; aliveAt: number | null }> {
      const [days, cases, run] = await Promise.all([
        models.days.find({}, null, slow).lean<DayRecord[]>(),
        models.cases.find({}, { expiresAt: 0 }, slow).limit(MAX_LOADED).lean<OpenCase[]>(),
        models.runs.findById('run').lean(),
      ]);
      return { days, cases, aliveAt: run?.aliveAt ?? null };
    },
    /** Returns the present state of the coins created since `since` (epoch ms), and of those with these addresses. */
    coins: (since: number, addresses: readonly string[]): Promise<CoinState[]> =>
      readCoins(connection, since, addresses),
    /** May be repeated after a failure; a changed case wins over a closed one with its id. The counts are written first: a case whose deletion fails is recognized as counted. */
    write: (changes: CalibrationChanges): Promise<void> => write(models, changes),
    async removeCases(removed: DomainEvents['token-removed']): Promise<void> {
      // Index { address: 1 }.
      const matching = 'all' in removed ? {} : { address: { $in: [...removed.addresses] } };
      await models.cases.deleteMany(matching, slow);
    },
  };
}

async function readCoins(connection: Connection, since: number, addresses: readonly string[]): Promise<CoinState[]> {
  const { tokens } = tokenModels(connection);
  // Index { listedAt, _id }: coins sorted by their creation.
  const found = await tokens
    .find({ listedAt: { $gte: since } }, coinFields, slow)
    .sort({ listedAt: -1 })
    .limit(MAX_COINS)
    .lean<CoinRecord[]>();
  const known = new Set(found.map(({ _id }) => _id));
  const others = addresses.filter((address) => !known.has(address));
  for (let from = 0; from < others.length; from += PAGE) {
    const page = others.slice(from, from + PAGE);
    found.push(...(await tokens.find({ _id: { $in: page } }, coinFields, slow).lean<CoinRecord[]>()));
  }
  return found.flatMap((record) => storedCoinState(record) ?? []);
}

async function write(
  { cases, days, runs }: CalibrationModels,
  { days: changedDays, cases: changedCases, closed, aliveAt }: CalibrationChanges,
): Promise<void> {
  if (changedDays.length > 0) {
    await days.bulkWrite(
      changedDays.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
      })),
      writeOptions,
    );
  }
  if (changedCases.length > 0) {
    await cases.bulkWrite(
      changedCases.map((open) => {
        const replacement: CaseRecord = { ...open, expiresAt: new Date(open.settlesAt + CASE_RETENTION) };
        return { replaceOne: { filter: { _id: open._id }, replacement, upsert: true } };
      }),
      writeOptions,
    );
  }
  // An id names a coin and an age: a case that was opened again under the id of a closed one stays.
  const open = new Set(changedCases.map(({ _id }) => _id));
  const gone = closed.filter((id) => !open.has(id));
  if (gone.length > 0) await cases.deleteMany({ _id: { $in: gone } }, slow);
  await runs.updateOne({ _id: 'run' }, { aliveAt }, { upsert: true });
}
