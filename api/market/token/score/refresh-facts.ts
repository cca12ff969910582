import { above, liquidityPoints, NO_SELL_LIMIT, shareSteps } from '../../../../common/tokens/risk/checks.ts';
import type { Fact } from '../../../../common/tokens/risk/score.ts';
import { lamportsToSol, roundSignificant } from '../../../../common/tokens/units.ts';
import { RUG_CREATOR_SOLD } from '../lifecycle.ts';
import { percentOf, sourceLabel, sumOfTen, supplyOf } from '../merge/facts.ts';
import { appliedReport } from '../merge/reported-figures.ts';
import { EARLY_SALE_SPAN, type HolderLedger } from '../state/holder-ledger.ts';
import { type LiveToken, setFact } from '../state/live-token.ts';
import type { CreatorHistory } from './creator-history.ts';

const SOURCE_TRADES = 'trades since the creation';
const SOURCE_STORE = 'coins seen by this server';

/** A smaller move keeps the fact, unless it changes the points: a share of the liquidity, and percentage points of a share. */
const NOTABLE_MOVE = 0.05;
const NOTABLE_POINTS = 0.5;

/** Updates the facts computed from the reserves, the ledger and the reported holder count. Returns true when one changed. */
export function refreshFacts(live: LiveToken, now: number): boolean {
  const { record, ledger } = live;
  let changed = false;
  if (record.liquidityLamports !== null) {
    const value = roundSignificant(lamportsToSol(record.liquidityLamports), 3);
    const { liquidity } = record.facts;
    const origin = liquidityOrigin(live);
    // Replaced also at the same value, so that the evidence names the present source.
    if (liquidity !== null && liquidity.source !== origin.source) record.facts.liquidity = null;
    if (isLiquidityMoved(record.facts.liquidity?.value, value)) {
      changed = setFact(live, 'liquidity', { value, ...origin });
    }
  } else if (record.facts.liquidity !== null) {
    changed = setFact(live, 'liquidity', null);
  }
  if (ledger !== null && refreshLedgerFacts(live, ledger, now)) changed = true;
  const holders = appliedReport(live, 'holderCount');
  if (holders !== null) {
    const fact = { value: holders.value, at: holders.at, source: sourceLabel(holders.source) };
    if (record.facts.holders?.source !== fact.source) record.facts.holders = null;
    if (setFact(live, 'holders', fact)) changed = true;
  }
  return changed;
}

/** Returns time and source of the current liquidity. */
function liquidityOrigin(live: LiveToken): { at: number; source: string } {
  const { pool, bondingCurve, lastTradeAt, listedAt } = live.record;
  const report = appliedReport(live, 'liquidityLamports');
  if (report !== null) return { at: report.at, source: sourceLabel(report.source) };
  return { at: lastTradeAt ?? listedAt, source: pool ?? bondingCurve ?? 'last trade' };
}

function isLiquidityMoved(known: number | undefined, value: number): boolean {
  if (known === undefined || Math.abs(value - known) > known * NOTABLE_MOVE) return true;
  return liquidityPoints(known).limit !== liquidityPoints(value).limit;
}

function refreshLedgerFacts(live: LiveToken, ledger: HolderLedger, now: number): boolean {
  const { record } = live;
  const at = record.lastTradeAt ?? record.listedAt;
  const fact = (value: number | null): Fact<number> | null =>
    value === null ? null : { value, at, source: SOURCE_TRADES };
  let changed = setFact(live, 'holders', fact(ledger.holders()));
  if (setFact(live, 'buysWithoutSell', fact(Math.min(ledger.buysWithoutSell(), NO_SELL_LIMIT)))) changed = true;
  if (setFact(live, 'creatorSoldEarly', fact(earlySale(ledger, record.createdAt, now)))) changed = true;
  const supply = supplyOf(live);
  if (supply === null) return changed;
  const share = (key: keyof typeof shareSteps, amount: number | null) => {
    if (setShare(live, key, amount === null ? null : percentOf(amount, supply), at)) changed = true;
  };
  const top = ledger.top();
  share('topTen', sumOfTen(top));
  share('largestWallet', top[0]?.amount ?? 0);
  share('creatorHolds', ledger.creatorHolds());
  share('sameSlotBuyers', ledger.sameSlotHolds());
  return changed;
}

/** Sets a share of the supply, percent; null when unknown. */
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

/** Returns the early sale in percent; null before the 60 s are over unless the limit is reached sooner, since a sale may still come. */
function earlySale(ledger: HolderLedger, createdAt: number | null, now: number): number | null {
  const sold = ledger.creatorSoldEarly();
  if (sold === null || createdAt === null) return null;
  if (sold < RUG_CREATOR_SOLD && now - createdAt <= EARLY_SALE_SPAN) return null;
  return Math.round(sold * 10) / 10;
}

/** Updates the facts that follow from other coins of the creator and the symbol. Returns true when one changed. */
export function refreshHistoryFacts(live: LiveToken, history: CreatorHistory): boolean {
  const { _id: address, creator, symbol, createdAt } = live.record;
  if (createdAt === null) return false;
  const fact = <Value>(value: Value): Fact<Value> => ({ value, at: createdAt, source: SOURCE_STORE });
  let changed = false;
  if (creator !== null) {
    changed = setFact(live, 'creatorLaunches24h', fact(history.launchesBefore(creator, address, createdAt)));
    const rugged = worstHistory(live, history.ruggedBefore(creator, address, createdAt), createdAt);
    // Replaced also at the same value, so that the evidence names the present source.
    const isOtherSource = rugged !== null && live.record.facts.creatorRugged?.source !== rugged.source;
    if (isOtherSource) live.record.facts.creatorRugged = null;
    if (setFact(live, 'creatorRugged', rugged)) changed = true;
  }
  const twin = history.twinOf(symbol, address, createdAt);
  if (setFact(live, 'symbolTwin', twin === null ? null : fact(twin))) changed = true;
  return changed;
}

/** Returns the higher count of rugs, ours or a data service's: each of them misses some. */
function worstHistory(live: LiveToken, counted: number | null, createdAt: number): Fact<number> | null {
  const report = live.record.reported?.creatorRugged ?? null;
  if (report !== null && report.value >= (counted ?? 0)) {
    return { value: report.value, at: report.at, source: sourceLabel(report.source) };
  }
  return counted === null ? null : { value: counted, at: createdAt, source: SOURCE_STORE };
}
