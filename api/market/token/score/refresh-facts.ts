import { holderPoints, liquidityPoints } from '../../../../common/tokens/risk/checks/market.ts';
import { above, steps } from '../../../../common/tokens/risk/steps.ts';
import { lamportsToSol, roundSignificant } from '../../../../common/tokens/units.ts';
import { isDrained, liquidityLeft } from '../lifecycle.ts';
import { sourceLabel } from '../merge/facts.ts';
import { appliedReport, isObserved, isPoolUnobserved } from '../merge/reported-figures.ts';
import { type LiveToken, setFact } from '../state/live-token.ts';
import { forgetClearTrades, refreshLedgerFacts, refreshOutsideHolders } from './refresh-ledger-facts.ts';

/** A smaller move of the liquidity, as a share of it, keeps the fact, unless it changes the points. */
const NOTABLE_MOVE = 0.05;
/** Falls from a peak are kept in steps of this many percent, or every sale would write them. */
const FALL_STEP = 5;

/**
 * Updates the facts computed from the reserves, the ledger, the clock and the reported holder count. Returns true when one changed.
 * Runs for nearly every trade, so a fact is created only when its value changes.
 */
export function refreshFacts(live: LiveToken, now: number): boolean {
  return [
    isPoolUnobserved(live) && forgetClearTrades(live),
    refreshLiquidity(live, now),
    refreshFalls(live, now),
    refreshLedgerFacts(live, now),
    refreshHolders(live, now),
  ].includes(true);
}

function refreshLiquidity(live: LiveToken, now: number): boolean {
  const { record } = live;
  const { liquidity } = record.facts;
  if (record.liquidityLamports === null) return liquidity !== null && setFact(live, 'liquidity', null);
  // A figure that is no longer observed stays only as a finding.
  if (!isObserved(live, 'liquidityLamports', now)) {
    return liquidity !== null && liquidityPoints(liquidity.value).points === 0 && setFact(live, 'liquidity', null);
  }
  const value = roundSignificant(lamportsToSol(record.liquidityLamports), 3);
  const origin = liquidityOrigin(live);
  // Replaced also at the same value, so that the evidence names the present source.
  if (liquidity?.source !== origin.source) record.facts.liquidity = null;
  return isLiquidityMoved(record.facts.liquidity?.value, value) && setFact(live, 'liquidity', { value, ...origin });
}

/** Updates the holders: the outside holders of the ledger, or the holders that a service counted. */
function refreshHolders(live: LiveToken, now: number): boolean {
  const { facts } = live.record;
  if (!isObserved(live, 'holderCount', now)) {
    return facts.holders !== null && holderPoints(facts.holders.value) === 0 && setFact(live, 'holders', null);
  }
  const report = appliedReport(live, 'holderCount');
  if (report === null) return refreshOutsideHolders(live);
  const fact = { value: report.value, at: report.at, source: sourceLabel(report.source) };
  if (facts.holders?.source !== fact.source) facts.holders = null;
  return setFact(live, 'holders', fact);
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

/** Updates how far liquidity and price are below their peaks. A figure that is no longer observed stays only as a finding. */
function refreshFalls(live: LiveToken, now: number): boolean {
  const { record, peakPrice } = live;
  const left = liquidityLeft(live);
  const priceLeft = record.price === null || !peakPrice ? null : record.price / peakPrice;
  const isLiquidityKnown = isObserved(live, 'liquidityLamports', now);
  const drawdown = refreshFall(live, 'drawdown', left, isLiquidityKnown);
  const priceFall = refreshFall(live, 'priceFall', priceLeft, isObserved(live, 'price', now));
  const drained = left === null || (!isLiquidityKnown && !isDrained(live)) ? null : isDrained(live);
  return refreshDrained(live, drained) || drawdown || priceFall;
}

/** Updates how far a figure is below its peak. `share`: the part of the peak that is left, 0–1; null when unknown. */
function refreshFall(live: LiveToken, key: 'drawdown' | 'priceFall', share: number | null, isKnown: boolean): boolean {
  const value = live.record.facts[key]?.value ?? null;
  if (!isKnown) return above(value ?? 0, steps[key]) === 0 && setFact(live, key, null);
  const fall = share === null ? null : Math.max(0, Math.floor(((1 - share) * 100) / FALL_STEP) * FALL_STEP);
  return fall !== value && setFact(live, key, fall === null ? null : { ...liquidityOrigin(live), value: fall });
}

function refreshDrained(live: LiveToken, value: boolean | null): boolean {
  if (value === (live.record.facts.drained?.value ?? null)) return false;
  return setFact(live, 'drained', value === null ? null : { ...liquidityOrigin(live), value });
}
