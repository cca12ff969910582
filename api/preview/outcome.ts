import { type HistoryPoint, lastAt } from '../../common/strategies/history.ts';
import { curveReservesOf } from '../../common/tokens/curve-trades.ts';
import { poolReservesOf } from '../../common/tokens/pool-trades.ts';
import { solToLamports } from '../../common/tokens/units.ts';
import type { Exits } from '../../common/trading/account.ts';
import { exitDueAt, exitsAlong, exitTokens, type PastExit } from '../../common/trading/exits.ts';
import { type CurveQuote, networkCosts } from '../../common/trading/fills.ts';
import { afterPurchase, afterSale, emptyLot, type Lot } from '../../common/trading/lots.ts';
import type { TradeAsk } from '../trading/executors/executor.ts';
import { type PaperMarket, paperMarket, paperQuote } from '../trading/paper/paper-fill.ts';
import type { PathVenue, TokenPath } from './paths.ts';

/** Amount and costs of the simulated orders. */
export interface PreviewOrders {
  /** Spent by a purchase, the launchpad's fee included. */
  lamports: number;
  slippageBps: number;
  priorityMaxLamports: number;
  tipLamports: number;
  /** Rent of a byte, lamports; null while it is not known. */
  rentPerByte: number | null;
  exits: Exits;
}

/** What became of a purchase. Prices in SOL for one whole token. */
export interface PurchaseOutcome {
  /** Points since the purchase, the first one that of the price paid; empty when no price is known. */
  since: readonly HistoryPoint[];
  /** Paid on average, own impact included; the price of that moment while the depth is unknown; null without a price. */
  paid: number | null;
  sold: PastExit | null;
  /** Amounts after all; null while the depth of the market is unknown. */
  money: { resultLamports: number; feesLamports: number; rentLamports: number } | null;
}

/**
 * Computes a purchase at a time (epoch ms) and its sales by exits, each at the reserves of its moment with all costs. `too-large`:
 * the order itself would move the price beyond the slippage, so that it is not sent. `until`: end of the simulation, epoch ms.
 */
export function outcomeOf(
  { history: { points }, venue, address }: TokenPath,
  { at, until }: { at: number; until: number },
  orders: PreviewOrders,
): PurchaseOutcome | 'too-large' {
  const all = points.slice(Math.max(0, lastAt(points, at)));
  // A purchase needs a price above 0: the current one, or the first known one after it.
  const first = all.findIndex(({ price }) => price !== null && price > 0);
  const entry = all[first];
  if (entry === undefined || entry.price === null) return { since: [], paid: null, sold: null, money: null };
  const ask = askOf(address, orders);
  const bought = quoteAt(emptyLot, { side: 'buy', lamports: BigInt(orders.lamports), tokens: null });
  if (bought === 'impact') return 'too-large';
  const paid = bought?.averagePrice ?? entry.price;
  const openedAt = Math.max(at, entry.at);
  const since = withDue(all.slice(first), exitDueAt(orders.exits, openedAt), until);
  const exits = exitsAlong(orders.exits, { entryPrice: paid, openedAt }, since);
  const sold = exits.find(({ sharePercent }) => sharePercent === 100) ?? null;
  return { since, paid, sold, money: bought && moneyOf(bought) };

  function quoteAt(
    lot: Lot,
    trade: Pick<TradeAsk, 'side' | 'lamports' | 'tokens'>,
    point = entry,
  ): CurveQuote | 'impact' | null {
    const market = point ? marketAt(venue, point, orders.rentPerByte) : null;
    if (market === null) return null;
    // The account of the launchpad for the wallet exists: its rent is paid once, by the first purchase of all.
    const quoted = paperQuote(
      { ...ask, ...trade, slippageBps: trade.side === 'buy' ? orders.slippageBps : ANY_BPS },
      market,
      { lot, hasBought: true },
    );
    if (quoted.ok) return quoted.value;
    return quoted.reason.code === 'impact' ? 'impact' : null;
  }

  function moneyOf(purchase: CurveQuote): PurchaseOutcome['money'] {
    let lot = afterPurchase(emptyLot, tradeOf(purchase));
    for (const exit of exits) {
      const tokens = exitTokens(exit, lot.tokens);
      if (tokens === 0n) continue;
      const sale = quoteAt(lot, { side: 'sell', lamports: null, tokens }, since[lastAt(since, exit.at)]);
      if (sale === null || sale === 'impact') return null;
      lot = afterSale(lot, tradeOf(sale));
    }
    const { feesLamports, rentLamports, realisedLamports, costLamports, tokens } = lot;
    if (tokens === 0n) return { feesLamports, rentLamports, resultLamports: realisedLamports };
    const value = quoteAt(lot, { side: 'sell', lamports: null, tokens }, since.at(-1));
    if (value === null || value === 'impact') return null;
    const resultLamports = realisedLamports + value.lamports - networkCosts(value.costs) - costLamports;
    return { feesLamports, rentLamports, resultLamports };
  }
}

/** A sale by an exit has its slippage raised until it succeeds. */
const ANY_BPS = 10_000;

function askOf(address: string, { priorityMaxLamports, tipLamports }: PreviewOrders) {
  return { userId: '', wallet: '', address, priorityMaxLamports, tipLamports };
}

function tradeOf({ tokens, lamports, costs, averagePrice }: CurveQuote) {
  return { tokens: BigInt(tokens), lamports, costs, price: averagePrice, lostFeesLamports: 0 };
}

/** Returns the points with one more when a sale by time falls due between two of them: a token without trades has no later point. */
function withDue(points: readonly HistoryPoint[], dueAt: number | null, until: number): readonly HistoryPoint[] {
  if (dueAt === null || dueAt > until) return points;
  const before = lastAt(points, dueAt);
  const inForce = points[before];
  return inForce === undefined
    ? points
    : [...points.slice(0, before + 1), { ...inForce, at: dueAt }, ...points.slice(before + 1)];
}

/**
 * Returns the curve or pool of a token as a stored point shows it; null while its depth is unknown: no price or liquidity, a price
 * that does not belong to the liquidity, a pool that is not followed, or a launchpad whose formulas are unknown.
 */
function marketAt(
  venue: PathVenue,
  { at, price, liquidity }: HistoryPoint,
  rentPerByte: number | null,
): PaperMarket | null {
  if (price === null || liquidity === null) return null;
  const { launchpad, quote, decimals, isMayhem, migratedAt, isPoolFollowed } = venue;
  const lamports = solToLamports(liquidity);
  const isInPool = migratedAt !== null && at >= migratedAt;
  // A pool of mayhem mode has virtual reserves besides its liquidity.
  if (isInPool && (!isPoolFollowed || isMayhem)) return null;
  const reserves = isInPool ? poolReservesOf(price, lamports) : curveReservesOf(price, lamports);
  const place = isInPool ? 'pool' : 'curve';
  const market = paperMarket({ launchpad, quote, decimals, reserves, stage: place, reservesVenue: place }, rentPerByte);
  return market.ok ? market.value : null;
}
