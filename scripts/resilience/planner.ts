import { expect, vi } from 'vitest';
import type { z } from 'zod';
import { ruleCalls } from '../../common/rules/http.ts';
import { defaultRule, type RuleInput, ruleBuyAmount } from '../../common/rules/model.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { defaultStrategy, type strategyInputSchema } from '../../common/strategies/model.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { isAutomatic, type Order } from '../../common/trading/order.ts';
import type { Trader, TradingSession } from './trader.ts';

/** Stores a rule and a strategy of a trader, both active, that buy every launch and sell nothing. */
export async function addPlans({ id }: Trader, session: TradingSession): Promise<void> {
  const each = { buyAmount: ruleBuyAmount.min, maxSlippage: 50, buyUnknownRisk: true, isActive: true };
  const rule: RuleInput = { ...defaultRule, ...each, name: 'Any launch', minLiquidity: 0, maxRisk: 100 };
  const strategy: z.input<typeof strategyInputSchema> = {
    ...defaultStrategy,
    ...each,
    ...{ userId: id, name: 'Every launch', stopLoss: null, takeProfit: null },
  };
  expect((await session.post(ruleCalls.create.path, rule)).status).toBeLessThan(300);
  expect((await session.post(strategyCalls.create.path, strategy)).status).toBeLessThan(300);
}

/** Switches all plans of a trader on or off. */
export async function switchPlans(session: TradingSession, isActive: boolean): Promise<void> {
  for (const { list, update } of [ruleCalls, strategyCalls]) {
    const plans = list.output.parse(await (await session.get(list.path)).json());
    for (const { id } of plans) {
      expect((await session.patch(update.path.replace('{id}', id), { isActive })).status).toBe(200);
    }
  }
}

/** Sells all positions of a trader by a stop, and ends the stop. */
export async function sellEverything(session: TradingSession): Promise<void> {
  expect((await session.post(tradingCalls.stop.path, { sell: true })).status).toBe(200);
  await vi.waitFor(
    async () => {
      const report = tradingCalls.stopReport.output.parse(
        await (await session.get(tradingCalls.stopReport.path)).json(),
      );
      const unsold = report?.positions.filter(({ outcome }) => outcome !== 'sold' && outcome !== 'failed');
      expect(unsold, 'positions whose sale is not over').toEqual([]);
      expect(report?.endedAt ?? null).not.toBeNull();
    },
    // Up to a hundred positions are sold at once, on a machine that other tests use too.
    { timeout: 180_000, interval: 200 },
  );
  expect((await session.post(tradingCalls.resume.path, {})).status).toBe(200);
}

/** Returns the orders of plans. */
export function ordersOfPlans(orders: readonly Order[]): Order[] {
  return orders.filter(({ cause }) => isAutomatic(cause));
}

/** Expects one order at most of each plan and token (R2), and that all are over. */
export function expectOnce(orders: readonly Order[]): void {
  const made = ordersOfPlans(orders);
  const pairs = made.map(({ cause, token }) => `${cause.kind} ${token.address}`);
  const repeated = pairs.filter((pair, at) => pairs.indexOf(pair) !== at);
  expect(repeated, 'further orders of a plan and token').toEqual([]);
  const open = made.filter(({ status }) => !['confirmed', 'failed', 'cancelled'].includes(status));
  expect(open, 'orders of plans that are not over').toEqual([]);
}
