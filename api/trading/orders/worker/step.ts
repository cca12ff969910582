import type { Clock } from '../../../../common/time.ts';
import type { TradingMode } from '../../../../common/trading/account.ts';
import type { NetworkFacts } from '../../../chain/network-facts.ts';
import type { Transactions } from '../../../transactions/service.ts';
import type { TradingAccounts } from '../../accounts/service.ts';
import type { Executor, TradeQuote } from '../../executors/executor.ts';
import type { FillBook } from '../../positions/fill-book.ts';
import type { OrderChange } from '../changes.ts';
import type { OrderRecord } from '../record.ts';
import type { Orders } from '../service.ts';
import type { Looker } from './looker.ts';

export interface StepDeps {
  orders: Pick<Orders, 'find' | 'change' | 'close'>;
  accounts: Pick<TradingAccounts, 'hold' | 'settle'>;
  executorOf(mode: TradingMode): Executor | null;
  looker: Looker;
  fills: FillBook;
  /** Keeps a row of the user's transactions for each attempt. */
  transactions: Pick<Transactions, 'recordTrades'>;
  wallets: { current(userId: string): Promise<{ walletAddress: string } | null> };
  network: Pick<NetworkFacts, 'slotMs'>;
  clock: Clock;
}

/** Where an order stands after a step. */
export interface Stepped {
  /** Null when another writer has changed it: a lost change is dropped, and the order is read again (O1). */
  order: OrderRecord | null;
  /** Time until the next step of an order that is open, ms. */
  delay: number;
}

/** What a step returns whose change was lost to another writer. */
export const LOST: Stepped = { order: null, delay: 0 };

/** State of one order in this process, which nothing depends on: it only saves requests. */
export interface Progress {
  /** The quote that the order was made by, until its first attempt. */
  quote: TradeQuote | null;
  /** When the first bytes of the order left, epoch ms; null before, and after a restart. */
  firstSentAt: number | null;
  /** Times of the last send by signature, epoch ms. */
  sentAt: Map<string, number>;
}

/** One step of an order. */
export type Step = (order: OrderRecord, progress: Progress) => Promise<Stepped>;

/** Delay before the next look at an attempt, at first and once it is older than a few blocks, ms. */
export const LOOK_SOON = 100;
export const LOOK_LATER = 1_000;
/** Delay before another attempt, in which the price may return, ms. */
export const RETRY_PAUSE = 400;

/** Returns the function that stores changes of an order. The next step follows after `delay` ms. */
export function changing(orders: StepDeps['orders']) {
  return async (order: OrderRecord, changes: readonly OrderChange[], delay = 0): Promise<Stepped> => {
    const next = await orders.change(order, changes);
    return next ? { order: next, delay } : LOST;
  };
}
