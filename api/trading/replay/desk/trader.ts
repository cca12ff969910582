import { SIGNATURE_FEE_LAMPORTS } from '../../../../common/trading/fills.ts';
import { tradeQuoteOf } from '../../executors/curve-quote.ts';
import type {
  AttemptVerdict,
  Outcome,
  SignedAttempt,
  TradeAsk,
  TradeFill,
  TradeQuote,
} from '../../executors/executor.ts';
import { afterChanges, type OrderChange } from '../../orders/changes.ts';
import type { OrderRecord } from '../../orders/record.ts';
import { sentAttempt, signedOf } from '../../orders/worker/order-trade.ts';
import { type PaperWallet, paperFillAt, paperMarket, paperQuote } from '../../paper/paper-fill.ts';
import type { AppliedFill } from '../../positions/fill-book.ts';
import type { DeskMarkets } from './markets.ts';
import type { DeskPositions } from './positions.ts';

/** Trades on paper in memory, by the functions of paper trading. Times are epoch ms. */
export interface Trader {
  quote(ask: TradeAsk, now: number): Outcome<TradeQuote>;
  /** Returns an order after changes that are always possible for it. */
  changed(order: OrderRecord, changes: readonly OrderChange[], now: number): OrderRecord;
  /** Returns an order after an attempt was signed and sent. */
  sent(order: OrderRecord, attempt: SignedAttempt, now: number): OrderRecord;
  /** Returns an order after the verdict on an attempt that fell due, at the figures in force. */
  decided(order: OrderRecord, signature: string, dueAt: number): OrderRecord;
  /** Adds an order that is over to the positions. */
  finish(order: OrderRecord, now: number): { order: OrderRecord; applied: AppliedFill };
  /** All orders as they are now, in the order of their creation. */
  orders(): OrderRecord[];
}

export function createTrader(deps: { markets: DeskMarkets; positions: DeskPositions; hasBought: boolean }): Trader {
  const { markets, positions } = deps;
  let { hasBought } = deps;
  const orders = new Map<string, OrderRecord>();
  const walletOf = (address: string): PaperWallet => ({ lot: positions.lot(address), hasBought });

  function keep(order: OrderRecord): OrderRecord {
    orders.set(order._id.toHexString(), order);
    return order;
  }

  function changed(order: OrderRecord, changes: readonly OrderChange[], now: number): OrderRecord {
    const next = afterChanges(order, changes, now);
    if (next === null)
      throw new Error(`an order of a replay can't change by ${changes.map(({ type }) => type).join()}`);
    return keep(next);
  }

  function verdictOf(order: OrderRecord, signature: string, dueAt: number): AttemptVerdict {
    const attempt = order.attempts.find((one) => one.signature === signature);
    if (!attempt) throw new Error('an attempt of a replay is gone');
    const { address } = order.token;
    const wallet = walletOf(address);
    const sentBy = sentAttempt(order, signedOf(attempt));
    const fill: Outcome<TradeFill> = paperFillAt(sentBy, markets.coin(address), null, { wallet, dueAt });
    if (fill.ok) return { outcome: 'landed', fill: fill.value };
    return { outcome: 'reverted', reason: fill.reason, feeLamports: SIGNATURE_FEE_LAMPORTS, slot: null };
  }

  return {
    changed,
    quote(ask, now) {
      const market = paperMarket(markets.coin(ask.address));
      if (!market.ok) return market;
      const wallet = walletOf(ask.address);
      const quoted = paperQuote(ask, market.value, wallet);
      if (!quoted.ok) return quoted;
      const { decimals } = market.value;
      const own = { decimals, walletLamports: null, walletTokens: wallet.lot.tokens, slot: null, at: now };
      return { ok: true, value: { ...tradeQuoteOf(ask.side, quoted.value), ...own } };
    },
    sent(order, attempt, now) {
      const { signature, lastValidBlockHeight } = attempt;
      const held: OrderChange[] = order.status === 'created' ? [{ type: 'held' }] : [];
      const signed: OrderChange[] = [
        { type: 'signed', signature, lastValidBlockHeight, attempt },
        { type: 'sending', signature },
      ];
      return changed(order, [...held, ...signed], now);
    },
    decided(order, signature, dueAt) {
      const verdict = verdictOf(order, signature, dueAt);
      if (verdict.outcome === 'landed') {
        hasBought ||= order.side === 'buy';
        return changed(order, [{ type: 'landed', signature, fill: verdict.fill, slot: null }], dueAt);
      }
      const { outcome, reason: failure } = verdict;
      const feeLamports = verdict.outcome === 'reverted' ? verdict.feeLamports : 0;
      return changed(order, [{ type: 'attempt-over', signature, outcome, failure, feeLamports, slot: null }], dueAt);
    },
    finish(order, now) {
      const nothing = { positionId: null, realisedLamports: 0, opened: false, closed: false };
      const applied = order.attempts.length > 0 ? positions.apply(order, now) : nothing;
      return { order: keep({ ...order, open: false, nextAt: null, version: order.version + 1 }), applied };
    },
    orders: () => [...orders.values()],
  };
}
