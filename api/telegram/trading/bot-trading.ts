import type { TradingAccount, TradingMode } from '../../../common/trading/account.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { Order, QuoteResponse, TradeWarning } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import type { Actor } from '../../audit/service.ts';

/** A trade as the bot asks for it. `lamports` of a purchase, `sharePercent` (1–100 of what the wallet holds) of a sale. */
export interface BotTrade {
  address: string;
  side: OrderSide;
  lamports: number | null;
  sharePercent: number | null;
  slippageBps: number;
}

/** An order of the bot. The same key of a user gives the same order, for ever. */
export interface BotOrder extends BotTrade {
  key: string;
  /** The mode that the offer named. */
  mode: TradingMode;
  /** Least that the offer promised: base units of a purchase, lamports of a sale; null when it named none. */
  least: string | null;
  /** Warnings that the user has seen. */
  accept: readonly TradeWarning[];
}

/** Trading as the commands use it. User ids are hexadecimal; failures are a `PublicError`. */
export interface BotTrading {
  account(userId: string): Promise<TradingAccount>;
  quote(userId: string, trade: BotTrade): Promise<QuoteResponse>;
  /** Creates the order, or returns the one with this key. Resolves before the chain has a verdict. */
  place(userId: string, order: BotOrder): Promise<Order>;
  /** Returns the order with this key; null without one. */
  orderOf(userId: string, key: string): Promise<Order | null>;
  /** Returns the newest orders, newest first. */
  orders(userId: string, limit: number): Promise<Order[]>;
  /** Returns the open positions in the present mode, newest first. */
  positions(userId: string): Promise<Position[]>;
  /** Stops buying: once it resolves nothing more is signed for a purchase. `sell` then sells every open position. */
  stop(by: Actor, options: { sell: boolean; pausesExits?: boolean }): Promise<StopReport>;
  /** Returns the report of the last stop; null without one. */
  stopReport(userId: string): Promise<StopReport | null>;
  /** Allows buying again. Does not ask for a password. */
  resume(by: Actor): Promise<TradingAccount>;
}
