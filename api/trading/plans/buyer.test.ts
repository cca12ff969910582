import { pino } from 'pino';
import { expect, test } from 'vitest';
import { reason } from '../../../common/trading/reasons.ts';
import type { OrderRequest, Placement } from '../orders/place.ts';
import { orderRecord } from '../testing/order-record.ts';
import { createBuyer } from './buyer.ts';
import type { Buy, CoreOrder } from './core/model.ts';
import { planOf } from './core/testing/core-scene.ts';

const NOW = 1_000_000;
const buyOf = (userId: string, address: string, fields: Partial<Buy> = {}): Buy => ({
  ...{ key: `buy:plan:${address}`, planId: 'plan', userId, address, lamports: 5, slippageBps: 100 },
  ...{ planSince: planOf().activeSince, observedAt: NOW - 40, decidedAt: NOW },
  ...fields,
});

function tested(plan: ReturnType<typeof planOf> | null = planOf({ id: 'plan', name: 'Plan', lamports: 5 })) {
  const asked: { userId: string; request: OrderRequest; settle(placement: Placement | Error): void }[] = [];
  const orders: CoreOrder[] = [];
  const lags: number[] = [];
  const buyer = createBuyer({
    placing: {
      place: (userId, request) =>
        new Promise((resolve, reject) => {
          const settle = (placement: Placement | Error) =>
            placement instanceof Error ? reject(placement) : resolve(placement);
          asked.push({ userId, request, settle });
        }),
    },
    planOf: () => plan,
    onOrder: (order) => orders.push(order),
    onStored: (lag) => lags.push(lag),
    clock: { now: () => NOW },
    log: pino({ level: 'silent' }),
  });
  return { buyer, asked, orders, lags };
}

const placed = (): Placement => {
  const order = orderRecord({});
  return { type: 'placed', order: { ...order, times: { ...order.times, created: NOW } } };
};

test('orders are made at once, and reported when they are stored', async () => {
  const { buyer, asked, orders, lags } = tested();
  for (const address of ['a', 'b']) buyer.buy(buyOf('one', address));
  expect(asked.map(({ request }) => request.key)).toEqual(['buy:plan:a', 'buy:plan:b']);
  expect(asked[0]?.request).toMatchObject({
    ...{ side: 'buy', lamports: 5, slippageBps: 100, accept: null },
    cause: { kind: 'strategy', name: 'Plan' },
  });
  asked[1]?.settle(placed());
  await expect.poll(() => orders).toMatchObject([{ key: 'buy:plan:b', state: 'stored' }]);
  expect(lags).toEqual([40]);
});

test('at most sixteen orders are made at once, those that wait of each user in turn, and all of them in the end', async () => {
  const { buyer, asked } = tested();
  for (let number = 0; number < 19; number += 1) buyer.buy(buyOf('many', `a${number}`));
  for (const userId of ['one', 'other']) buyer.buy(buyOf(userId, 'b'));
  expect(asked).toHaveLength(16);
  for (let settled = 0; settled < 21; settled += 1) {
    await expect.poll(() => asked.length).toBeGreaterThan(settled);
    asked[settled]?.settle(placed());
  }
  expect(asked.slice(16).map(({ userId }) => userId)).toEqual(['many', 'one', 'other', 'many', 'many']);
  expect(new Set(asked.map(({ request }) => request.key)).size).toBe(20);
});

test('an order is not made for an inactive plan, nor after too long a wait; a refusal is reported', async () => {
  const inactive = tested(null);
  inactive.buyer.buy(buyOf('one', 'a'));
  const { buyer, asked, orders } = tested();
  buyer.buy(buyOf('one', 'a', { decidedAt: NOW - 6_000 }));
  buyer.buy(buyOf('one', 'b'));
  asked[0]?.settle({ type: 'refused', reason: reason('stopped') });
  await expect.poll(() => orders).toHaveLength(2);
  buyer.buy(buyOf('one', 'c'));
  asked[1]?.settle(new Error('the response was lost'));
  await expect
    .poll(() => orders.map(({ state, reason: why }) => `${state} ${why?.code}`))
    .toEqual(['refused too-old', 'refused stopped', 'refused database-away']);
  expect(inactive.orders).toMatchObject([{ state: 'refused', reason: { code: 'inactive' } }]);
  expect(inactive.asked).toEqual([]);
});

test.each([
  ['its conditions or limits', { activeSince: planOf().activeSince + 1 }],
  ['its amount', { lamports: 6 }],
])('an order that waited is not made for a plan that changed %s meanwhile', async (_, change) => {
  const plan = planOf({ id: 'plan', lamports: 5, slippageBps: 100 });
  const { buyer, asked, orders } = tested(plan);
  for (let number = 0; number < 17; number += 1) buyer.buy(buyOf('one', `a${number}`));
  Object.assign(plan, change);
  asked[0]?.settle(placed());
  await expect
    .poll(() => orders)
    .toMatchObject([{ state: 'stored' }, { state: 'refused', reason: { code: 'inactive' } }]);
  expect(asked).toHaveLength(16);
});

test('an order that was made before is reported as it is', async () => {
  const { buyer, asked, orders } = tested();
  buyer.buy(buyOf('one', 'a'));
  asked[0]?.settle({ type: 'placed', order: orderRecord({ status: 'failed', failure: reason('expired') }) });
  await expect.poll(() => orders).toMatchObject([{ state: 'over', hasBought: false, reason: { code: 'expired' } }]);
});

test('a stop waits for the orders in progress, and makes none of those that wait', async () => {
  const { buyer, asked } = tested();
  for (let number = 0; number < 17; number += 1) buyer.buy(buyOf('one', `a${number}`));
  const stopped = buyer.stop();
  for (const { settle } of asked) settle(placed());
  await stopped;
  buyer.buy(buyOf('one', 'b'));
  expect(asked).toHaveLength(16);
});
