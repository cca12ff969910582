import { beforeEach, expect, test } from 'vitest';
import { noExits } from '../../../common/trading/account.ts';
import { testConnection } from '../../testing/database.ts';
import type { OrderRecord } from '../orders/model.ts';
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
  type World,
} from './testing/scene.ts';

const AMOUNT = 100_000_000;
const ROUND = 600_000;
const connection = await testConnection();
let world: World;
let running: RunningTrading;
let userId: string;

beforeEach(async () => {
  await positionModel(connection).deleteMany({});
  world = createWorld(connection);
  running = await startTrading(world);
  userId = newUser(world);
});

const buy = (cause?: OrderRecord['cause'], key?: string) =>
  trade(running, userId, { ...request('buy', AMOUNT), ...(cause ? { cause } : {}), ...(key ? { key } : {}) });
const wallet = () => world.wallets.get(userId) ?? '';
const hold = (tokens: number) => world.chain.tokens.set(`${wallet()} ${MINT}`, BigInt(tokens));
const amounts = async () =>
  (await storedPositions(world, userId)).map(({ tokens, movedTokens, status }) => [tokens, movedTokens, status]);
/** Lets the comparisons of the next minutes happen. */
async function later(is: () => Promise<void>): Promise<void> {
  await expect
    .poll(async () => {
      world.time.skipped += ROUND / 2;
      await is();
    })
    .toBeUndefined();
}

test('tokens that left the wallet reduce the newest position first, at their cost [T-14]', async () => {
  await buy();
  await buy({ kind: 'rule', name: 'Dips' }, `buy:64b0000000000000000000a1:${MINT}`);
  hold(AMOUNT / 2);
  await later(async () =>
    expect(await amounts()).toEqual([
      [String(AMOUNT / 2), String(AMOUNT / 2), 'open'],
      ['0', String(AMOUNT), 'closed'],
    ]),
  );
  const [first] = await storedPositions(world, userId);
  expect(first).toMatchObject({ realisedLamports: 0, costLamports: (AMOUNT + 5_000) / 2 });
  // The events follow the stored changes.
  const moved = () => running.positions.filter(({ movedTokens }) => movedTokens !== '0');
  await expect
    .poll(() => moved().map(({ status, movedTokens }) => [status, movedTokens]))
    .toEqual([
      ['closed', String(AMOUNT)],
      ['open', String(AMOUNT / 2)],
    ]);
  // The closed one has left its place in the account.
  expect((await running.trading.accounts.view(userId)).budget?.openPositions).toBe(1);
});

test('balances of another network than that of a position say nothing about it', async () => {
  const other = newUser(world);
  await buy();
  const { executor } = world.chain;
  world.chain.executor = { ...executor, cluster: 'devnet', balances: async (pairs) => pairs.map(() => 0n) };
  // A position of that network is found missing in the same round.
  await trade(running, other, request('buy', AMOUNT));
  await later(async () => expect(await storedPositions(world, other)).toMatchObject([{ status: 'closed' }]));
  expect(await amounts()).toEqual([[String(AMOUNT), '0', 'open']]);
});

test('tokens that arrived belong to no position', async () => {
  await buy();
  hold(AMOUNT * 3);
  const other = newUser(world);
  await trade(running, other, request('buy', AMOUNT));
  world.chain.tokens.set(`${world.wallets.get(other)} ${MINT}`, 0n);
  // The other user's tokens are found missing in the same round.
  await later(async () => expect(await storedPositions(world, other)).toMatchObject([{ status: 'closed' }]));
  expect(await amounts()).toEqual([[String(AMOUNT), '0', 'open']]);
});

test('a sale that is out explains missing tokens', async () => {
  const other = newUser(world);
  await buy();
  await trade(running, other, request('buy', AMOUNT));
  // Its transaction waits in the network, however often it is sent.
  world.chain.fates.push(...Array.from({ length: 1_000 }, () => 'dropped' as const));
  const placement = await running.trading.placing.place(userId, request('sell', 50));
  const id = placement.type === 'placed' ? placement.order._id.toHexString() : expect.fail('refused');
  await expect.poll(async () => (await running.trading.orderStore.find(id))?.status).toBe('sent');
  hold(0);
  world.chain.tokens.set(`${world.wallets.get(other)} ${MINT}`, 0n);
  await later(async () => expect(await storedPositions(world, other)).toMatchObject([{ status: 'closed' }]));
  expect(await running.trading.orderStore.find(id)).toMatchObject({ open: true });
  expect(await amounts()).toEqual([[String(AMOUNT), '0', 'open']]);
});

test('an exit finds nothing to sell and is over with the position', async () => {
  const order = await buy();
  const exits = { ...noExits, stopLossPercent: 20 };
  await running.opened.changeExits(order.positionId?.toHexString() ?? '', exits);
  hold(0);
  world.market.move([0.00000001]);
  await later(async () => expect(await amounts()).toEqual([['0', String(AMOUNT), 'closed']]));
  expect(running.positions.map(({ status }) => status)).not.toContain('stuck');
});

test('a place that a crash has left is freed at the next start', async () => {
  const order = await buy();
  const id = order.positionId;
  await positionModel(connection).updateOne({ _id: id }, { $set: { open: false, status: 'closed', holdsPlace: true } });
  expect((await running.trading.accounts.view(userId)).budget?.openPositions).toBe(1);
  await running.stop();
  running = await startTrading(world);
  expect((await running.trading.accounts.view(userId)).budget?.openPositions).toBe(0);
  expect(await storedPositions(world, userId)).toMatchObject([{ holdsPlace: false }]);
});

test('a reset of the play money that a crash interrupts closes the paper positions at the next start, and none bought since', async () => {
  const paper = createWorld(connection, 'paper');
  paper.market.coins.set('other', coin({ address: 'other' }));
  const user = newUser(paper);
  const buyOnPaper = (by: RunningTrading, address: string) =>
    trade(by, user, { ...request('buy', AMOUNT), address, mode: 'paper' });
  const first = await startTrading(paper);
  await buyOnPaper(first, MINT);
  await first.trading.accounts.resetPaper(user);
  await buyOnPaper(first, 'other');
  expect(await first.opened.listOpen(user, 'paper')).toHaveLength(2);
  await first.stop();
  const second = await startTrading(paper);
  const stored = [{ status: 'closed', realisedLamports: 0 }, { status: 'open' }];
  expect(await storedPositions(paper, user)).toMatchObject(stored);
  expect((await second.trading.accounts.read(user)).books.paper.positions).toHaveLength(1);
  await buyOnPaper(second, MINT);
  await second.stop();
  await startTrading(paper);
  expect(await storedPositions(paper, user)).toMatchObject([...stored, { status: 'open' }]);
});
