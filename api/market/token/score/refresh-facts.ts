import { liquidityPoints } from '../../../../common/tokens/risk/checks/market.ts';
import { lamportsToSol, roundSignificant } from '../../../../common/tokens/units.ts';
import { isDrained, liquidityLeft } from '../lifecycle.ts';
import { sourceLabel } from '../merge/facts.ts';
import { appliedReport } from '../merge/reported-figures.ts';
import { type LiveToken, setFact } from '../state/live-token.ts';
import { refreshLedgerFacts } from './refresh-ledger-facts.ts';

/** A smaller move of the liquidity, as a share of it, keeps the fact, unless it changes the points. */
const NOTABLE_MOVE = 0.05;
/** Falls from a peak are kept in steps of this many percent, or every sale would write them. */
const FALL_STEP = 5;

/** Updates the facts computed from the reserves, the ledger, the clock and the reported holder count. Returns true when one changed. */
export function refreshFacts(live: LiveToken, now: number): boolean {
  const changed = [refreshLiquidity(live), refreshFalls(live), refreshLedgerFacts(live, now)].includes(true);
  const holders = appliedReport(live, 'holderCount');
  if (holders === null) return changed;
  const fact = { value: holders.value, at: holders.at, source: sourceLabel(holders.source) };
  if (live.record.facts.holders?.source !== fact.source) live.record.facts.holders = null;
  return setFact(live, 'holders', fact) || changed;
}

function refreshLiquidity(live: LiveToken): boolean {
  const { record } = live;
  if (record.liquidityLamports === null) return record.facts.liquidity !== null && setFact(live, 'liquidity', null);
  const value = roundSignificant(lamportsToSol(record.liquidityLamports), 3);
  const origin = liquidityOrigin(live);
  // Replaced also at the same value, so that the evidence names the present source.
  if (record.facts.liquidity?.source !== origin.source) record.facts.liquidity = null;
  return isLiquidityMoved(record.facts.liquidity?.value, value) && setFact(live, 'liquidity', { value, ...origin });
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

/** Updates how far liquidity and price are below their peaks. */
function refreshFalls(live: LiveToken): boolean {
  const { record, peakPrice } = live;
  const left = liquidityLeft(live);
  const priceLeft = record.price === null || !peakPrice ? null : record.price / peakPrice;
  const origin = liquidityOrigin(live);
  const fall = (share: number | null) =>
    share === null ? null : { ...origin, value: Math.max(0, Math.floor(((1 - share) * 100) / FALL_STEP) * FALL_STEP) };
  return [
    setFact(live, 'drawdown', fall(left)),
    setFact(live, 'priceFall', fall(priceLeft)),
    setFact(live, 'drained', left === null ? null : { ...origin, value: isDrained(live) }),
  ].includes(true);
}
