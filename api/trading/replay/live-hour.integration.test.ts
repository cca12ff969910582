import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { HOUR } from '../../../common/time.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { idAt } from '../../platform/object-ids.ts';
import { testConnection } from '../../testing/database.ts';
import { type Explained, explainer } from '../../testing/explain.ts';
import { orderModel } from '../orders/model.ts';
import { planFill } from '../positions/fills/plan-fill.ts';
import { positionFillModel, positionModel } from '../positions/model.ts';
import { AT, filledOrder } from '../positions/testing/orders.ts';
import { openPosition } from '../positions/testing/position.ts';
import { hourOf } from '../tape/format.ts';
import { attemptRecord } from '../testing/order-record.ts';
import { readLiveHour, readOpening } from './live-hour.ts';

const user = new Types.ObjectId();
const userId = user.toHexString();
const hour = hourOf(AT);
const connection = await testConnection({ monitorCommands: true });
const models = {
  orders: orderModel(connection),
  positions: positionModel(connection),
  fills: positionFillModel(connection),
};
let explained: Explained;

const byPlan = { kind: 'strategy', id: new Types.ObjectId().toHexString(), name: 'Early' } as const;

beforeAll(async () => {
  await ensureIndexes(models.orders);
  await ensureIndexes(models.positions);
  await ensureIndexes(models.fills);
  await models.orders.insertMany([
    filledOrder(user, 'buy', 1, { _id: idAt(AT + 1_000), cause: byPlan }),
    filledOrder(user, 'buy', 2, { _id: idAt(AT + 2_000), cause: byPlan, mode: 'paper', cluster: null }),
  ]);
  const before = { mode: 'paper' as const, cluster: null, openedAt: new Date(AT - HOUR) };
  const closed = { open: false, status: 'closed' as const };
  await models.positions.insertMany([
    { ...openPosition(user), ...before },
    { ...openPosition(user), ...before, ...closed, closedAt: new Date(AT + 1) },
    { ...openPosition(user), ...before, ...closed, closedAt: new Date(AT - 1) },
  ]);
  explained = explainer(connection);
});

test('recorded plans are compared with orders on paper, and one plan with the mode in which it ran', async () => {
  const recorded = await readLiveHour(models, { userId, hour, of: 'paper' });
  expect(recorded).toMatchObject({ mode: 'paper', orders: [{ mode: 'paper', lamports: 2 }] });
  const own = await readLiveHour(models, { userId, hour, of: null });
  expect(own).toMatchObject({ mode: 'local', orders: [{ mode: 'local', lamports: 1 }] });
});

test('positions held on paper at the begin of the hour are found by indexes, in their order', async () => {
  const plans = await explained.plans(() => readOpening(models, { userId, resetAt: 0 }, hour));
  expect(plans.length).toBeGreaterThan(1);
  for (const stages of plans) {
    expect(stages).toContain('IXSCAN');
    expect(stages).not.toContain('SORT');
  }
});

test('effects of the same time are in the order of their signatures, as they were applied', async () => {
  const owner = new Types.ObjectId();
  const position = { ...openPosition(owner), mode: 'paper' as const, cluster: null, openedAt: new Date(AT - HOUR) };
  await models.positions.insertMany([position]);
  const at = AT - HOUR / 2;
  const effects = ['b', 'c', 'a'].map((signature) => {
    const order = filledOrder(owner, 'buy', 1, {
      mode: 'paper',
      cluster: null,
      attempts: [attemptRecord({ signature })],
    });
    return { ...planFill(order, [position], at), at: new Date(at), done: true };
  });
  await models.fills.insertMany(effects);
  const { fills } = await readOpening(models, { userId: owner.toHexString(), resetAt: 0 }, hour);
  expect(fills.map(({ signature }) => signature)).toEqual(['a', 'b', 'c']);
});
