import { sourceLabels } from '../../../../common/sources/model.ts';
import { isStandardStart } from '../../../../common/tokens/curve.ts';
import { above, liquidityPoints, NO_SELL_LIMIT, shareSteps } from '../../../../common/tokens/risk/checks.ts';
import type { Fact } from '../../../../common/tokens/risk/score.ts';
import { lamportsToSol, roundSignificant } from '../../../../common/tokens/units.ts';
import type {
  CreatedObservation,
  FactsObservation,
  ListingFacts,
  MigratedObservation,
  ReadFacts,
  SourceName,
} from '../../sources/observation.ts';
import type { Creators } from '../score/creator-history.ts';
import { EARLY_SALE_SPAN, type WalletBook } from '../state/holder-ledger.ts';
import { type LiveToken, set, setFact } from '../state/live-token.ts';
import type { Provenance } from './precedence.ts';
import { preferFact } from './preferred-fields.ts';
import { appliedReport } from './reported-figures.ts';

const SOURCE_TRADES = 'trades since the creation';
const SOURCE_STORE = 'coins seen by this server';
/** What pump.fun's program does for every coin; an account that was read says more, and replaces it. */
const RULE_PUMP_FUN = 'rule: pump.fun gives up both authorities when it creates a coin';
const RULE_PUMP_FUN_LP = 'rule: pump.fun burns the LP when a coin moves to its pool';

/** A coin that lost this share of its highest liquidity, after the creator sold early, ended as a rug. */
const RUG_LIQUIDITY_LEFT = 0.2;
const RUG_CREATOR_SOLD = 50;
/** Lamports; below it there was nothing to run away with. */
const RUG_MIN_PEAK = 1_000_000_000;

/** What the creation tells by itself. True when that changed a fact. */
export function factsOfCreation(live: LiveToken, created: CreatedObservation): boolean {
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: created.at, source: created.chain.signature });
  let changed = setFact(live, 'standardCurve', fact(isStandardStart(created.reserves, created.quote === 'SOL')));
  if (preferFact(live, 'metadataFile', fact(created.uri.trim() !== ''), created)) changed = true;
  // In mayhem mode others may make more of the coin: there the rule says nothing.
  if (created.launchpad !== 'pump.fun' || created.mayhem) return changed;
  const rule = <Value>(value: Value): Fact<Value> => ({ value, at: created.at, source: RULE_PUMP_FUN });
  if (preferFact(live, 'mintAuthorityLive', rule(false), created)) changed = true;
  if (preferFact(live, 'freezeAuthorityLive', rule(false), created)) changed = true;
  if (preferFact(live, 'extensions', rule<string[]>([]), created)) changed = true;
  return changed;
}

/** What the move into a pool tells. */
export function factsOfMigration(live: LiveToken, migrated: MigratedObservation): boolean {
  if (live.record.launchpad !== 'pump.fun') return false;
  return preferFact(live, 'lpUnlocked', { value: 0, at: migrated.at, source: RULE_PUMP_FUN_LP }, migrated);
}

/** What was read from accounts. A key that is missing or null takes nothing away. */
export function mergeReadFacts(live: LiveToken, { facts, at, source }: FactsObservation): boolean {
  const told = readFacts(live, facts, { at, source, evidence: `${source}: account ${live.record._id}` });
  const holders = facts.largestHolders != null && mergeHolders(live, facts.largestHolders, at, source);
  return told || holders;
}

/** What a data service says beside the figures. */
export function listingFacts(live: LiveToken, facts: ListingFacts, { source, at }: Provenance): boolean {
  const from = { source, at, evidence: labelOf(source) };
  const told = [readFacts(live, facts, from)];
  // Where every trade was heard, our own count of the wallets moves with each.
  if (live.record.complete) return told.includes(true);
  for (const key of ['topTen', 'largestWallet', 'creatorHolds'] as const) {
    const value = facts[key];
    if (value != null) told.push(preferFact(live, key, { value, at, source: from.evidence }, from));
  }
  return told.includes(true);
}

function readFacts(
  live: LiveToken,
  facts: ReadFacts,
  { evidence, ...from }: Provenance & { evidence: string },
): boolean {
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: from.at, source: evidence });
  const { mintAuthority, freezeAuthority, extensions, transferFeeBps, lpLockedPercent, metadataMutable, metadataFile } =
    facts;
  return [
    mintAuthority != null && preferFact(live, 'mintAuthorityLive', fact(mintAuthority === 'live'), from),
    freezeAuthority != null && preferFact(live, 'freezeAuthorityLive', fact(freezeAuthority === 'live'), from),
    extensions != null && preferFact(live, 'extensions', fact(extensions), from),
    transferFeeBps != null && preferFact(live, 'transferFeeBps', fact(transferFeeBps), from),
    // A coin that is not in a pool has no LP: what is said of it says nothing about the LP that it will have.
    lpLockedPercent != null &&
      live.record.stage === 'pool' &&
      preferFact(live, 'lpUnlocked', fact(100 - lpLockedPercent), from),
    metadataMutable != null && preferFact(live, 'metadataMutable', fact(metadataMutable), from),
    metadataFile != null && preferFact(live, 'metadataFile', fact(metadataFile), from),
  ].includes(true);
}

function labelOf(source: SourceName): string {
  return source === 'rpc' || source === 'env' ? source : sourceLabels[source];
}

/** Forgets what others said of the wallets: from now on they are counted here. */
export function forgetShares(live: LiveToken): void {
  for (const key of ['topTen', 'largestWallet', 'creatorHolds', 'holders'] as const) setFact(live, key, null);
}

/** RPC nodes list at most this many accounts. */
const LISTED_HOLDERS = 20;

/** Holders as read. They count only while our own book, which moves with every trade, cannot. */
function mergeHolders(
  live: LiveToken,
  holders: readonly { wallet: string; amount: number }[],
  at: number,
  source: SourceName,
): boolean {
  const { record } = live;
  const supply = supplyOf(live);
  if (record.complete || supply === null) return false;
  const fact = (amount: number): Fact<number> => ({
    value: percentOf(amount, supply),
    at,
    source: `${source}: largest accounts of ${record._id}`,
  });
  set(live, 'topHolders', holders.slice(0, LISTED_HOLDERS));
  const from: Provenance = { source, at };
  let changed = preferFact(live, 'topTen', fact(sumOfTen(holders)), from);
  if (preferFact(live, 'largestWallet', fact(holders[0]?.amount ?? 0), from)) changed = true;
  const creators = holders.find(({ wallet }) => wallet === record.creator);
  // A creator that is not among the twenty may still hold something, so only a shorter list says that it holds none.
  if (record.creator === null || (creators === undefined && holders.length >= LISTED_HOLDERS)) return changed;
  if (preferFact(live, 'creatorHolds', fact(creators?.amount ?? 0), from)) changed = true;
  return changed;
}

/** What the book and the reserves say now. True when a fact changed. */
export function refreshFacts(live: LiveToken, now: number): boolean {
  const { record, book } = live;
  let changed = false;
  if (record.liquidityLamports !== null) {
    const value = roundSignificant(lamportsToSol(record.liquidityLamports), 3);
    const { liquidity } = record.facts;
    const origin = liquidityOrigin(live);
    // Also where it says the same, whoever is believed now is the evidence.
    if (liquidity !== null && liquidity.source !== origin.source) record.facts.liquidity = null;
    if (liquidityMoved(record.facts.liquidity?.value, value)) {
      changed = setFact(live, 'liquidity', { value, ...origin });
    }
  } else if (record.facts.liquidity !== null) {
    changed = setFact(live, 'liquidity', null);
  }
  if (book !== null && refreshBookFacts(live, book, now)) changed = true;
  const holders = appliedReport(live, 'holderCount');
  if (holders !== null) {
    const fact = { value: holders.value, at: holders.at, source: labelOf(holders.source) };
    if (record.facts.holders?.source !== fact.source) record.facts.holders = null;
    if (setFact(live, 'holders', fact)) changed = true;
  }
  return changed;
}

/** When the liquidity in force was so, and who says it. */
function liquidityOrigin(live: LiveToken): { at: number; source: string } {
  const { pool, bondingCurve, lastTradeAt, listedAt } = live.record;
  const told = appliedReport(live, 'liquidityLamports');
  if (told !== null) return { at: told.at, source: labelOf(told.source) };
  return { at: lastTradeAt ?? listedAt, source: pool ?? bondingCurve ?? 'last trade' };
}

/** A figure that moved less says the same, unless it now costs other points: a part of a liquidity, and points of a share. */
const NOTABLE_MOVE = 0.05;
const NOTABLE_POINTS = 0.5;

function liquidityMoved(known: number | undefined, value: number): boolean {
  if (known === undefined || Math.abs(value - known) > known * NOTABLE_MOVE) return true;
  return liquidityPoints(known).limit !== liquidityPoints(value).limit;
}

/** Notes a share of the supply, percent; null when it cannot be known. */
function setShare(live: LiveToken, key: keyof typeof shareSteps, value: number | null, at: number): boolean {
  const known = live.record.facts[key];
  if (value === null) return setFact(live, key, null);
  const steps = shareSteps[key];
  const same =
    known !== null &&
    Math.abs(value - known.value) < NOTABLE_POINTS &&
    above(value, steps) === above(known.value, steps);
  return same ? false : setFact(live, key, { value, at, source: SOURCE_TRADES });
}

function refreshBookFacts(live: LiveToken, book: WalletBook, now: number): boolean {
  const { record } = live;
  const fact = (value: number | null): Fact<number> | null =>
    value === null ? null : { value, at: record.lastTradeAt ?? record.listedAt, source: SOURCE_TRADES };
  let changed = setFact(live, 'holders', fact(book.holders()));
  if (setFact(live, 'buysWithoutSell', fact(Math.min(book.buysWithoutSell(), NO_SELL_LIMIT)))) changed = true;
  if (setFact(live, 'creatorSoldEarly', fact(earlySale(book, record.createdAt, now)))) changed = true;
  const supply = supplyOf(live);
  if (supply === null) return changed;
  const at = record.lastTradeAt ?? record.listedAt;
  const share = (key: keyof typeof shareSteps, amount: number | null) => {
    if (setShare(live, key, amount === null ? null : percentOf(amount, supply), at)) changed = true;
  };
  const top = book.top();
  share('topTen', sumOfTen(top));
  share('largestWallet', top[0]?.amount ?? 0);
  share('creatorHolds', book.creatorHolds());
  share('sameSlotBuyers', book.sameSlotHolds());
  return changed;
}

/** Not known before the 60 s are over, unless the limit is reached sooner: that a creator has not sold yet clears nobody. */
function earlySale(book: WalletBook, createdAt: number | null, now: number): number | null {
  const sold = book.creatorSoldEarly();
  if (sold === null || createdAt === null) return null;
  if (sold < RUG_CREATOR_SOLD && now - createdAt <= EARLY_SALE_SPAN) return null;
  return Math.round(sold * 10) / 10;
}

/** What other coins say about this one. */
export function refreshHistory(live: LiveToken, creators: Creators): boolean {
  const { _id: address, creator, symbol, createdAt } = live.record;
  if (createdAt === null) return false;
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: createdAt, source: SOURCE_STORE });
  let changed = false;
  if (creator !== null) {
    changed = setFact(live, 'creatorLaunches24h', fact(creators.launchesBefore(creator, address, createdAt)));
    const rugged = worstHistory(live, creators.ruggedBefore(creator, address, createdAt), createdAt);
    // Also where it says the same, whoever counts now is the evidence.
    const isTold = rugged !== null && live.record.facts.creatorRugged?.source !== rugged.source;
    if (isTold) live.record.facts.creatorRugged = null;
    if (setFact(live, 'creatorRugged', rugged)) changed = true;
  }
  const twin = creators.twinOf(symbol, address, createdAt);
  if (setFact(live, 'symbolTwin', twin === null ? null : fact(twin))) changed = true;
  return changed;
}

/** Rugs that either this server or a data service has seen: neither knows all. */
function worstHistory(live: LiveToken, own: number | null, createdAt: number): Fact<number> | null {
  const told = live.record.reported?.creatorRugged ?? null;
  if (told !== null && told.value >= (own ?? 0))
    return { value: told.value, at: told.at, source: labelOf(told.source) };
  return own === null ? null : { value: own, at: createdAt, source: SOURCE_STORE };
}

/** Ended as a rug: the creator sold at least half of its first buy within 60 s, and at most a fifth of the highest liquidity is left. */
export function isRug(live: LiveToken): boolean {
  const { facts, liquidityLamports, peakLiquidityLamports } = live.record;
  return (
    (facts.creatorSoldEarly?.value ?? 0) >= RUG_CREATOR_SOLD &&
    liquidityLamports !== null &&
    peakLiquidityLamports !== null &&
    peakLiquidityLamports >= RUG_MIN_PEAK &&
    liquidityLamports <= peakLiquidityLamports * RUG_LIQUIDITY_LEFT
  );
}

function supplyOf(live: LiveToken): number | null {
  const supply = Number(live.record.totalSupply ?? 0);
  return supply > 0 ? supply : null;
}

/** Percent 0–100 to one decimal. */
function percentOf(amount: number, supply: number): number {
  return Math.round((amount / supply) * 1000) / 10;
}

function sumOfTen(holders: readonly { amount: number }[]): number {
  let sum = 0;
  for (let i = 0; i < 10; i += 1) sum += holders[i]?.amount ?? 0;
  return sum;
}
