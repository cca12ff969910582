import { Types } from 'mongoose';
import type { ExitKind } from '../../../../common/trading/exits.ts';
import type { Settlement } from '../../../../common/trading/limits/book.ts';
import { isAutomatic } from '../../../../common/trading/order.ts';
import type { HoldRequest } from '../../accounts/money-hold.ts';
import type { AppliedFill } from '../../positions/fill-book.ts';
import { attemptRows } from '../attempt-rows.ts';
import { walletChangeOf } from '../changes.ts';
import type { OrderRecord } from '../record.ts';
import { userOf } from './order-trade.ts';
import { changing, LOOK_SOON, LOST, type Step, type StepDeps, type Stepped } from './step.ts';

/** Name of the cause whose sales the stop-loss guard counts. */
const STOP_LOSS: ExitKind = 'stop loss';

/**
 * Creates the steps at both ends of an order: its money is reserved, and released with what the order moved (O8). `hold` resolves with
 * null once the money is reserved, which the first attempt notes with the order.
 */
export function createMoney({ orders, accounts, fills, transactions }: StepDeps): {
  hold(...step: Parameters<Step>): Promise<Stepped | null>;
  finish: Step;
} {
  const changed = changing(orders);
  return {
    async hold(order, progress) {
      const wallet = progress.quote?.walletLamports ?? null;
      const walletLamports = wallet === null ? null : Number(wallet);
      const refusal = await accounts.hold(userOf(order), { ...holdOf(order), walletLamports });
      // Other changes of the account were faster. The order stays as it is, and no limit has refused it.
      if (refusal === 'lost') return { order, delay: LOOK_SOON };
      return refusal && changed(order, [{ type: 'hold-refused', failure: refusal }]);
    },
    async finish(order) {
      const applied = order.attempts.length > 0 ? await fills.apply(order) : nothingApplied;
      if (applied === null) return { order, delay: LOOK_SOON };
      const [isSettled] = await Promise.all([
        accounts.settle(userOf(order), holdOf(order), settlementOf(order, applied)),
        // Here at the latest: nothing follows an order that is closed.
        transactions.recordTrades(attemptRows(order)),
      ]);
      if (!isSettled) return { order, delay: LOOK_SOON };
      const positionId = applied.positionId === null ? order.positionId : new Types.ObjectId(applied.positionId);
      const closed = await orders.close(order, { positionId });
      return closed ? { order: closed, delay: 0 } : LOST;
    },
  };
}

const nothingApplied: AppliedFill = { positionId: null, realisedLamports: 0, opened: false, closed: false };

/** Returns the hold of an order. */
export function holdOf({ _id, mode, side, cause, token, lamports, holdLamports }: OrderRecord): HoldRequest {
  return {
    orderId: _id.toHexString(),
    mode,
    side,
    lamports: lamports ?? 0,
    totalLamports: holdLamports,
    address: side === 'buy' ? token.address : null,
    isAutomatic: isAutomatic(cause),
  };
}

/** Returns what an order that is over has moved. */
export function settlementOf(
  order: OrderRecord,
  { positionId, realisedLamports, opened, closed }: AppliedFill,
): Settlement {
  return {
    spentLamports: order.side === 'buy' ? (order.fill?.lamports ?? 0) : 0,
    realisedLamports,
    walletLamports: walletChangeOf(order),
    position:
      positionId !== null && (opened || closed)
        ? { id: positionId, address: order.token.address, isOpen: !closed }
        : null,
    stopLossAt: stopLossTimeOf(order),
  };
}

/** Returns the time of the verdict of a sale by a stop loss; null for every other order, and for one that sold nothing. */
function stopLossTimeOf({ cause, fill, times }: OrderRecord): number | null {
  const isStopLoss = cause.kind === 'exit' && cause.name === STOP_LOSS && fill !== null;
  return isStopLoss ? (times.decided ?? fill.at) : null;
}
