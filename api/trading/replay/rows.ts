import { REPLAY_ROWS_MAX, type ReplaySide, type ReplaySums, type ReplayTrade } from '../../../common/replay/model.ts';
import { iso } from '../../../common/time.ts';
import { networkCosts } from '../../../common/trading/fills.ts';
import type { OrderRecord } from '../orders/model.ts';
import { failureOf, feesLost } from '../orders/terms.ts';
import { paperMarket, paperQuote } from '../paper/paper-fill.ts';
import type { PositionRecord } from '../positions/model.ts';
import { heldLot } from '../positions/plan-fill.ts';
import type { DeskMarkets } from './desk/markets.ts';

/** Purchases of a plan with the positions that they opened, and the sales of these. */
export interface TradedPositions {
  orders: readonly OrderRecord[];
  positions: readonly PositionRecord[];
}

/** Returns what a sale of an open position brings, lamports; null while unknown. */
type SaleOf = (position: PositionRecord) => number | null;

/** Returns purchases as a result lists them, oldest first. */
export function sideOf({ orders, positions }: TradedPositions, saleOf: SaleOf): ReplaySide {
  const opened = new Map(positions.map((position) => [position._id.toHexString(), position]));
  const inOrder = orders.toSorted(byCreation);
  const purchases = inOrder.filter(({ side, open }) => side === 'buy' && !open);
  const trades = purchases.map((order) => {
    const position = opened.get(order._id.toHexString());
    return order.fill && position ? boughtRow(order, position, { inOrder, saleOf }) : failedRow(order);
  });
  const bought = purchases.flatMap(({ _id, fill }) => (fill && opened.get(_id.toHexString())) || []);
  return { trades: trades.slice(0, REPLAY_ROWS_MAX), sums: sumsOf(trades, bought) };
}

function byCreation(one: OrderRecord, other: OrderRecord): number {
  const byId = one._id.toHexString() < other._id.toHexString() ? -1 : 1;
  return one.times.created - other.times.created || byId;
}

function boughtRow(
  order: OrderRecord,
  position: PositionRecord,
  { inOrder, saleOf }: { inOrder: readonly OrderRecord[]; saleOf: SaleOf },
): ReplayTrade {
  const { fill, token, cause, times } = order;
  const sales = inOrder.filter(
    ({ side, fill: sold, positionId }) => side === 'sell' && sold && positionId?.equals(position._id),
  );
  return {
    address: token.address,
    symbol: token.symbol,
    planName: cause.name ?? '',
    at: iso(times.created),
    state: position.open ? 'open' : 'closed',
    lamports: fill?.lamports ?? 0,
    price: fill?.price ?? null,
    sales: sales.map((sale) => ({
      exit: sale.cause.kind === 'exit' ? sale.cause.name : null,
      at: iso(sale.fill?.at ?? sale.times.created),
      lamports: sale.fill?.lamports ?? 0,
    })),
    feesLamports: position.feesLamports,
    resultLamports: resultOf(position, saleOf),
    failure: null,
  };
}

function failedRow(order: OrderRecord): ReplayTrade {
  const { token, cause, times, failure } = order;
  const feesLamports = feesLost(order);
  return {
    ...{ address: token.address, symbol: token.symbol, planName: cause.name ?? '', at: iso(times.created) },
    ...{ state: 'failed', lamports: 0, price: null, sales: [], feesLamports },
    resultLamports: 0 - feesLamports,
    failure: failure ?? failureOf(order),
  };
}

/** Returns the profit of a position; an open one with what its sale brings. Null while unknown. */
function resultOf(position: PositionRecord, saleOf: SaleOf): number | null {
  const { open, realisedLamports, costLamports } = position;
  if (!open) return realisedLamports;
  const value = saleOf(position);
  return value === null ? null : realisedLamports + value - costLamports;
}

/** Returns what a sale of an open position of a run would return at the last known figures, lamports; null while unknown. */
export function saleValue(position: PositionRecord, markets: DeskMarkets): number | null {
  const { token, wallet, userId, tokens } = position;
  const market = paperMarket(markets.coin(token.address), markets.rentPerByte());
  if (!market.ok) return null;
  const own = { address: token.address, wallet, userId: userId.toHexString() };
  const ask = { ...own, side: 'sell', lamports: null, tokens: BigInt(tokens), slippageBps: ANY_BPS } as const;
  const asked = { ...ask, priorityMaxLamports: 0, tipLamports: 0 };
  const quoted = paperQuote(asked, market.value, { lot: heldLot([position], []), hasBought: true });
  return quoted.ok ? quoted.value.lamports - networkCosts(quoted.value.costs) : null;
}

/** A value has no bound. */
const ANY_BPS = 10_000;

function sumsOf(trades: readonly ReplayTrade[], positions: readonly PositionRecord[]): ReplaySums {
  const count = (state: ReplayTrade['state']) => trades.filter((trade) => trade.state === state).length;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const lost = sum(trades.flatMap(({ state, feesLamports }) => (state === 'failed' ? feesLamports : [])));
  const results = trades.map(({ resultLamports }) => resultLamports);
  const known = results.filter((result) => result !== null);
  return {
    bought: count('open') + count('closed'),
    ...{ failed: count('failed'), closed: count('closed'), open: count('open') },
    spentLamports: sum(positions.map(({ paidLamports }) => paidLamports)) + lost,
    feesLamports: sum(trades.map(({ feesLamports }) => feesLamports)),
    realisedLamports: sum(positions.map(({ realisedLamports }) => realisedLamports)) - lost,
    resultLamports: known.length < results.length ? null : sum(known),
  };
}
