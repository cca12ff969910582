import { REPLAY_ROWS_MAX, type ReplaySide, type ReplaySums, type ReplayTrade } from '../../../common/replay/model.ts';
import { iso } from '../../../common/time.ts';
import { networkCosts } from '../../../common/trading/fills.ts';
import { isAutomatic } from '../../../common/trading/order.ts';
import { failureOf, feesLost } from '../orders/changes.ts';
import type { OrderRecord } from '../orders/record.ts';
import { paperMarket, paperQuote } from '../paper/paper-fill.ts';
import { heldLot } from '../positions/fills/held-lot.ts';
import type { PositionRecord } from '../positions/record.ts';
import type { DeskMarkets } from './desk/markets.ts';

/** Purchases of plans with the positions that they opened, and the sales of these. */
export interface TradedPositions {
  orders: readonly OrderRecord[];
  /** As they were at the end of the hour. */
  positions: readonly PositionRecord[];
}

/** Returns purchases as a result lists them, oldest first. */
export function sideOf({ orders, positions: held }: TradedPositions, markets: DeskMarkets): ReplaySide {
  const traded = { orders: orders.toSorted(byCreation), positions: held };
  const opened = new Map(traded.positions.map((position) => [position._id.toHexString(), position]));
  const purchases = traded.orders.filter(({ side, open, cause }) => side === 'buy' && !open && isAutomatic(cause));
  const trades = purchases.map((order) => {
    const position = opened.get((order.positionId ?? order._id).toHexString());
    return order.fill && position ? boughtRow(order, position, traded, markets) : failedRow(order);
  });
  const positions = purchases.flatMap(({ _id, fill }) => (fill && opened.get(_id.toHexString())) || []);
  return { trades: trades.slice(0, REPLAY_ROWS_MAX), sums: sumsOf(trades, positions) };
}

function byCreation(one: OrderRecord, other: OrderRecord): number {
  const byId = one._id.toHexString() < other._id.toHexString() ? -1 : 1;
  return one.times.created - other.times.created || byId;
}

function boughtRow(
  order: OrderRecord,
  position: PositionRecord,
  { orders, positions }: TradedPositions,
  markets: DeskMarkets,
): ReplayTrade {
  const { fill, token, cause, times } = order;
  const sales = orders.filter(
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
    resultLamports: resultOf(position, positions, markets),
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

/** Returns the profit of a position; an open one with what its sale would return at the last known figures. Null while unknown. */
function resultOf(position: PositionRecord, all: readonly PositionRecord[], markets: DeskMarkets): number | null {
  const { open, realisedLamports, costLamports } = position;
  if (!open) return realisedLamports;
  const value = saleValue(position, all, markets);
  return value === null ? null : realisedLamports + value - costLamports;
}

function saleValue(position: PositionRecord, all: readonly PositionRecord[], markets: DeskMarkets): number | null {
  const { token, wallet, userId, tokens } = position;
  const market = paperMarket(markets.coin(token.address), markets.rentPerByte());
  if (!market.ok) return null;
  const own = { address: token.address, wallet, userId: userId.toHexString() };
  const ask = { ...own, side: 'sell', lamports: null, tokens: BigInt(tokens), slippageBps: ANY_BPS } as const;
  const asked = { ...ask, priorityMaxLamports: 0, tipLamports: 0 };
  const held = all.filter((one) => one.open && one.token.address === token.address);
  const quoted = paperQuote(asked, market.value, { lot: heldLot(held, []), hasBought: true });
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
