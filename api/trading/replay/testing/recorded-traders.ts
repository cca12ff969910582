import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ruleCalls } from '../../../../common/rules/http.ts';
import { defaultRule, type RuleInput } from '../../../../common/rules/model.ts';
import { strategyCalls } from '../../../../common/strategies/http.ts';
import { defaultStrategy, type StrategyFields } from '../../../../common/strategies/model.ts';
import { type Exits, noExits } from '../../../../common/trading/account.ts';
import { tradingCalls } from '../../../../common/trading/http.ts';
import type { TradeWarning } from '../../../../common/trading/order.ts';
import { type Person, person } from '../../../testing/people.ts';
import type { TestServer } from '../../../testing/server.ts';
import { testWallet } from '../../../testing/wallets.ts';
import { positionModel } from '../../positions/model.ts';

const SOL = 1_000_000_000;
const ALL_WARNINGS: TradeWarning[] = ['high-risk', 'unknown-risk', 'low-liquidity', 'copied-symbol'];

async function must(
  user: Person,
  path: string,
  options: { method: 'POST' | 'PATCH' | 'PUT'; json: object },
): Promise<unknown> {
  const { status, body } = await user.call(path, options);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

/** Registers a user whose limits allow many small purchases. */
async function trader(server: TestServer, name: string, { wallet, exits }: { wallet: number; exits: Exits }) {
  const user = await person(server, name);
  await must(user, `/api/users/${user.id}/wallet`, { method: 'POST', json: testWallet(wallet) });
  const limits = { maxOpen: 100, perDayLamports: 500 * SOL, maxDayLossLamports: 100 * SOL };
  await must(user, tradingCalls.changeAccount.path, { method: 'PATCH', json: { limits, defaults: { exits } } });
  return user;
}

const addRule = (user: Person, fields: Partial<RuleInput> & { name: string }) =>
  must(user, ruleCalls.create.path, {
    method: 'POST',
    json: { ...defaultRule, minLiquidity: 0, maxRisk: 100, buyUnknownRisk: true, ...fields },
  });

const addStrategy = (user: Person, fields: Partial<StrategyFields> & { name: string }) =>
  must(user, strategyCalls.create.path, {
    method: 'POST',
    json: { ...defaultStrategy, userId: user.id, buyUnknownRisk: true, ...fields },
  });

/** Three users with plans and exits of all kinds. */
export async function recordedTraders(server: TestServer): Promise<[pat: Person, kim: Person, lee: Person]> {
  const steps = [
    { atPercent: 3, sellPercent: 40 },
    { atPercent: 8, sellPercent: 50 },
  ];
  const all = { ...noExits, stopLossPercent: 15, takeProfitPercent: 30, maxHoldMs: 12_000, steps };
  const pat = await trader(server, 'Pat', { wallet: 1, exits: all });
  const kim = await trader(server, 'Kim', { wallet: 2, exits: { ...noExits, trailingPercent: 4 } });
  const lee = await trader(server, 'Lee', { wallet: 3, exits: { ...noExits, maxHoldMs: 20_000, trailingPercent: 25 } });
  // Two plans with the same tokens: their sales by exits fall due at the same time.
  await addRule(pat, { name: 'Any coin', buyAmount: 0.03, maxSlippage: 50 });
  await addStrategy(pat, { name: 'Every launch', buyAmount: 0.05, maxSlippage: 50, stopLoss: 15, takeProfit: 30 });
  await addStrategy(kim, { name: 'Tight', buyAmount: 0.4, maxSlippage: 4, stopLoss: 5, takeProfit: 10 });
  const trend = { option: 'buy_at_uptrend', trendPercentage: 2, trendDuration: 5 } as const;
  const uptrend = { type: 'price_based', configuration: { priceConfig: trend } } as const;
  await addStrategy(kim, { name: 'Uptrend', ...uptrend, buyAmount: 0.1, maxSlippage: 10, stopLoss: 8, takeProfit: 20 });
  await addRule(lee, { name: 'Safer', buyAmount: 0.02, maxRisk: 60, maxSlippage: 20 });
  return [pat, kim, lee];
}

/** Buys more of a token that the user holds on paper, and sells a share of its position, half and all of it, without a pause. */
export async function tradeByHand(server: TestServer, user: Person): Promise<void> {
  const held = await positionModel(server.connection).find({ userId: user.id, open: true }).sort({ _id: -1 }).limit(3);
  const trade = async (address: string, fields: object) => {
    const shown = { address, mode: 'paper', slippageBps: 5_000 };
    const json = { ...shown, clientId: randomUUID(), from: 'page', accept: ALL_WARNINGS, ...fields };
    const { status } = await user.call(tradingCalls.createOrder.path, { method: 'POST', json });
    // The exit of a position may have been quicker.
    expect([200, 404, 409]).toContain(status);
  };
  for (const { _id, token } of held) {
    await Promise.all([
      trade(token.address, { side: 'buy', lamports: SOL / 20 }),
      trade(token.address, { side: 'sell', sharePercent: 30, positionId: _id.toHexString() }),
      trade(token.address, { side: 'sell', sharePercent: 50 }),
      trade(token.address, { side: 'buy', lamports: SOL / 50 }),
      trade(token.address, { side: 'sell', sharePercent: 100 }),
    ]);
  }
}

/** Ends the user's trading. `sell`: with everything sold. Resolves once the report of the stop is complete. */
export async function stopTrading(user: Person, sell: boolean): Promise<void> {
  await must(user, tradingCalls.stop.path, { method: 'POST', json: { sell } });
  const report = async () => tradingCalls.stopReport.output.parse((await user.call(tradingCalls.stopReport.path)).body);
  await expect.poll(async () => (await report())?.endedAt, { timeout: 90_000 }).not.toBeNull();
}

/** Switches the plans of a user off, so that they decide nothing more. */
export async function switchPlansOff(user: Person): Promise<void> {
  for (const { list, update } of [ruleCalls, strategyCalls]) {
    const { body } = await user.call(list.path);
    for (const { id } of list.output.parse(body)) {
      const path = update.path.replace('{id}', id);
      await must(user, path, { method: update.method, json: { isActive: false } });
    }
  }
}
