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

/** Where an order stands after a step: the next one follows after `delay` ms; null when the order is closed. */
export interface Stepped {
  order: OrderRecord;
  delay: number | null;
}

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

/** Writes of a step. A change that is lost to another writer only has the order read again. */
export interface Writes {
  changed(order: OrderRecord, changes: readonly OrderChange[], delay?: number): Promise<Stepped>;
  /** Reads an order again that was changed by another writer. */
  again(order: OrderRecord): Promise<Stepped>;
}

export function createWrites(orders: StepDeps['orders']): Writes {
  async function again(order: OrderRecord): Promise<Stepped> {
    const present = await orders.find(order._id.toHexString());
    if (!present) throw new Error('an order is gone');
    return { order: present, delay: present.open ? 0 : null };
  }

  return {
    again,
    async changed(order, changes, delay = 0) {
      const next = await orders.change(order, changes);
      return next ? { order: next, delay } : again(order);
    },
  };
}
