import { afterHold, afterSettle } from '../../../../common/trading/limits/book.ts';
import { holdRefusal } from '../../../../common/trading/limits/refusal.ts';
import type { Reason } from '../../../../common/trading/reasons.ts';
import type { OrderRecord } from '../../orders/model.ts';
import { holdOf, settlementOf } from '../../orders/terms.ts';
import type { CoreAccount } from '../../plans/core/model.ts';
import type { AppliedFill } from '../../positions/fill-book.ts';

/** Play money and limits of a replay, by the rules of the stored account. Times are epoch ms. */
export function createDeskMoney(start: CoreAccount) {
  let account = start;
  return {
    account: () => account,
    /** Returns why the money of a purchase is not reserved; null when it is. */
    hold(order: OrderRecord, now: number): Reason | null {
      const hold = holdOf(order);
      const refusal = holdRefusal(account, hold, now);
      if (refusal === null) account = { ...account, book: afterHold(account.book, hold, now) };
      return refusal;
    },
    /** Releases the money of an order that is over. */
    settle(order: OrderRecord, applied: AppliedFill, now: number): void {
      const settlement = settlementOf(order, applied);
      const hold = order.side === 'buy' ? holdOf(order) : null;
      const { moneyLamports } = account;
      account = {
        ...account,
        book: afterSettle(account.book, hold, settlement, now),
        moneyLamports: moneyLamports === null ? null : moneyLamports + settlement.walletLamports,
      };
    },
  };
}

export type DeskMoney = ReturnType<typeof createDeskMoney>;
