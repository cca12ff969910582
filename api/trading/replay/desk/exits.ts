import type { Clock } from '../../../../common/time.ts';
import { exitTokens } from '../../../../common/trading/exits.ts';
import type { ReasonCode } from '../../../../common/trading/reasons.ts';
import type { Outcome } from '../../executors/executor.ts';
import type { OrderRecord } from '../../orders/model.ts';
import { askOf } from '../../orders/terms.ts';
import { afterFailed, afterRefused, afterSold, firedOf, withFired } from '../../positions/exits/exit-record.ts';
import { firedAt } from '../../positions/exits/fire.ts';
import {
  AGAIN_MS,
  againAfter,
  type ExitRequest,
  exitRequest,
  FAILURES_MAX,
  type Selling,
} from '../../positions/exits/sell-exit.ts';
import type { DeskPosition } from './positions.ts';
import type { Trader } from './trader.ts';

interface DeskExitsDeps {
  trader: Pick<Trader, 'quote'>;
  /** Returns the order of a request, which is not made yet. */
  saleOf(position: DeskPosition, request: ExitRequest): OrderRecord;
  /** Makes the first attempt of an order. */
  attempt(order: OrderRecord): void;
  clock: Clock;
}

/** Creates the exits of a run: they sell in the time of the tape, with the states of live exits (`positions/exits`). Times are epoch ms. */
export function createDeskExits({ trader, saleOf, attempt, clock }: DeskExitsDeps) {
  /** Sells by the present exit, and by the exits after it, until an order is open or nothing more can be done now. */
  function sell(position: DeskPosition): void {
    const now = clock.now();
    for (let exit = exitOf(position); exit !== null; exit = exitOf(position)) {
      const { record } = position;
      const tokens = exitTokens(firedOf(exit), BigInt(record.tokens));
      // A share of almost nothing is nothing.
      if (tokens === 0n) position.record = afterSold(record, exit);
      else {
        const sale = place(position, { position: record, exit }, tokens);
        if (sale.ok) {
          position.isSelling = true;
          attempt(sale.value);
          return;
        }
        if (!noteRefused(position, { position: record, exit }, sale.reason.code, now)) return;
      }
    }
  }

  /** Returns the order of an exit, which gives way when its own impact is beyond the slippage. */
  function place(position: DeskPosition, selling: Selling, tokens: bigint): Outcome<OrderRecord> {
    let step = selling.exit.failures;
    for (;;) {
      const order = saleOf(position, exitRequest(selling, tokens, step));
      const quote = trader.quote(askOf(order), clock.now());
      if (quote.ok) return { ok: true, value: order };
      step += 1;
      if (quote.reason.code !== 'impact' || step >= FAILURES_MAX) return quote;
    }
  }

  return {
    /** Fires the exit that a price or the time makes fire, and goes on with one that did not get through. */
    judge(position: DeskPosition, price: number | null, at: number): void {
      const { record, peakPrice } = position;
      if (!record.open) return;
      const fired = firedAt(record, { price, at, peak: peakPrice });
      if (fired) position.record = withFired(record, fired) ?? record;
      if (!position.isSelling && clock.now() >= position.sellsAgainAt) sell(position);
    },
    /** Goes on after the order of a sale. */
    onOver(position: DeskPosition, order: OrderRecord): void {
      position.isSelling = false;
      const { record } = position;
      const exit = exitOf(position);
      if (exit === null) return;
      position.sellsAgainAt = 0;
      position.record = order.fill ? afterSold(record, exit) : afterFailed(record, exit, order.attempts.length);
      const after = exitOf(position);
      const isRefused = after !== null && after.failures >= FAILURES_MAX;
      if (isRefused && !noteRefused(position, { position: position.record, exit: after }, null, clock.now())) return;
      sell(position);
    },
  };
}

/** Returns the exit of a position that is left to carry out; null without one, and once everything is sold. */
function exitOf({ record }: DeskPosition): Selling['exit'] | null {
  return record.open ? record.exit : null;
}

/** Notes that an exit did not get through. Returns whether another one takes its place at once; otherwise it waits for a price. */
function noteRefused(
  position: DeskPosition,
  { position: record, exit }: Selling,
  code: ReasonCode | null,
  now: number,
): boolean {
  // The tokens left the wallet by another way.
  const isGone = code === 'no-tokens';
  if (!isGone) position.record = afterRefused(record, exit, record._id) ?? record;
  if (!isGone && position.record.status !== 'stuck') return true;
  position.sellsAgainAt = now + AGAIN_MS[isGone ? 'lasting' : againAfter(code)];
  return false;
}
