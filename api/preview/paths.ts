import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import type { HistoryPoint, TokenHistory } from '../../common/strategies/history.ts';
import { PREVIEW_HOURS } from '../../common/strategies/preview.ts';
import { HOUR, SECOND } from '../../common/time.ts';
import { solOrNull } from '../../common/tokens/units.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentScore } from '../tokens/present.ts';
import type { SampleRecord, TokenRecord } from '../tokens/record.ts';
import type { TokenMarket } from '../tokens/service.ts';
import { FULL_SPAN, readStoredPoints } from '../tokens/stored-points.ts';

/** Time span of a preview, ms. */
const SPAN = PREVIEW_HOURS * HOUR;
/** Least distance of points of the last minutes, ms: a busy token has thousands of them. */
const FULL_STEP = SECOND;
/** Tokens per query, parsed before the event loop turns. */
const BATCH = 50;
/** Time limit of a query, ms: a query takes a few ms, and a slow one must not occupy the database. */
const QUERY_TIMEOUT = 2 * SECOND;
/** Fields of a token besides its points. */
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
  riskRulesVersion: 1,
  launchpad: 1,
  quote: 1,
  decimals: 1,
  mayhem: 1,
  migratedAt: 1,
  reservesVenue: 1,
} as const;
type PathToken = Pick<TokenRecord, '_id' | keyof typeof tokenFields>;

/** The facts that decide where a token traded, and its reserves. */
export interface PathVenue extends Pick<TokenRecord, 'launchpad' | 'quote' | 'decimals'> {
  isMayhem: boolean;
  /** Time of the move into a pool, epoch ms; null without one. */
  migratedAt: number | null;
  /** Whether the pool's trades are followed. */
  isPoolFollowed: boolean;
}

/** A token with the stored samples of its history. */
export interface TokenPath {
  address: string;
  name: string | null;
  symbol: string | null;
  /** The current risk; earlier values are not stored. */
  risk: number | null;
  venue: PathVenue;
  history: TokenHistory;
}

/** Paths of tokens at one moment. */
export interface Paths {
  /** Time span, epoch ms. */
  from: number;
  to: number;
  /** Latest listed first. */
  tokens: readonly TokenPath[];
  /** Number of older tokens of the time span that exceed the bounds. */
  leftOut: number;
}

export interface PathBounds {
  tokens: number;
  /** Points of all tokens together. */
  points: number;
}

export interface PathDeps {
  connection: Connection;
  market: Pick<TokenMarket, 'liveRecord'>;
}

/** Reads the paths of the newest tokens, in batches between which the event loop turns. */
export async function loadPaths({ connection, market }: PathDeps, now: number, bounds: PathBounds): Promise<Paths> {
  const models = tokenModels(connection);
  const samples = connection.collection<SampleRecord>(models.samples.collection.name);
  const recent = { listedAt: { $gte: now - SPAN } };
  const [listed, all] = await Promise.all([
    // Index { listedAt: -1, _id: -1 }.
    models.tokens
      .find(recent, tokenFields)
      .sort({ listedAt: -1, _id: -1 })
      .limit(bounds.tokens)
      .maxTimeMS(QUERY_TIMEOUT)
      .lean<PathToken[]>()
      .exec(),
    // The same index only.
    models.tokens.countDocuments(recent).maxTimeMS(QUERY_TIMEOUT).exec(),
  ]);
  const tokens: TokenPath[] = [];
  let room = bounds.points;
  for (let first = 0; first < listed.length; first += BATCH) {
    // The figures of a token in memory are newer than its stored ones.
    const batch = listed.slice(first, first + BATCH).map((token) => market.liveRecord(token._id) ?? token);
    const points = await readPoints(samples, batch, { now, room });
    // Newest first: all remaining tokens are older.
    if (points === null) break;
    for (const token of batch) {
      const tokenPoints = points.get(token._id) ?? [];
      room -= tokenPoints.length;
      tokens.push(pathOf(token, tokenPoints, now));
    }
    await nextTurn();
  }
  const leftOut = Math.max(0, all - tokens.length);
  const oldest = listed[tokens.length - 1]?.listedAt ?? now;
  return { from: leftOut === 0 ? now - SPAN : Math.min(oldest, now), to: now, tokens, leftOut };
}

/** Returns a token's path: the state at detection, its points, and the current state. */
function pathOf(token: PathToken, stored: HistoryPoint[], now: number): TokenPath {
  const { _id: address, name, symbol, detectedAt, lastUpdated } = token;
  // Only the liquidity is stored for the time of detection.
  const start = { at: detectedAt, price: null, liquidity: solOrNull(token.initialLiquidityLamports), holders: null };
  const points = [start, ...stored.filter(({ at }) => at > detectedAt)];
  const last = points.at(-1)?.at ?? detectedAt;
  if (lastUpdated > last) {
    const { price, liquidityLamports, holderCount: holders } = token;
    points.push({ at: Math.min(lastUpdated, now), price, liquidity: solOrNull(liquidityLamports), holders });
  }
  return { address, name, symbol, risk: presentScore(token), venue: venueOf(token), history: { detectedAt, points } };
}

function venueOf({ launchpad, quote, decimals, mayhem, migratedAt = null, reservesVenue }: PathToken): PathVenue {
  return {
    launchpad,
    quote,
    decimals,
    isMayhem: mayhem === true,
    migratedAt,
    isPoolFollowed: reservesVenue === 'pool',
  };
}

/** Returns points by address, oldest first; null when there are more than `room`. */
async function readPoints(
  samples: Collection<SampleRecord>,
  batch: readonly PathToken[],
  { now, room }: { now: number; room: number },
): Promise<Map<string, HistoryPoint[]> | null> {
  const traded = batch.filter(({ lastTradeAt }) => lastTradeAt !== null && lastTradeAt >= now - FULL_SPAN);
  const points = await readStoredPoints(samples, {
    addresses: batch.map(({ _id }) => _id),
    busy: traded.map(({ _id }) => _id),
    now,
    span: SPAN,
    fullStep: FULL_STEP,
    // A moment later they are stored; the last point of a path is of now.
    unstored: () => [],
    timeout: QUERY_TIMEOUT,
  });
  const count = [...points.values()].reduce((sum, { length }) => sum + length, 0);
  return count > room ? null : points;
}
