import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { noExits } from '../../../common/trading/account.ts';
import { exitsOfPlan } from '../../../common/trading/exits.ts';
import { openRules } from '../../rules/service.ts';
import { openStrategies } from '../../strategies/service.ts';
import { testConnection } from '../../testing/database.ts';
import { buyKey } from './core/model.ts';
import { createPlanCheck } from './plan-check.ts';
import { createPlanSource } from './plan-source.ts';
import { everyLaunch, lowRisk } from './testing/scene.ts';

const connection = await testConnection();
const check = createPlanCheck(connection);
let now = Date.now();
const deps = { connection, bus: { emit: () => {} }, clock: { now: () => now } };
const [rules, strategies] = [await openRules(deps), await openStrategies(deps)];

/** Returns a new user, and a function that returns the order which the only active plan of the user decides. */
function newOwner() {
  const _id = new Types.ObjectId();
  const userId = _id.toHexString();
  async function decide() {
    const [plan] = await createPlanSource(connection).ofUser(userId);
    if (!plan) throw new Error('the plan is not active');
    const { id, kind, name, lamports, ownExits, activeSince: planSince } = plan;
    const token = { address: 'token', name: null, symbol: null, decimals: 6 };
    const exits = exitsOfPlan(ownExits, { ...noExits, trailingPercent: 20 });
    return { key: buyKey(id, 'token'), userId: _id, token, cause: { kind, name }, planSince, lamports, exits };
  }
  return { userId, caller: { _id, username: 'test', isAdmin: false }, decide };
}

test.each([
  ['another amount', { buyLamports: everyLaunch.buyLamports * 2 }, 'inactive'],
  ['another stop loss', { stopLoss: 20 }, 'inactive'],
  ['no stop loss', { stopLoss: null }, 'inactive'],
  ['a take profit', { takeProfit: 50 }, 'inactive'],
  ['other limits', { maxScamProbability: 1 }, 'inactive'],
  ['another state', { isActive: false }, 'inactive'],
  ['only another name', { name: 'Another name', description: 'Another one' }, undefined],
])('a strategy that was given %s after its decision is compared with the order', async (_, change, refusal) => {
  const { userId, caller, decide } = newOwner();
  const { id } = await strategies.create(caller, userId, everyLaunch);
  const order = await decide();
  expect(await check(order)).toBeNull();
  now += 1;
  await strategies.change(caller, id, change);
  expect((await check(order))?.code).toBe(refusal);
});

test('limits of exits that a position never has, and orders with the default exits, are no change', async () => {
  const { userId, caller, decide } = newOwner();
  await strategies.create(caller, userId, { ...everyLaunch, stopLoss: 100, takeProfit: 0 });
  const order = await decide();
  expect(order.exits).toMatchObject({ stopLossPercent: 99, takeProfitPercent: null });
  expect(await check(order)).toBeNull();
  expect(await check({ ...order, exits: null })).toBeNull();
});

test.each([
  ['another amount', { buyLamports: lowRisk.buyLamports * 2 }, 'inactive'],
  ['only another name', { name: 'Another name' }, undefined],
])('a rule that was given %s after its decision is compared with the order', async (_, change, refusal) => {
  const { userId, caller, decide } = newOwner();
  const { id } = await rules.create(caller, userId, lowRisk);
  const order = await decide();
  expect(await check(order)).toBeNull();
  now += 1;
  await rules.change(caller, id, change);
  expect((await check(order))?.code).toBe(refusal);
});
