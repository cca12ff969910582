import { NO_SELL_LIMIT } from '../../../../common/tokens/risk/checks/market.ts';
import type { Fact, Maturity, RiskFacts } from '../../../../common/tokens/risk/score.ts';
import { above, steps } from '../../../../common/tokens/risk/steps.ts';
import { isAtPeak } from '../lifecycle.ts';
import { percentOf, sumOfTen, supplyOf } from '../merge/facts.ts';
import { isPoolUnobserved, REPORT_LIFETIME } from '../merge/reported-figures.ts';
import { EARLY_SALE_SPAN, type HolderLedger } from '../state/holder-ledger.ts';
import { type LiveToken, noteInsiderSale, setFact } from '../state/live-token.ts';

const SOURCE_TRADES = 'trades since the creation';
const SOURCE_CLOCK = 'clock';

/** A low score needs this age, and this time since the last sale by an insider, ms. */
const MATURE_AGE = 120_000;
const QUIET_SPAN = 120_000;

/** A smaller move of a share that may fall, percentage points, keeps the fact, unless it changes the points. */
const NOTABLE_POINTS = 0.5;

type NumberKey = {
  [Key in keyof RiskFacts]: RiskFacts[Key] extends Fact<number> | null ? Key : never;
}[keyof RiskFacts];

/** Updates the facts computed from the trades and the clock. Returns true when one changed. */
export function refreshLedgerFacts(live: LiveToken, now: number): boolean {
  const { ledger, record } = live;
  const isFollowed = !isPoolUnobserved(live);
  // Without the trades only withdrawn liquidity is known to be a rug.
  const isKnown = record.rugged || (ledger !== null && isFollowed);
  const isSame = record.facts.rugged?.value === record.rugged;
  const rugged = isKnown && !isSame && setFact(live, 'rugged', tradeFact(live, record.rugged));
  const matured = refreshMaturity(live, now);
  if (ledger === null) return rugged || matured;
  return [
    rugged,
    matured,
    refreshDeveloper(live, ledger, now),
    refreshInsiders(live, ledger),
    isFollowed && refreshConcentration(live, ledger),
  ].includes(true);
}

/** Updates the number of outside holders from the trades. Returns true when it changed. */
export function refreshOutsideHolders(live: LiveToken): boolean {
  if (live.ledger === null) return false;
  const holders = live.ledger.outsideHolders();
  return live.record.facts.holders?.value !== holders && setFact(live, 'holders', tradeFact(live, holders));
}

/** Shares and sales that the trades in a pool may change. */
const followed = ['developerSold', 'insidersSold', 'unboughtSales', 'topTen', 'largestWallet'] as const;
type FollowedKey = (typeof followed)[number];

/** Forgets that nothing was found in the trades, once those in the pool are not observed. Findings stay. Returns true when a fact changed. */
export function forgetClearTrades(live: LiveToken): boolean {
  const { facts } = live.record;
  const isClear = (key: FollowedKey) =>
    facts[key]?.source === SOURCE_TRADES && above(facts[key].value, steps[key]) === 0;
  const forgotten = followed.map((key) => isClear(key) && setFact(live, key, null));
  return (facts.rugged?.value === false && setFact(live, 'rugged', null)) || forgotten.includes(true);
}

function tradeFact<Value>(live: LiveToken, value: Value): Fact<Value> {
  return { value, at: tradedAt(live), source: SOURCE_TRADES };
}

/** Returns when time alone changes the facts of a token next, epoch ms; Infinity: never. */
export function nextFactsChange({ record }: LiveToken, now: number): number {
  const { listedAt, insiderSoldAt } = record;
  const { price = null, liquidityLamports = null, holderCount = null } = record.reported ?? {};
  let next = later(listedAt + MATURE_AGE, now);
  next = Math.min(next, later(listedAt + EARLY_SALE_SPAN + 1, now));
  if (insiderSoldAt != null) next = Math.min(next, later(insiderSoldAt + QUIET_SPAN, now));
  if (price !== null) next = Math.min(next, later(price.at + REPORT_LIFETIME + 1, now));
  if (liquidityLamports !== null) next = Math.min(next, later(liquidityLamports.at + REPORT_LIFETIME + 1, now));
  return holderCount === null ? next : Math.min(next, later(holderCount.at + REPORT_LIFETIME + 1, now));
}

/** Returns a time after now; Infinity for an earlier one. */
function later(at: number, now: number): number {
  return at > now ? at : Number.POSITIVE_INFINITY;
}

function refreshMaturity(live: LiveToken, now: number): boolean {
  // The ledger also knows sales of transferred coins, and of wallets that turned out to be insiders.
  if (live.ledger !== null) noteInsiderSale(live, live.ledger.lastInsiderSaleAt());
  const value = maturityOf(live, now);
  return (
    live.record.facts.maturity?.value !== value && setFact(live, 'maturity', { value, at: now, source: SOURCE_CLOCK })
  );
}

function maturityOf({ record }: LiveToken, now: number): Maturity {
  // `listedAt` is the detection where the creation is unknown: the coin is at least that old.
  if (now - record.listedAt < MATURE_AGE) return 'early';
  const sale = record.insiderSoldAt ?? Number.NEGATIVE_INFINITY;
  return now - sale < QUIET_SPAN ? 'insider-sale' : 'mature';
}

function refreshDeveloper(live: LiveToken, ledger: HolderLedger, now: number): boolean {
  const developer = ledger.developer();
  if (developer === null) return false;
  const early = Math.round(developer.soldEarlyShare * 10) / 10;
  const isDecided = now - live.record.listedAt > EARLY_SALE_SPAN || above(early, steps.developerSoldEarly) > 0;
  return [
    raise(live, 'developerSold', Math.round(developer.soldShare * 10) / 10),
    isDecided && raise(live, 'developerSoldEarly', early),
    raise(live, 'developerBought', shareOf(live, developer.bought)),
    !isPoolUnobserved(live) && setShare(live, 'creatorHolds', shareOf(live, developer.held)),
  ].includes(true);
}

function refreshInsiders(live: LiveToken, ledger: HolderLedger): boolean {
  const insiders = ledger.insiders();
  // With trades missing, a wallet may have bought in one of them.
  const unbought = live.record.complete && raise(live, 'unboughtSales', shareOf(live, ledger.unboughtSales()));
  if (insiders === null) return unbought;
  return [
    unbought,
    raise(live, 'insiderWallets', insiders.wallets),
    raise(live, 'insidersBought', shareOf(live, insiders.bought)),
    raise(live, 'insidersSold', Math.round(insiders.soldShare * 10) / 10),
    setShare(live, 'insidersHold', shareOf(live, insiders.held)),
  ].includes(true);
}

function refreshConcentration(live: LiveToken, ledger: HolderLedger): boolean {
  const top = ledger.top();
  const update = isAtPeak(live) ? setShare : raise;
  return [
    update(live, 'topTen', shareOf(live, sumOfTen(top))),
    update(live, 'largestWallet', shareOf(live, top[0]?.amount ?? 0)),
    update(live, 'buysWithoutSell', Math.min(ledger.buysWithoutSell(), NO_SELL_LIMIT)),
  ].includes(true);
}

/** Returns base units in percent of the supply; null while it is unknown. At most 100: a wallet may buy the same coins again. */
function shareOf(live: LiveToken, amount: number): number | null {
  const supply = supplyOf(live);
  return supply === null ? null : Math.min(100, percentOf(amount, supply));
}

/** Sets a figure that only rises: a sale, a rebuilt ledger or a newly known insider never makes it smaller. */
function raise(live: LiveToken, key: NumberKey, value: number | null): boolean {
  const known = live.record.facts[key];
  if (value === null || (known !== null && known.value >= value)) return false;
  // Without the trades in the pool, nothing found is not known any more.
  if (isFollowedKey(key) && isPoolUnobserved(live) && above(value, steps[key]) === 0) return false;
  return setFact(live, key, tradeFact(live, value));
}

/** Sets a figure that follows the trades. An unknown value replaces nothing. */
function setShare(live: LiveToken, key: NumberKey, value: number | null): boolean {
  const known = live.record.facts[key];
  if (value === null) return false;
  const limits = key === 'topTen' || key === 'largestWallet' ? steps[key] : steps.developerStake;
  const isSame =
    known !== null &&
    Math.abs(value - known.value) < NOTABLE_POINTS &&
    above(value, limits) === above(known.value, limits);
  return !isSame && setFact(live, key, tradeFact(live, value));
}

function isFollowedKey(key: NumberKey): key is FollowedKey {
  return followed.some((one) => one === key);
}

function tradedAt({ record }: LiveToken): number {
  return record.lastTradeAt ?? record.listedAt;
}
