import { afterHold, afterSettle } from '../../../../common/trading/limits/book.ts';
import { holdRefusal } from '../../../../common/trading/limits/refusal.ts';
import type { Reason } from '../../../../common/trading/reasons.ts';
import type { CoreAccount } from '../../core/model.ts';
import type { OrderRecord } from '../../orders/record.ts';
import { holdOf, settlementOf } from '../../orders/worker/money.ts';
import type { AppliedFill } from '../../positions/fill-book.ts';

/** Play money and limits of a replay, by the rules of the stored account. Times are epoch ms. */
export interface DeskMoney {
  account(): CoreAccount;
  /** Returns why the money of an order is not reserved; null when it is. A sale reserves none. */
  hold(order: OrderRecord, now: number): Reason | null;
  /** Takes limits and switches of an account as it was recorded; money and mode stay. Returns the account after that. */
  adopt(recorded: CoreAccount): CoreAccount;
  /** Releases the money of an order that is over. */
  settle(order: OrderRecord, applied: AppliedFill, now: number): void;
}

export function createDeskMoney(start: CoreAccount): DeskMoney {
  let account = start;
  return {
    account: () => account,
    hold(order, now) {
      if (order.side === 'sell') return null;
      const hold = holdOf(order);
      const refusal = holdRefusal(account, hold, now);
      if (refusal === null) account = { ...account, book: afterHold(account.book, hold, now) };
      return refusal;
    },
    adopt(recorded) {
      account = withSwitches(account, recorded);
      return account;
    },
    settle(order, applied, now) {
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

/** Returns an account with the limits and switches of another one. */
export function withSwitches(
  account: CoreAccount,
  { limits, protections, isStopped, areExitsPaused = false, isUserActive }: CoreAccount,
): CoreAccount {
  return { ...account, limits, protections, isStopped, areExitsPaused, isUserActive };
}
