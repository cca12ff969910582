import type { Token } from '../../../../common/tokens/model.ts';
import type { Fact, RiskFacts } from '../../../../common/tokens/risk/score.ts';
import { noFacts } from '../../../../common/tokens/risk/score.ts';
import { searchTerms } from '../../../../common/tokens/search.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import type { SourceName } from '../../sources/observation.ts';
import type { WalletBook } from './holder-ledger.ts';
import { Momentum } from './momentum.ts';
import { hourOf } from './volume.ts';

const HOUR = 3_600_000;
/** Tokens are kept this long after their last update, ms. */
export const RETENTION = 30 * 24 * HOUR;

/** Received longer ago than this, ms, before it is first stored: history that was handed in, not a delay of ours. */
const LATEST_TIMED = 60_000;

/** Whether the moments it is first stored and published tell of the way here; they stay null for seeded history. */
export function isTimed(record: Pick<TokenRecord, 'detectedAt'>, now: number): boolean {
  return now - record.detectedAt <= LATEST_TIMED;
}

/** A place in a record that MongoDB can set on its own. */
export type RecordPath = keyof TokenRecord | `facts.${keyof RiskFacts}` | `fieldSources.${string}`;

/** A token in memory: its record and what is only needed while it lives. */
export interface LiveToken {
  readonly record: TokenRecord;
  /** What MongoDB does not have yet. */
  dirty: Set<RecordPath>;
  /** Whether a document exists in MongoDB. */
  stored: boolean;
  /** Made while MongoDB could not be asked whether it knows the token. */
  unsure: boolean;
  /** Changed since the last publication. */
  changed: boolean;
  /** One of its facts changed since the last publication. */
  factsChanged: boolean;
  /** As it was published last; null before. */
  wire: Token | null;
  /** null: the creation was not seen, or the book is not read again yet (`bookDue`). */
  book: WalletBook | null;
  bookDue: boolean;
  momentum: Momentum;
  /** The transaction of the creation; null when it was not seen since the start. */
  creationSignature: string | null;
  /** Time and slot of the reserves in force: late news must not turn them back, also within one second of chain time. */
  reservesAt: number;
  reservesSlot: number | null;
  /** Traded since the last full sample, lamports. */
  sampleLamports: number;
  sampleDue: boolean;
  /** Rate generation its dollar figures were made in. */
  ratedIn: number;
  /** When its score, its growth and its stored holders were made last, and whether a score is due. Epoch ms. */
  scoredAt: number;
  scoreDue: boolean;
  grownAt: number;
  holdersAt: number;
  /** Last observation, epoch ms by our clock. */
  touchedAt: number;
}

/** A live token around a record from MongoDB, or around a fresh one. */
export function liveToken(record: TokenRecord, stored: boolean, now: number): LiveToken {
  return {
    record,
    dirty: new Set(),
    stored,
    unsure: false,
    changed: false,
    factsChanged: false,
    wire: null,
    book: null,
    bookDue: stored && record.complete,
    momentum: new Momentum(),
    creationSignature: null,
    reservesAt: record.reserves === null ? Number.NEGATIVE_INFINITY : (record.lastTradeAt ?? record.listedAt),
    reservesSlot: null,
    sampleLamports: 0,
    sampleDue: false,
    ratedIn: -1,
    scoredAt: Number.NEGATIVE_INFINITY,
    scoreDue: true,
    grownAt: Number.NEGATIVE_INFINITY,
    holdersAt: Number.NEGATIVE_INFINITY,
    touchedAt: now,
  };
}

/** Where a token was first heard of. */
export interface FirstSeen {
  address: string;
  source: SourceName;
  launchpad: string;
  cluster: TokenRecord['cluster'];
  quote: TokenRecord['quote'];
  receivedAt: number;
}

/** A record that knows nothing but where it comes from. `now` is the tick's time. */
export function freshRecord(first: FirstSeen, now: number): TokenRecord {
  return {
    _id: first.address,
    version: 0,
    name: null,
    symbol: null,
    uri: null,
    decimals: null,
    totalSupply: null,
    creator: null,
    createdAt: null,
    createdSlot: null,
    detectedAt: first.receivedAt,
    lastUpdated: now,
    listedAt: first.receivedAt,
    listedHour: hourOf(first.receivedAt),
    stage: 'curve',
    quote: first.quote,
    launchpad: first.launchpad,
    detectedBy: first.source,
    cluster: first.cluster,
    bondingCurve: null,
    pool: null,
    reserves: null,
    price: null,
    initialLiquidityLamports: null,
    liquidityLamports: null,
    peakLiquidityLamports: null,
    volumeByHour: [],
    marketCapUsd: null,
    volumeUsd: null,
    holderCount: null,
    topHolders: [],
    buys: 0,
    sells: 0,
    complete: false,
    facts: noFacts(),
    riskScore: null,
    riskCoverage: 0,
    growthScore: null,
    runner: false,
    mightRun: false,
    rugged: false,
    spark: [],
    openSample: null,
    fieldSources: {},
    reported: null,
    lastTradeAt: null,
    lastSignature: null,
    storedAt: null,
    publishedAt: null,
    keepUntil: keepUntil(now),
    searchTerms: searchTerms(null, null, first.address),
  };
}

/** Sets a field and notes that MongoDB lacks it. True when that changed something. */
export function set<Field extends keyof TokenRecord>(
  live: LiveToken,
  field: Field,
  value: TokenRecord[Field],
): boolean {
  if (Object.is(live.record[field], value)) return false;
  live.record[field] = value;
  live.dirty.add(field);
  return true;
}

/** Sets a fact, unless it says the same as before: `at` stays the time since when it is so. True when that changed something. */
export function setFact<Key extends keyof RiskFacts>(live: LiveToken, key: Key, fact: RiskFacts[Key]): boolean {
  const known = live.record.facts[key];
  if (sameFact(known, fact)) return false;
  live.record.facts[key] = fact;
  live.dirty.add(`facts.${key}`);
  live.factsChanged = true;
  live.scoreDue = true;
  return true;
}

function sameFact(a: Fact<unknown> | null, b: Fact<unknown> | null): boolean {
  if (a === null || b === null) return a === b;
  if (Array.isArray(a.value) && Array.isArray(b.value)) return a.value.join() === b.value.join();
  return a.value === b.value;
}

/** Notes that the token changed: one version more, at the time of the tick. */
export function touch(live: LiveToken, now: number): void {
  const { record } = live;
  record.version += 1;
  live.dirty.add('version');
  live.changed = true;
  if (record.lastUpdated !== now) {
    record.lastUpdated = now;
    live.dirty.add('lastUpdated');
  }
  // In whole hours, so that the index on it is seldom touched.
  if (now + RETENTION - record.keepUntil.getTime() > HOUR) set(live, 'keepUntil', keepUntil(now));
}

function keepUntil(now: number): Date {
  return new Date((hourOf(now) + 1) * HOUR + RETENTION);
}
