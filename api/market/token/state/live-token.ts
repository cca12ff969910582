import { HOUR } from '../../../../common/time.ts';
import type { Stage, Token } from '../../../../common/tokens/model.ts';
import { type Fact, noFacts, type RiskFacts } from '../../../../common/tokens/risk/score.ts';
import { slotsIn } from '../../../chain/slots.ts';
import type { PriceRange, Reserves, SourceName, TokenRecord } from '../../../tokens/record.ts';
import { isDeveloper } from '../../../tokens/wallets/developer.ts';
import type { TradeObservation } from '../../sources/observation.ts';
import { isChain } from '../merge/precedence.ts';
import { INSIDER_MS } from './early-buyers.ts';
import type { HolderLedger } from './holder-ledger.ts';
import { Momentum } from './momentum.ts';
import { hourOf } from './volume.ts';

/** Tokens are stored for this long after their last update, ms. */
export const RETENTION = 30 * 24 * HOUR;

/** A path in a record that one write can set alone. */
export type RecordPath = keyof TokenRecord | `facts.${keyof RiskFacts}` | `fieldSources.${string}`;

/** A token in memory: its record, and state that is not stored. */
export interface LiveToken {
  readonly record: TokenRecord;
  /** Fields to write. */
  dirty: Set<RecordPath>;
  /** True when MongoDB has a document. */
  stored: boolean;
  /** True when an observation other than a trade changed it since the last write: a crash can't rebuild that from the trades. */
  observed: boolean;
  /** Writes of it in progress. */
  writes: number;
  /** Created while MongoDB could not be read, so that it may already have a document. */
  unverified: boolean;
  /** True when changed since the last publication. */
  changed: boolean;
  /** True when a fact changed since the last publication. */
  factsChanged: boolean;
  /** Wire form of the last publication; null before the first. */
  published: Token | null;
  /** True when clients have to get the whole token with the next publication, since it turned out to be another one. */
  mustReplace: boolean;
  /** null when the creation was not observed, or until the ledger is rebuilt (`ledgerDue`). */
  ledger: HolderLedger | null;
  ledgerDue: boolean;
  momentum: Momentum;
  /** Outside buyers counted before it was loaded, or before an outage of the database. */
  outsideBuyersBefore: number;
  /** Transaction of the creation; null when it was not observed since the start. */
  creationSignature: string | null;
  /** Time of the current reserves; a late event must not set them back. */
  reservesAt: number;
  /** Source of the current reserves; before the first ones the source of the token. */
  reservesSource: SourceName;
  /** Highest liquidity (lamports) and price (SOL), exact, since the move into the pool; null before the first reserves. */
  peakLiquidity: number | null;
  peakPrice: number | null;
  /** True when the current reserves are exact to the unit, so that the next trade must continue them. */
  areReservesExact: boolean;
  /** The trade that first showed the coin; null for any other, and when its reserves are not exact. */
  firstTrade: TradeObservation | null;
  /** The trades of the earliest slot before the creation was observed. */
  earliestTrades: readonly TradeObservation[];
  /** Places in the chain of reserves where trades are missing; null without one. */
  gaps: TradeGap[] | null;
  /** Lamports traded since the last full sample. */
  sampleLamports: number;
  sampleDue: boolean;
  /** Prices since then; null without one. */
  sampleRange: PriceRange | null;
  due: DueTimes;
  /** Rate generation of its dollar figures; -1 before the first ones. */
  ratedIn: number;
  /** Time of the last observation, epoch ms by our clock. */
  touchedAt: number;
  /** Last reported price step of a pinned token; null when it is not pinned. */
  pin: PinState | null;
  /** What plans received last of it; null for a token that they do not follow. */
  handedOver: HandedOver | null;
}

/** When parts of a token are computed again, epoch ms: `AT_ONCE` after a change, Infinity while only a change requires it. */
interface DueTimes {
  /** The score, by a change or by time alone, and the earliest time of its next computation. */
  score: number;
  scoreFrom: number;
  growth: number;
  /** The copy of the largest holders. */
  holders: number;
  /** Figures in dollars and volume, by a change or by time alone. */
  values: number;
}

/** A due time that has passed. */
export const AT_ONCE = Number.NEGATIVE_INFINITY;

/** The last price step of a pinned token; its time in epoch ms. */
export interface PinState {
  at: number;
  price: number | null;
  reserves: Reserves | null;
  stage: Stage;
}

/** A gap in the trades of a coin: the reserves where it begins, and the trade after it. */
export interface TradeGap {
  after: Reserves;
  next: TradeObservation;
  /** True while a donation explains it, so that it is not counted: a trade in it shows that it is a gap. */
  isDoubtful: boolean;
}

/** Creates a live token from a stored or a fresh record. */
export function createLiveToken(record: TokenRecord, stored: boolean, now: number): LiveToken {
  // Facts of checks that a stored record does not have yet.
  record.facts = { ...noFacts(), ...record.facts };
  // Of an earlier run: a local chain may have begun again since.
  record.reservesSlot = null;
  return {
    record,
    dirty: new Set(),
    stored,
    observed: false,
    writes: 0,
    unverified: false,
    changed: false,
    factsChanged: false,
    published: null,
    mustReplace: false,
    ledger: null,
    ledgerDue: stored && (record.complete || record.sinceCreation === true),
    momentum: new Momentum(),
    outsideBuyersBefore: record.outsideBuyers ?? 0,
    creationSignature: null,
    reservesAt: record.reserves === null ? Number.NEGATIVE_INFINITY : (record.lastTradeAt ?? record.listedAt),
    reservesSource: record.detectedBy,
    peakLiquidity: storedPeak(record),
    peakPrice: record.peakPrice,
    areReservesExact: stored && isChain(record.detectedBy),
    firstTrade: null,
    earliestTrades: [],
    gaps: null,
    sampleLamports: 0,
    sampleDue: false,
    sampleRange: null,
    due: { score: AT_ONCE, scoreFrom: AT_ONCE, growth: AT_ONCE, holders: AT_ONCE, values: AT_ONCE },
    ratedIn: -1,
    touchedAt: now,
    pin: null,
    handedOver: null,
  };
}

/**
 * Returns the highest known liquidity, lamports. It is stored in steps, so that the present liquidity may be higher: a sale right
 * after a restart must count as a fall.
 */
function storedPeak({ peakLiquidityLamports, quote, stage, reserves, reservesVenue }: TokenRecord): number | null {
  const isFollowed = quote === 'SOL' && (stage !== 'pool' || reservesVenue === 'pool');
  if (peakLiquidityLamports === null || reserves === null || !isFollowed) return peakLiquidityLamports;
  return Math.max(peakLiquidityLamports, reserves.realQuote);
}

/**
 * Returns whether a trade was made by the developer or an insider; without a ledger, by wallet and slot alone. Called for every
 * trade, so it allocates nothing.
 */
export function isInsiderTrade({ record, ledger }: LiveToken, wallet: string, slot: number | null): boolean {
  if (ledger !== null) return ledger.isInsider(wallet);
  if (isDeveloper(record, wallet)) return true;
  const { createdSlot, slotMs = null } = record;
  return slot !== null && createdSlot !== null && slot - createdSlot <= slotsIn(INSIDER_MS, slotMs);
}

/** Keeps the time of the last sale by developer or insiders, epoch ms; also for the time after a restart. */
export function noteInsiderSale(live: LiveToken, at: number): void {
  if (at > (live.record.insiderSoldAt ?? Number.NEGATIVE_INFINITY)) set(live, 'insiderSoldAt', at);
}

const isInsiderWallet = (live: LiveToken, wallet: string) => isInsiderTrade(live, wallet, null);

/** Counts the wallets other than developer and insiders that bought, up to ten. Returns true when the number changed. */
export function countOutsideBuyers(live: LiveToken): boolean {
  const counted = live.momentum.outsideBuyers(isInsiderWallet, live);
  return set(live, 'outsideBuyers', Math.max(live.outsideBuyersBefore, counted));
}

/** Origin of a token's first observation. */
export interface FirstSeen {
  address: string;
  source: SourceName;
  launchpad: string;
  cluster: TokenRecord['cluster'];
  quote: TokenRecord['quote'];
  receivedAt: number;
}

/** Returns a record with nothing but its number and its origin. `now` is the time of the tick. */
export function freshRecord(first: FirstSeen, number: number, now: number): TokenRecord {
  return {
    _id: first.address,
    number,
    version: 0,
    name: null,
    symbol: null,
    uri: null,
    decimals: null,
    totalSupply: null,
    creator: null,
    creationUser: null,
    creationFeePayer: null,
    feeCreator: null,
    funders: null,
    createdAt: null,
    createdSlot: null,
    detectedAt: first.receivedAt,
    lastUpdated: now,
    listedAt: first.receivedAt,
    stage: 'curve',
    quote: first.quote,
    launchpad: first.launchpad,
    detectedBy: first.source,
    cluster: first.cluster,
    mayhem: null,
    bondingCurve: null,
    pool: null,
    reserves: null,
    price: null,
    initialLiquidityLamports: null,
    liquidityLamports: null,
    peakLiquidityLamports: null,
    peakPrice: null,
    volumeByHour: [],
    volumeMinutes: [],
    marketCapUsd: null,
    volumeUsd: null,
    holderCount: null,
    topHolders: [],
    buys: 0,
    sells: 0,
    complete: false,
    sinceCreation: false,
    tradesMissed: 0,
    facts: noFacts(),
    riskScore: null,
    riskCoverage: 0,
    riskReason: null,
    riskRulesVersion: null,
    growthScore: null,
    outsideBuyers: 0,
    runner: false,
    mightRun: false,
    twins: null,
    rugged: false,
    drained: false,
    spark: [],
    openSample: null,
    fieldSources: {},
    reported: null,
    lastTradeAt: null,
    insiderSoldAt: null,
    lastSignature: null,
    storedAt: null,
    publishedAt: null,
    keepUntil: keepUntil(now),
  };
}

/** Sets a field and marks it for the next write. Returns true when its value changed. */
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

/** Sets a fact unless its value is the same: `at` stays the time of the first such report. Returns true when the value changed. */
export function setFact<Key extends keyof RiskFacts>(live: LiveToken, key: Key, fact: RiskFacts[Key]): boolean {
  if (sameFact(live.record.facts[key], fact)) return false;
  live.record.facts[key] = fact;
  live.dirty.add(`facts.${key}`);
  live.factsChanged = true;
  live.due.score = AT_ONCE;
  return true;
}

function sameFact(a: Fact<unknown> | null, b: Fact<unknown> | null): boolean {
  if (a === null || b === null) return a === b;
  if (Array.isArray(a.value) && Array.isArray(b.value)) return a.value.join() === b.value.join();
  return a.value === b.value;
}

/** Increments the token's version, at the time of the tick. */
export function touch(live: LiveToken, now: number): void {
  const { record } = live;
  record.version += 1;
  live.dirty.add('version');
  live.changed = true;
  if (record.lastUpdated !== now) {
    record.lastUpdated = now;
    live.dirty.add('lastUpdated');
  }
  // In whole hours, so that its index is rarely updated.
  if (now + RETENTION - record.keepUntil.getTime() > HOUR) set(live, 'keepUntil', keepUntil(now));
}

function keepUntil(now: number): Date {
  return new Date((hourOf(now) + 1) * HOUR + RETENTION);
}

/** Facts of a token as plans receive them; risk in percent, unknown is null. */
export interface HandedFacts {
  address: string;
  symbol: string | null;
  holders: number | null;
  risk: number | null;
  quote: string;
  decimals: number | null;
}

/** What plans received last of a token; its time in epoch ms. */
export interface HandedOver {
  at: number;
  source: SourceName;
  price: number | null;
  liquidityLamports: number | null;
  reserves: Reserves | null;
  venue: 'curve' | 'pool';
  stage: Stage;
  facts: HandedFacts | null;
}
