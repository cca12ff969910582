import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import type { HistoryPoint, TokenHistory } from '../../common/strategies/history.ts';
import { PREVIEW_HOURS } from '../../common/strategies/preview.ts';
import { lamportsToSol } from '../../common/tokens/units.ts';
import { tokenModels } from '../tokens/model.ts';
import type { SampleRecord, TokenRecord } from '../tokens/record.ts';

const MINUTE = 60_000;
/** Period of the preview, ms. */
export const SPAN = PREVIEW_HOURS * 60 * MINUTE;
/** Period with a point for every change, ms. */
const FULL_SPAN = 10 * MINUTE;
/** Points of every change are taken at this distance, ms: a busy token has thousands of them. */
const FULL_STEP = 1000;
/** Tokens whose points are read by one query, and parsed before the event loop turns. */
const BATCH = 50;
/**
 * A query takes a few ms; one that exceeds this (ms) is cancelled, so that it does not hold the database for all users.
 */
const QUERY_TIME = 2000;
/** Fields of a token without its points. */
const tokenFields = {
  name: 1,
  symbol: 1,
  detectedAt: 1,
  listedAt: 1,
  lastUpdated: 1,
  lastTradeAt: 1,
  price: 1,
  initialLiquidityLamports: 1,
  liquidityLamports: 1,
  holderCount: 1,
  riskScore: 1,
} as const;
type Listed = Pick<TokenRecord, '_id' | keyof typeof tokenFields>;

/** The points of a token in columns, oldest first: a document for each would take ten times as long to parse. */
interface Columns {
  _id: string;
  at: number[];
  price: (number | null)[];
  lamports: (number | null)[];
  holders: (number | null)[];
}

/** A token of the period with its known history, as far as samples reach. */
export interface TokenPath {
  address: string;
  name: string | null;
  symbol: string | null;
  /** The current value: earlier ones are not stored. */
  risk: number | null;
  history: TokenHistory;
}

/** Stored paths as of one moment. */
export interface Paths {
  /** The period they span, epoch ms. */
  from: number;
  to: number;
  /** Latest listed first. */
  tokens: readonly TokenPath[];
  /** Number of older tokens of the period that are left out. */
  leftOut: number;
}

export interface PathBounds {
  tokens: number;
  /** Points of all tokens together. */
  points: number;
}

/** Reads the paths of the newest tokens, in portions between which the process does its other work. */
export async function loadPaths(connection: Connection, now: number, bounds: PathBounds): Promise<Paths> {
  const models = tokenModels(connection);
  const samples = connection.collection<SampleRecord>(models.samples.collection.name);
  const recent = { listedAt: { $gte: now - SPAN } };
  const [listed, all] = await Promise.all([
    // Index { listedAt: -1, _id: -1 }.
    models.tokens
      .find(recent, tokenFields)
      .sort({ listedAt: -1, _id: -1 })
      .limit(bounds.tokens)
      .maxTimeMS(QUERY_TIME)
      .lean<Listed[]>()
      .exec(),
    // The same index, which alone answers the count.
    models.tokens.countDocuments(recent).maxTimeMS(QUERY_TIME).exec(),
  ]);
  const tokens: TokenPath[] = [];
  let room = bounds.points;
  for (let first = 0; first < listed.length; first += BATCH) {
    const batch = listed.slice(first, first + BATCH);
    const points = await readPoints(samples, batch, { now, room });
    // Newest first, so that the older ones are left out.
    if (points === null) break;
    for (const token of batch) {
      const own = points.get(token._id) ?? [];
      room -= own.length;
      tokens.push(pathOf(token, own, now));
    }
    await nextTurn();
  }
  const leftOut = Math.max(0, all - tokens.length);
  const oldest = listed[tokens.length - 1]?.listedAt ?? now;
  return { from: leftOut === 0 ? now - SPAN : Math.min(oldest, now), to: now, tokens, leftOut };
}

/** Returns a token's path: its start, its points, and its current state. */
function pathOf(token: Listed, own: HistoryPoint[], now: number): TokenPath {
  const { _id: address, name, symbol, riskScore: risk, detectedAt, lastUpdated } = token;
  // Of the moment of detection only the liquidity is stored.
  const begin = { at: detectedAt, price: null, liquidity: sol(token.initialLiquidityLamports), holders: null };
  const points = [begin, ...own.filter(({ at }) => at > detectedAt)];
  const last = points.at(-1)?.at ?? detectedAt;
  if (lastUpdated > last) {
    const { price, liquidityLamports, holderCount: holders } = token;
    points.push({ at: Math.min(lastUpdated, now), price, liquidity: sol(liquidityLamports), holders });
  }
  return { address, name, symbol, risk, history: { detectedAt, points } };
}

/** Returns points by address, each list oldest first; null when there are more than `room`. */
async function readPoints(
  samples: Collection<SampleRecord>,
  batch: readonly Listed[],
  { now, room }: { now: number; room: number },
): Promise<Map<string, HistoryPoint[]> | null> {
  const traded = batch.filter(({ lastTradeAt }) => lastTradeAt !== null && lastTradeAt >= now - FULL_SPAN);
  const [minutes, full] = await Promise.all([
    columnsOf(samples, batch, 'minute', new Date(now - SPAN)),
    traded.length > 0 ? columnsOf(samples, traded, 'full', new Date(now - FULL_SPAN)) : [],
  ]);
  const points = new Map(minutes.map((columns) => [columns._id, pointsOf(columns)]));
  for (const columns of full) {
    const own = [...(points.get(columns._id) ?? []), ...thinned(pointsOf(columns))];
    points.set(
      columns._id,
      own.sort((a, b) => a.at - b.at),
    );
  }
  const count = [...points.values()].reduce((sum, own) => sum + own.length, 0);
  return count > room ? null : points;
}

function pointsOf({ at, price, lamports, holders }: Columns): HistoryPoint[] {
  return at.map((time, index) => ({
    at: time,
    price: price[index] ?? null,
    liquidity: sol(lamports[index] ?? null),
    holders: holders[index] ?? null,
  }));
}

/** Returns points at least `FULL_STEP` apart. */
function thinned(points: readonly HistoryPoint[]): HistoryPoint[] {
  let before = Number.NEGATIVE_INFINITY;
  return points.filter(({ at }) => {
    if (at - before < FULL_STEP) return false;
    before = at;
    return true;
  });
}

function sol(lamports: number | null): number | null {
  return lamports === null ? null : lamportsToSol(lamports);
}

/** Index { address: 1, grain: 1, at: 1 }, which also orders the points of each token. */
function columnsOf(
  samples: Collection<SampleRecord>,
  tokens: readonly Listed[],
  grain: SampleRecord['grain'],
  since: Date,
): Promise<Columns[]> {
  // A missing value would make its column shorter than the others.
  const column = (field: string) => ({ $push: { $ifNull: [`$${field}`, null] } });
  return samples
    .aggregate<Columns>(
      [
        { $match: { address: { $in: tokens.map(({ _id }) => _id) }, grain, at: { $gte: since } } },
        { $sort: { address: 1, grain: 1, at: 1 } },
        {
          $group: {
            _id: '$address',
            at: { $push: { $toLong: '$at' } },
            price: column('price'),
            lamports: column('liquidityLamports'),
            holders: column('holders'),
          },
        },
      ],
      { maxTimeMS: QUERY_TIME },
    )
    .toArray();
}
