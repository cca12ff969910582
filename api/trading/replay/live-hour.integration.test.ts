import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { HOUR } from '../../../common/time.ts';
import type { Position } from '../../../common/trading/position.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { idAt } from '../../platform/object-ids.ts';
import { testConnection } from '../../testing/database.ts';
import { explainer } from '../../testing/explain.ts';
import { orderModel } from '../orders/model.ts';
import { positionModel } from '../positions/model.ts';
import { presentPosition } from '../positions/present.ts';
import { AT, filledOrder } from '../positions/testing/orders.ts';
import { openPosition } from '../positions/testing/position.ts';
import { hourOf } from '../tape/format.ts';
import { type LiveHourDeps, readLiveHour } from './live-hour.ts';

const user = new Types.ObjectId();
const userId = user.toHexString();
const planId = new Types.ObjectId().toHexString();
const hour = hourOf(AT);
const connection = await testConnection({ monitorCommands: true });
const [orders, positions] = [orderModel(connection), positionModel(connection)];
const value: Position['value'] = {
  lamports: 700,
  unknown: null,
  profitLamports: 0,
  price: 1,
  supply: null,
  at: '2026-11-23T05:00:00.000Z',
};
const deps: LiveHourDeps = {
  orders,
  positions,
  async listOpen(owner, mode) {
    const open = await positions.find({ userId: new Types.ObjectId(owner), mode, open: true }).lean();
    return open.map((position) => presentPosition(position, value));
  },
};
const ofPlan = (address: string, fields: object) =>
  filledOrder(user, 'buy', 500, {
    key: `buy:${planId}:${address}`,
    cause: { kind: 'strategy', name: 'Early' },
    open: false,
    ...fields,
  });

beforeAll(async () => {
  await ensureIndexes(orders);
  const timesOf = (created: number) => ({ created, held: null, signed: null, sent: null, decided: created });
  const [kept, sold, later, failed, byHand] = [1, 2, 3_600, 4, 5].map((second) => ({
    _id: idAt(AT + second * 1_000),
    times: timesOf(AT + second * 1_000),
  }));
  if (!kept || !sold || !later || !failed || !byHand) throw new Error('five orders are made');
  await orders.insertMany([
    ofPlan('one', kept),
    ofPlan('two', sold),
    ofPlan('three', later),
    ofPlan('four', { ...failed, fill: null, status: 'failed' }),
    filledOrder(user, 'buy', 500, byHand),
    filledOrder(user, 'sell', 500, {
      _id: idAt(AT + HOUR + 60_000),
      times: timesOf(AT + HOUR + 60_000),
      positionId: sold._id,
      cause: { kind: 'exit', name: 'stop loss' },
    }),
  ]);
  const own = { costLamports: 500, realisedLamports: 0 };
  const closed = { open: false, status: 'closed' as const, closedAt: new Date(AT + HOUR), realisedLamports: -40 };
  await positions.insertMany([
    { ...openPosition(user), ...own, _id: kept._id },
    { ...openPosition(user), ...own, ...closed, _id: sold._id, token: { ...openPosition(user).token, address: 'two' } },
    { ...openPosition(user), ...own, _id: byHand._id, token: { ...openPosition(user).token, address: 'five' } },
  ]);
});

test('shows what a plan really bought in the hour, and what became of it until now [T-39]', async () => {
  const { mode, trades, sums } = await readLiveHour(deps, { userId, hour, planId });
  expect(mode).toBe('local');
  expect(trades).toMatchObject([
    { state: 'open', resultLamports: 200, sales: [] },
    { state: 'closed', resultLamports: -40, sales: [{ exit: 'stop loss' }] },
    { state: 'failed', lamports: 0 },
  ]);
  expect(sums).toMatchObject({ bought: 2, open: 1, closed: 1, failed: 1 });
});

test('a plan that is not stored, or of another user, has bought nothing [T-39]', async () => {
  const nothing = { mode: null, trades: [], sums: { bought: 0, resultLamports: 0 } };
  expect(await readLiveHour(deps, { userId, hour, planId: null })).toMatchObject(nothing);
  const other = new Types.ObjectId().toHexString();
  expect(await readLiveHour(deps, { userId: other, hour, planId })).toMatchObject(nothing);
});

test('reads orders and positions by indexes', async () => {
  const plans = await explainer(connection).plans(() =>
    readLiveHour({ ...deps, listOpen: async () => [] }, { userId, hour, planId }),
  );
  expect(plans).toHaveLength(2);
  for (const stages of plans) {
    expect(stages.some((stage) => stage === 'IXSCAN' || stage === 'IDHACK')).toBe(true);
    expect(stages).not.toContain('SORT');
    expect(stages).not.toContain('COLLSCAN');
  }
});
