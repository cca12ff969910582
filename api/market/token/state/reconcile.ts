import { searchTerms } from '../../../../common/tokens/search.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { type LiveToken, set, setFact, touch } from './live-token.ts';
import { addVolume } from './volume.ts';

const SPARK_POINTS = 20;
const HOUR = 3_600_000;

/** What is taken from MongoDB where nothing was heard meanwhile. */
const filled = [
  'name',
  'symbol',
  'uri',
  'decimals',
  'totalSupply',
  'creator',
  'createdAt',
  'createdSlot',
  'bondingCurve',
  'pool',
  'reserves',
  'reported',
  'price',
  'liquidityLamports',
  'openSample',
  'lastTradeAt',
  'lastSignature',
] as const satisfies readonly (keyof TokenRecord)[];

/** What MongoDB knows better: how it began. */
const kept = [
  'detectedAt',
  'listedAt',
  'listedHour',
  'launchpad',
  'detectedBy',
  'cluster',
  'complete',
  'rugged',
  'storedAt',
  'publishedAt',
] as const satisfies readonly (keyof TokenRecord)[];

/**
 * Joins a token that was begun while MongoDB was away with the record that MongoDB turns out to have. The newer state is the
 * live one; counts and volume are the sum of both.
 */
export function adopt(live: LiveToken, stored: TokenRecord, now: number): void {
  const { record } = live;
  for (const field of filled) fill(live, field, stored);
  for (const field of kept) copy(live, field, stored);
  if (stored.initialLiquidityLamports !== null) copy(live, 'initialLiquidityLamports', stored);
  set(live, 'peakLiquidityLamports', maximum(record.peakLiquidityLamports, stored.peakLiquidityLamports));
  set(live, 'buys', record.buys + stored.buys);
  set(live, 'sells', record.sells + stored.sells);
  for (const { hour, lamports } of stored.volumeByHour) addVolume(record.volumeByHour, hour * HOUR, lamports);
  record.spark = [...stored.spark, ...record.spark].slice(-SPARK_POINTS);
  record.fieldSources = { ...stored.fieldSources, ...record.fieldSources };
  fillFacts(live, stored);
  set(live, 'searchTerms', searchTerms(record.name, record.symbol, record._id));
  set(live, 'version', Math.max(record.version, stored.version));
  // The wallets of both times are in the trades.
  live.book = null;
  live.bookDue = record.complete;
  live.ratedIn = -1;
  live.scoreDue = true;
  // Not known as stored: then the whole record is written, and no field is missed.
  live.stored = false;
  touch(live, now);
}

function fill<Field extends (typeof filled)[number]>(live: LiveToken, field: Field, from: TokenRecord): void {
  if (live.record[field] == null) set(live, field, from[field]);
}

function copy<Field extends keyof TokenRecord>(live: LiveToken, field: Field, from: TokenRecord): void {
  set(live, field, from[field]);
}

function fillFacts(live: LiveToken, stored: TokenRecord): void {
  for (const key of Object.keys(live.record.facts) as (keyof TokenRecord['facts'])[]) {
    if (live.record.facts[key] === null) setFact(live, key, stored.facts[key]);
  }
}

function maximum(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
