import { Types } from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { testConnection } from '../../testing/database.ts';
import { testAccounts } from '../accounts/testing/accounts.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';
import { createOrderStore } from '../orders/store.ts';
import { MINT } from '../testing/coin.ts';
import { createFillBook } from './apply-fill.ts';
import { positionFillModel, positionModel } from './model.ts';
import { createFillStore, createPositionStore } from './store.ts';
import { AT, filledOrder } from './testing/orders.ts';
import { createWorld, newUser, request, startTrading, storedPositions } from './testing/scene.ts';

const world = createWorld(await testConnection());

test('a sale of tokens whose purchase has no verdict yet gets into the position after it', async () => {
  const running = await startTrading(world);
  const userId = newUser(world);
  const { placing, orderStore } = running.trading;
  const { executor, tokens } = world.chain;
  const { look } = executor;
  onTestFinished(() => void Object.assign(executor, { look }));
  executor.look = (attempts) => look(attempts.filter(({ side }) => side === 'sell'));
  await placing.place(userId, request('buy', 1_000));
  await expect.poll(() => tokens.get(`${world.wallets.get(userId)} ${MINT}`)).toBe(1_000n);

  const placement = await placing.place(userId, request('sell', 50));
  const sale = placement.type === 'placed' ? placement.order : expect.fail(placement.type);
  await expect.poll(async () => (await orderStore.find(sale._id.toHexString()))?.status).toBe('confirmed');
  expect(await storedPositions(world, userId)).toEqual([]);
  executor.look = look;
  await expect.poll(() => orderStore.list(userId, { state: 'open' })).toEqual([]);
  const [position] = await storedPositions(world, userId);
  expect(position).toMatchObject({ tokens: '500', soldTokens: '500', movedTokens: '0', open: true });
  const closed = await orderStore.find(sale._id.toHexString());
  expect(closed?.positionId).toEqual(position?._id);
});

test('a sale of more than is held waits for a purchase that may have landed before it, and for no other order', async () => {
  const { connection } = world;
  const clock = { now: () => AT };
  const orders = createOrderStore(orderModel(connection));
  const { apply } = createFillBook({
    positions: createPositionStore(positionModel(connection)),
    fills: createFillStore(positionFillModel(connection)),
    accounts: testAccounts(connection, { clock }),
    ...{ orders, onStored: () => {}, clock },
  });
  const userId = new Types.ObjectId();
  const stored = () => storedPositions(world, userId.toHexString());
  const sale = filledOrder(userId, 'sell', 600);
  await apply(filledOrder(userId, 'buy', 500));
  const out = { status: 'sent', open: true, fill: null } as const;
  const purchase = filledOrder(userId, 'buy', 500, out);
  const times = { ...purchase.times, decided: null };
  const others: Partial<OrderRecord>[] = [
    { wallet: 'another' },
    { cluster: 'devnet' },
    { mode: 'live' },
    { token: { ...purchase.token, address: 'another' } },
    { side: 'sell' },
    { status: 'unknown' },
    { status: 'failed', open: false },
    { times: { ...times, sent: AT + 1 } },
    { status: 'held', times: { ...times, sent: null } },
  ];
  for (const fields of others) {
    expect(await orders.insert(filledOrder(userId, 'buy', 500, { ...out, times, ...fields }))).toBe(true);
  }
  expect(await orders.awaitsPurchase(sale)).toBe(false);

  await orders.insert({ ...purchase, times });
  expect(await apply(sale)).toBeNull();
  expect(await stored()).toMatchObject([{ tokens: '500' }]);
  // One that is covered waits for nothing.
  expect(await apply(filledOrder(userId, 'sell', 100))).toMatchObject({ closed: false });
  await apply({ ...purchase, status: 'confirmed', fill: filledOrder(userId, 'buy', 500).fill });
  expect(await apply(sale)).toMatchObject({ closed: false });
  expect(await stored()).toMatchObject([{ tokens: '300', soldTokens: '700' }]);
});
