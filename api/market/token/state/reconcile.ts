import { droppedPoint, SPARK_POINTS } from '../../../../common/tokens/spark.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import { AT_ONCE, type LiveToken, set, setFact, touch } from './live-token.ts';
import { mergeVolume } from './volume.ts';

/** Fields taken from MongoDB where the live record has none. */
const filled = [
  'name',
  'symbol',
  'uri',
  'decimals',
  'totalSupply',
  'creator',
  'creationUser',
  'creationFeePayer',
  'feeCreator',
  'funders',
  'mayhem',
  'createdAt',
  'createdSlot',
  'slotMs',
  'bondingCurve',
  'pool',
  'reserves',
  'reservesVenue',
  'migratedAt',
  'reported',
  'price',
  'liquidityLamports',
  'openSample',
  'lastTradeAt',
  'lastSignature',
] as const satisfies readonly (keyof TokenRecord)[];

/** Fields about the token's origin, always taken from MongoDB. */
const restored = [
  'number',
  'detectedAt',
  'listedAt',
  'launchpad',
  'detectedBy',
  'cluster',
  'complete',
  'sinceCreation',
  'storedAt',
  'publishedAt',
] as const satisfies readonly (keyof TokenRecord)[];

/**
 * Joins a token that was created while MongoDB was away with the record that is in MongoDB after all. The live record has
 * the newer state; counts and volume are the sum of both.
 */
export function reconcile(live: LiveToken, stored: TokenRecord, now: number): void {
  const { record } = live;
  for (const field of filled) if (record[field] == null) copy(live, field, stored);
  for (const field of restored) copy(live, field, stored);
  if (stored.initialLiquidityLamports !== null) copy(live, 'initialLiquidityLamports', stored);
  keepBadNews(live, stored);
  set(live, 'peakLiquidityLamports', maximum(record.peakLiquidityLamports, stored.peakLiquidityLamports));
  set(live, 'peakPrice', maximum(record.peakPrice, stored.peakPrice));
  live.peakLiquidity = maximum(live.peakLiquidity, stored.peakLiquidityLamports);
  live.peakPrice = maximum(live.peakPrice, stored.peakPrice);
  // The next refresh counts the higher of both; it cannot tell which wallets are the same.
  live.outsideBuyersBefore = Math.max(live.outsideBuyersBefore, stored.outsideBuyers ?? 0);
  set(live, 'buys', record.buys + stored.buys);
  set(live, 'sells', record.sells + stored.sells);
  mergeVolume(record, stored);
  record.spark = [...stored.spark, ...record.spark];
  while (record.spark.length > SPARK_POINTS) record.spark.splice(droppedPoint(record.spark.map(({ at }) => at)), 1);
  record.fieldSources = { ...stored.fieldSources, ...record.fieldSources };
  for (const key of Object.keys(record.facts) as (keyof TokenRecord['facts'])[]) {
    if (record.facts[key] === null) setFact(live, key, stored.facts[key]);
  }
  set(live, 'version', Math.max(record.version, stored.version));
  // The ledger is rebuilt from the trades of both times.
  live.ledger = null;
  live.ledgerDue = record.complete || record.sinceCreation;
  live.due.values = AT_ONCE;
  live.due.score = AT_ONCE;
  // Marked as not stored, so that the whole record is written and no field is missed.
  live.stored = false;
  // Clients know it by another number, or still as it was before the outage.
  live.mustReplace = true;
  touch(live, now);
}

/** Keeps a coin's end, its missed trades and its last sale by an insider, in whichever time they were. */
function keepBadNews(live: LiveToken, stored: TokenRecord): void {
  const { record } = live;
  for (const field of ['rugged', 'drained'] as const) if (stored[field] === true) set(live, field, true);
  set(live, 'tradesMissed', (record.tradesMissed ?? 0) + (stored.tradesMissed ?? 0));
  if (record.tradesMissed !== 0) set(live, 'complete', false);
  set(live, 'insiderSoldAt', maximum(record.insiderSoldAt ?? null, stored.insiderSoldAt ?? null));
}

function copy<Field extends keyof TokenRecord>(live: LiveToken, field: Field, from: TokenRecord): void {
  set(live, field, from[field]);
}

function maximum(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
