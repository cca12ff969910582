import { isStandardStart } from '../../common/tokens/curve.ts';
import type { Fact } from '../../common/tokens/risk.ts';
import { above, liquidityPoints, NO_SELL_LIMIT, shareSteps } from '../../common/tokens/riskChecks.ts';
import { lamportsToSol, roundSignificant } from '../../common/tokens/units.ts';
import type { Creators } from './creators.ts';
import { type LiveToken, set, setFact } from './liveToken.ts';
import type { CreatedObservation, FactsObservation, MigratedObservation } from './observation.ts';
import { EARLY_SALE_SPAN, type WalletBook } from './wallets.ts';

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
  if (setFact(live, 'metadataFile', fact(created.uri.trim() !== ''))) changed = true;
  // In mayhem mode others may make more of the coin: there the rule says nothing.
  if (created.launchpad !== 'pump.fun' || created.mayhem) return changed;
  const { facts } = live.record;
  const rule = <Value>(value: Value): Fact<Value> => ({ value, at: created.at, source: RULE_PUMP_FUN });
  if (facts.mintAuthorityLive === null && setFact(live, 'mintAuthorityLive', rule(false))) changed = true;
  if (facts.freezeAuthorityLive === null && setFact(live, 'freezeAuthorityLive', rule(false))) changed = true;
  if (facts.extensions === null && setFact(live, 'extensions', rule<string[]>([]))) changed = true;
  return changed;
}

/** What the move into a pool tells. */
export function factsOfMigration(live: LiveToken, migrated: MigratedObservation): boolean {
  if (live.record.launchpad !== 'pump.fun' || live.record.facts.lpUnlocked !== null) return false;
  return setFact(live, 'lpUnlocked', { value: 0, at: migrated.at, source: RULE_PUMP_FUN_LP });
}

/** What was read from accounts. A key that is missing or null takes nothing away. */
export function mergeReadFacts(live: LiveToken, { facts, at, source }: FactsObservation): boolean {
  const account = live.record._id;
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at, source: `${source}: account ${account}` });
  const told: boolean[] = [];
  if (facts.mintAuthority != null) {
    told.push(setFact(live, 'mintAuthorityLive', fact(facts.mintAuthority === 'live')));
  }
  if (facts.freezeAuthority != null) {
    told.push(setFact(live, 'freezeAuthorityLive', fact(facts.freezeAuthority === 'live')));
  }
  if (facts.extensions != null) told.push(setFact(live, 'extensions', fact(facts.extensions)));
  if (facts.transferFeeBps != null) told.push(setFact(live, 'transferFeeBps', fact(facts.transferFeeBps)));
  if (facts.lpLockedPercent != null) told.push(setFact(live, 'lpUnlocked', fact(100 - facts.lpLockedPercent)));
  if (facts.metadataMutable != null) told.push(setFact(live, 'metadataMutable', fact(facts.metadataMutable)));
  if (facts.largestHolders != null) told.push(mergeHolders(live, facts.largestHolders, at, source));
  return told.includes(true);
}

/** RPC nodes list at most this many accounts. */
const LISTED_HOLDERS = 20;

/** Holders as read. They count only while our own book, which moves with every trade, cannot. */
function mergeHolders(
  live: LiveToken,
  holders: readonly { wallet: string; amount: number }[],
  at: number,
  source: string,
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
  let changed = setFact(live, 'topTen', fact(sumOfTen(holders)));
  if (setFact(live, 'largestWallet', fact(holders[0]?.amount ?? 0))) changed = true;
  const creators = holders.find(({ wallet }) => wallet === record.creator);
  // A creator that is not among the twenty may still hold something, so only a shorter list says that it holds none.
  if (record.creator === null || (creators === undefined && holders.length >= LISTED_HOLDERS)) return changed;
  if (setFact(live, 'creatorHolds', fact(creators?.amount ?? 0))) changed = true;
  return changed;
}

/** What the book and the reserves say now. True when a fact changed. */
export function refreshFacts(live: LiveToken, now: number): boolean {
  const { record, book } = live;
  let changed = false;
  if (record.liquidityLamports !== null) {
    const value = roundSignificant(lamportsToSol(record.liquidityLamports), 3);
    const at = record.lastTradeAt ?? record.listedAt;
    if (liquidityMoved(record.facts.liquidity?.value, value)) {
      changed = setFact(live, 'liquidity', { value, at, source: record.pool ?? record.bondingCurve ?? 'last trade' });
    }
  } else if (record.facts.liquidity !== null) {
    changed = setFact(live, 'liquidity', null);
  }
  if (book !== null && refreshBookFacts(live, book, now)) changed = true;
  return changed;
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
    const rugged = creators.ruggedBefore(creator, address, createdAt);
    if (setFact(live, 'creatorRugged', rugged === null ? null : fact(rugged))) changed = true;
  }
  const twin = creators.twinOf(symbol, address, createdAt);
  if (setFact(live, 'symbolTwin', twin === null ? null : fact(twin))) changed = true;
  return changed;
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
