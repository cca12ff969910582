import { Types } from 'mongoose';
import { paperRevertFee } from '../../../../common/trading/fills.ts';
import { tradeQuoteOf } from '../../executors/curve-quote.ts';
import type { Outcome, SignedAttempt, TradeAsk, TradeFill, TradeQuote } from '../../executors/executor.ts';
import { afterChanges, type OrderChange } from '../../orders/changes.ts';
import type { OrderRecord } from '../../orders/model.ts';
import { sentAttempt, signedOf } from '../../orders/terms.ts';
import { type PaperWallet, paperFillAt, paperMarket, paperQuote } from '../../paper/paper-fill.ts';
import type { AppliedFill } from '../../positions/fill-book.ts';
import type { DeskMarkets } from './markets.ts';
import { type DeskPositions, notApplied } from './positions.ts';

/** Creates the trades on paper of a run, in memory, by the functions of paper trading. Times are epoch ms. */
export function createTrader({ markets, positions }: { markets: DeskMarkets; positions: DeskPositions }) {
  const { orders, keep, tradedBy } = createRunOrders();

  function walletOf({ wallet, address }: Pick<TradeAsk, 'wallet' | 'address'>): PaperWallet {
    // The account of the launchpad for the wallet exists: its rent is paid once, by the first purchase of all.
    return { lot: positions.lot(wallet, address, tradedBy(wallet, address)), hasBought: true };
  }

  /** Returns an order after changes that are always possible for it. */
  function changed(order: OrderRecord, changes: readonly OrderChange[], now: number): OrderRecord {
    const next = afterChanges(order, changes, now);
    if (next === null)
      throw new Error(`an order of a replay can't change by ${changes.map(({ type }) => type).join()}`);
    return keep(next);
  }

  function fillOf(order: OrderRecord, signature: string, dueAt: number): Outcome<TradeFill> {
    const attempt = order.attempts.find((one) => one.signature === signature);
    if (!attempt) throw new Error('an attempt of a replay is gone');
    const sentBy = sentAttempt(order, signedOf(attempt));
    const figures = { wallet: walletOf(sentBy), dueAt, rentPerByte: markets.rentPerByte() };
    return paperFillAt(sentBy, markets.coin(sentBy.address), null, figures);
  }

  return {
    changed,
    quote(ask: TradeAsk, now: number): Outcome<TradeQuote> {
      const market = paperMarket(markets.coin(ask.address), markets.rentPerByte());
      if (!market.ok) return market;
      const wallet = walletOf(ask);
      const quoted = paperQuote(ask, market.value, wallet);
      if (!quoted.ok) return quoted;
      const { decimals } = market.value;
      const own = { decimals, walletLamports: null, walletTokens: wallet.lot.tokens, slot: null, at: now };
      return { ok: true, value: { ...tradeQuoteOf(ask.side, quoted.value), ...own } };
    },
    /** Returns an order after an attempt was signed and sent. */
    sent(order: OrderRecord, attempt: SignedAttempt, now: number): OrderRecord {
      const { signature, lastValidBlockHeight } = attempt;
      const held: OrderChange[] = order.status === 'created' ? [{ type: 'held' }] : [];
      const signed: OrderChange[] = [
        { type: 'signed', signature, lastValidBlockHeight, attempt },
        { type: 'sending', signature },
      ];
      return changed(order, [...held, ...signed], now);
    },
    /** Returns an order after the verdict on an attempt that fell due, at the figures in force. */
    decided(order: OrderRecord, signature: string, dueAt: number): OrderRecord {
      const filled = fillOf(order, signature, dueAt);
      if (filled.ok) return changed(order, [{ type: 'landed', signature, fill: filled.value, slot: null }], dueAt);
      const over = { type: 'attempt-over', signature, outcome: 'reverted', failure: filled.reason } as const;
      return changed(order, [{ ...over, feeLamports: paperRevertFee(order.priorityMaxLamports), slot: null }], dueAt);
    },
    /** Adds an order that is over to the positions. */
    finish(order: OrderRecord, now: number): { order: OrderRecord; applied: AppliedFill } {
      const applied = order.attempts.length > 0 ? positions.apply(order, now) : notApplied;
      const positionId = applied.positionId === null ? order.positionId : new Types.ObjectId(applied.positionId);
      return { order: keep({ ...order, positionId, open: false, nextAt: null, version: order.version + 1 }), applied };
    },
    /** Returns all orders as they are now, in the order of their creation. */
    orders: () => [...orders.values()],
  };
}

export type Trader = ReturnType<typeof createTrader>;

/** Creates the store of a run's orders as they are now. */
function createRunOrders() {
  const orders = new Map<string, OrderRecord>();
  /** Orders that have traded, and are in no position yet since another attempt is undecided. */
  const traded = new Map<string, OrderRecord>();
  return {
    orders,
    keep(order: OrderRecord): OrderRecord {
      const id = order._id.toHexString();
      orders.set(id, order);
      if (order.open && order.fill) traded.set(id, order);
      else traded.delete(id);
      return order;
    },
    tradedBy: (wallet: string, address: string) =>
      [...traded.values()].filter((order) => order.wallet === wallet && order.token.address === address),
  };
}
