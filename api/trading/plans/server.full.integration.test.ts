import type { QueryFilter } from 'mongoose';
import { expect, test } from 'vitest';
import { decisionCalls } from '../../../common/decisions/http.ts';
import { ruleCalls } from '../../../common/rules/http.ts';
import { defaultRule } from '../../../common/rules/model.ts';
import { strategyCalls } from '../../../common/strategies/http.ts';
import { defaultStrategy } from '../../../common/strategies/model.ts';
import { adminTradingCalls, tradingCalls } from '../../../common/trading/http.ts';
import { testServer } from '../../test-server.ts';
import { type Person, person } from '../../testing/people.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { testWallet } from '../../testing/wallets.ts';
import { tokenModels } from '../../tokens/model.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';

/** Launched in the last 25 minutes: the market goes on trading the newest of them. */
const known = Array.from({ length: 3_000 }, (_, number) =>
  tokenRecord(number, {
    ...{ createdAt: Date.now() - number * 500, detectedBy: 'simulator', version: 5 },
    reserves: {
      ...{ virtualQuote: 31_000_000_000, virtualToken: 1_038_387_096_774_193 },
      ...{ realQuote: 1_000_000_000, realToken: 758_487_096_774_193 },
    },
  }),
);

const server = await testServer({
  stored: known,
  env: { MARKET: 'simulator', MARKET_RATE: '600', MARKET_SEED: '11', TRADING: 'paper' },
});
const admin = await person(server, 'Root', { isAdmin: true });

/** Returns a new user with a wallet whose limits allow many small purchases. */
async function trader(name: string, wallet: number): Promise<Person> {
  const user = await person(server, name);
  const saved = await user.call(`/api/users/${user.id}/wallet`, { method: 'POST', json: testWallet(wallet) });
  expect(saved.status).toBeLessThan(300);
  const limits = { maxOpen: 100, perDayLamports: 5_000_000_000 };
  const changed = await user.call(tradingCalls.changeAccount.path, { method: 'PATCH', json: { limits } });
  expect(changed.status).toBe(200);
  return user;
}

const tokens = (filter: QueryFilter<TokenRecord> = {}) =>
  tokenModels(server.connection).tokens.find(filter).lean<TokenRecord[]>();
const countTokens = () => tokenModels(server.connection).tokens.estimatedDocumentCount();
const engineFigures = async () =>
  adminTradingCalls.status.output.parse((await admin.call(adminTradingCalls.status.path)).body).engine;
const ordersOf = ({ id }: Person) =>
  orderModel(server.connection).find({ userId: id }).sort({ _id: 1 }).lean<OrderRecord[]>();

async function decisionsOf(user: Person, address?: string) {
  const query = `limit=200${address === undefined ? '' : `&address=${address}`}`;
  const { body } = await user.call(`${decisionCalls.list.path}?${query}`);
  return decisionCalls.list.output.parse(body);
}

test('rules and strategies buy tokens detected after they were switched on, and none of those known before [S1-04, T-31]', async () => {
  const user = await trader('Pat', 1);
  // Those of them that are detected from the start on are known as well.
  await expect.poll(countTokens, { timeout: 60_000 }).toBeGreaterThan(known.length + 20);
  const strategy = {
    ...defaultStrategy,
    userId: user.id,
    name: 'Every launch',
    buyAmount: 0.01,
    maxSlippage: 50,
    buyUnknownRisk: true,
    stopLoss: undefined,
    takeProfit: undefined,
  };
  const rule = {
    ...defaultRule,
    name: 'Any coin',
    buyAmount: 0.01,
    minLiquidity: 0,
    maxRisk: 100,
    maxSlippage: 50,
    buyUnknownRisk: true,
  };
  const before = new Set((await tokens()).map(({ _id }) => _id));
  expect(before.size).toBeGreaterThan(known.length);
  const switchedOn = Date.now();
  expect((await user.call(strategyCalls.create.path, { method: 'POST', json: strategy })).status).toBe(200);
  expect((await user.call(ruleCalls.create.path, { method: 'POST', json: rule })).status).toBe(200);
  const bothOn = Date.now();
  await expect
    .poll(
      async () =>
        new Set((await ordersOf(user)).filter(({ status }) => status === 'confirmed').map(({ cause }) => cause.kind)),
      {
        timeout: 60_000,
      },
    )
    .toEqual(new Set(['rule', 'strategy']));
  // Each of the next launches is bought, or refused with a reason, by both plans.
  const launched = () => tokens({ detectedAt: { $gte: bothOn } });
  await expect.poll(async () => (await launched()).length).toBeGreaterThan(0);
  for (const { _id } of (await launched()).slice(0, 5))
    await expect.poll(async () => (await decisionsOf(user, _id)).length).toBe(2);
  const decisions = await decisionsOf(user);
  for (const { address, outcome, reason } of decisions) {
    expect(before.has(address)).toBe(false);
    expect(outcome === 'not-bought' && reason === null).toBe(false);
  }
  const orders = await ordersOf(user);
  for (const { token } of orders) expect(before.has(token.address)).toBe(false);
  const detections = async () => {
    const bought = await tokens({ _id: { $in: orders.map(({ token }) => token.address) } });
    const stored = new Map(bought.map(({ _id, detectedAt }) => [_id, detectedAt]));
    return orders.map(({ token }) => stored.get(token.address) ?? null);
  };
  // A token may be stored after its order.
  await expect.poll(detections).not.toContain(null);
  for (const detectedAt of await detections()) expect(detectedAt).toBeGreaterThanOrEqual(switchedOn);
  expect(new Set(orders.map(({ key }) => key)).size).toBe(orders.length);
  // They were offered: known tokens went on trading.
  const traded = async () => (await tokens({ lastTradeAt: { $gt: bothOn } })).filter(({ _id }) => before.has(_id));
  await expect.poll(async () => (await traded()).length).toBeGreaterThan(0);
  const [offered] = await traded();
  const codes = async () => {
    const { body } = await user.call(`/api/trading/explain/${offered?._id}`);
    return decisionCalls.explain.output.parse(body).plans.map(({ reason }) => reason?.code);
  };
  // Without the lease, as on a busy machine, no reason is known.
  await expect.poll(codes).toEqual(['not-new', 'not-new']);

  // Polled, since a busy machine may have been late to renew the right to decide.
  await expect.poll(engineFigures).toMatchObject({
    ...{ isDeciding: true, rules: 1, strategies: 1, tokens: expect.toSatisfy((count: number) => count > 0) },
    lagMs: { p50: expect.toSatisfy((lag: number) => lag >= 0) },
  });

  // After the response to a stop nothing is bought. An order that was being made is stored after it, and comes to nothing.
  expect((await user.call('/api/trading/stop', { method: 'POST', json: { sell: false } })).status).toBeLessThan(300);
  const stopped = new Set((await ordersOf(user)).map(({ key }) => key));
  const count = await countTokens();
  await expect.poll(countTokens, { timeout: 60_000 }).toBeGreaterThan(count + 5);
  const later = (await ordersOf(user)).filter(({ key }) => !stopped.has(key));
  expect(later.filter(({ attempts }) => attempts.length > 0)).toEqual([]);
}, 180_000);
