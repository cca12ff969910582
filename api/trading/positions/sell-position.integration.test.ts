import { expect, test } from 'vitest';
import { noExits } from '../../../common/trading/account.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import type { OrderRequest } from '../orders/place.ts';
import { presentOrder } from '../orders/present.ts';
import { coin, MINT } from '../testing/coin.ts';
import { positionModel } from './model.ts';
import {
  createWorld,
  newUser,
  type RunningTrading,
  request,
  startTrading,
  storedPositions,
  trade,
} from './testing/scene.ts';

const world = createWorld(await testConnection());

/** Buys 1,000 base units by hand and 10 by a strategy. Returns the ids of the two positions. */
async function bought(running: RunningTrading, userId: string): Promise<[manual: string, ofStrategy: string]> {
  const cause = { kind: 'strategy' as const, name: 'Every launch' };
  const byStrategy = { ...request('buy', 10), key: 'buy:5f0000000000000000000001:coin', cause };
  const orders = [await trade(running, userId, request('buy', 1_000)), await trade(running, userId, byStrategy)];
  const [manual, ofStrategy] = orders.map(({ positionId }) => positionId?.toHexString() ?? expect.fail('no position'));
  if (!manual || !ofStrategy) return expect.fail('two positions are opened');
  return [manual, ofStrategy];
}

/** Reserves at a price of three lamports for a base unit. */
const threefold = (units: number) => ({
  virtualQuote: 3_000 * units,
  virtualToken: 1_000 * units,
  realQuote: 2_000 * units,
  realToken: 900 * units,
});

const left = async (userId: string) => (await storedPositions(world, userId)).map(({ tokens }) => tokens);

test('a sale that names a position sells a share of it, and leaves the other one of the same token', async () => {
  const running = await startTrading(world);
  const userId = newUser(world);
  const [manual, positionId] = await bought(running, userId);
  const sell = (sharePercent: number): OrderRequest => ({ ...request('sell', sharePercent), positionId });
  const half = await trade(running, userId, sell(50));
  expect(half).toMatchObject({ tokens: '5', isWholePosition: false, status: 'confirmed' });
  expect(await left(userId)).toEqual(['1000', '5']);
  const all = sell(100);
  expect(await trade(running, userId, all)).toMatchObject({ tokens: '5', isWholePosition: false });
  expect(await left(userId)).toEqual(['1000', '0']);
  // A call that is repeated finds its order, although the position is closed now.
  expect(await running.trading.placing.place(userId, all)).toMatchObject({ type: 'placed', order: { tokens: '5' } });
  const withoutName = await trade(running, userId, request('sell', 50));
  expect(withoutName).toMatchObject({ tokens: '500' });
  expect(withoutName.positionId?.toHexString()).toBe(manual);
});

test('a sale of a position that is closed, of another user, token, mode or wallet is refused', async () => {
  const running = await startTrading(world);
  const [userId, other] = [newUser(world), newUser(world)];
  const [manual, closed] = await bought(running, userId);
  await trade(running, other, request('buy', 1_000));
  const place = (by: string, fields: Partial<OrderRequest>) =>
    running.trading.placing.place(by, { ...request('sell', 100), positionId: manual, ...fields });
  await trade(running, userId, { ...request('sell', 100), positionId: closed });
  const unknown = { type: 'refused', reason: reason('no-position') };
  expect(await place(userId, { positionId: closed })).toEqual(unknown);
  expect(await place(other, {})).toEqual(unknown);
  world.market.coins.set('other', coin({ address: 'other' }));
  expect(await place(userId, { address: 'other' })).toEqual(unknown);
  const wallet = world.wallets.get(userId) ?? '';
  world.wallets.set(userId, 'the next one');
  expect(await place(userId, {})).toEqual({ type: 'refused', reason: reason('wallet-changed') });
  expect(await left(userId)).toEqual(['1000', '0']);
  expect(await left(other)).toEqual(['1000']);
  world.wallets.set(userId, wallet);
  await positionModel(world.connection).updateOne({ _id: manual }, { mode: 'live' });
  expect(await place(userId, {})).toEqual(unknown);
});

test('sales of one position that overlap sell no more than it has, and nothing of the other one', async () => {
  const running = await startTrading(world);
  const userId = newUser(world);
  const [, positionId] = await bought(running, userId);
  const place = async (fields: Partial<OrderRequest>) => {
    const { placing } = running.trading;
    const placement = await placing.place(userId, { ...request('sell', 100), positionId, ...fields });
    return placement.type === 'placed' ? placement.order.tokens : placement;
  };
  const refused = { type: 'refused', reason: reason('being-sold') };
  world.chain.fates.push('late', 'late');
  expect(await place({ sharePercent: 30 })).toBe('3');
  const atOnce = await Promise.all([place({}), place({})]);
  expect(atOnce).toHaveLength(2);
  expect(atOnce).toEqual(expect.arrayContaining(['7', refused]));
  // An exit names its tokens.
  expect(await place({ sharePercent: undefined, tokens: 10n })).toEqual(refused);
  const open = await running.trading.orderStore.list(userId, { state: 'open' });
  expect(open).toHaveLength(2);
  for (const { _id } of open) await expect.poll(() => world.chain.sentOf(_id.toHexString())).toHaveLength(1);
  world.chain.mine(1);
  await expect.poll(() => left(userId)).toEqual(['1000', '0']);
});

test('a sale of the initial sells what returns the price, keeps the rest with the exits of its order, and knows its profit', async () => {
  const running = await startTrading(world);
  const [userId, other] = [newUser(world), newUser(world)];
  const SOL = 900_000_000;
  const exits = { ...noExits, stopLossPercent: 20, takeProfitPercent: 300 };
  const { positionId: id } = await trade(running, userId, { ...request('buy', SOL), exits });
  const positionId = id?.toHexString() ?? expect.fail('no position');
  const initial = (): OrderRequest => ({ ...request('sell', 100), sharePercent: undefined, initial: true, positionId });
  const { placing } = running.trading;
  // At the prices of the market a token is worth less than was paid.
  expect(await placing.place(userId, initial())).toMatchObject({ reason: { code: 'initial-short' } });
  expect(await placing.place(other, initial())).toEqual({ type: 'refused', reason: reason('no-position') });
  world.market.coins.set(MINT, coin({ reserves: threefold(SOL) }));
  const sale = await trade(running, userId, initial());
  const sold = Number(sale.tokens);
  expect(sold).toBeGreaterThan(SOL / 3);
  expect(sold).toBeLessThan(SOL / 2.9);
  const [position] = await storedPositions(world, userId);
  expect(position).toMatchObject({ open: true, tokens: String(SOL - sold), exits });
  expect(sale.profitLamports).toBe(position?.realisedLamports);
  expect(presentOrder(sale)).toMatchObject({ isClosed: true, profitLamports: position?.realisedLamports });
});

test('a sale of the initial is refused while another sale of the position is on its way', async () => {
  const running = await startTrading(world);
  const userId = newUser(world);
  const SOL = 900_000_000;
  world.market.coins.set(MINT, coin());
  const positionId = (await trade(running, userId, request('buy', SOL))).positionId?.toHexString();
  world.market.coins.set(MINT, coin({ reserves: threefold(SOL) }));
  world.chain.fates.push('late');
  const place = () =>
    running.trading.placing.place(userId, {
      ...request('sell', 100),
      sharePercent: undefined,
      initial: true,
      positionId,
    });
  const first = await place();
  if (first.type !== 'placed') return expect.fail(JSON.stringify(first));
  expect(await place()).toEqual({ type: 'refused', reason: reason('being-sold') });
  await expect.poll(() => world.chain.sentOf(first.order._id.toHexString())).toHaveLength(1);
  world.chain.mine(1);
  await expect
    .poll(async () => (await running.trading.orderStore.find(first.order._id.toHexString()))?.open)
    .toBe(false);
  expect(await left(userId)).toEqual([String(SOL - Number(first.order.tokens))]);
});

test('a sale of more than the positions have knows no profit: the cost of the other tokens is unknown', async () => {
  const running = await startTrading(world);
  const userId = newUser(world);
  world.market.coins.set(MINT, coin());
  await trade(running, userId, request('buy', 1_000));
  expect(await trade(running, userId, request('sell', 10))).toMatchObject({ tokens: '100', profitLamports: -5_500 });
  // Sent by another wallet.
  const key = `${world.wallets.get(userId)} ${MINT}`;
  world.chain.tokens.set(key, (world.chain.tokens.get(key) ?? 0n) + 500n);
  const sale = await trade(running, userId, request('sell', 100));
  expect(sale.tokens).toBe('1400');
  expect(presentOrder(sale)).toMatchObject({ isClosed: true, profitLamports: null });
  expect(await left(userId)).toEqual(['0']);
});
