import { performance } from 'node:perf_hooks';
import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { SECOND } from '../../../../common/time.ts';
import { noExits } from '../../../../common/trading/account.ts';
import { testConnection } from '../../../testing/database.ts';
import { type OrderRecord, orderModel } from '../../orders/model.ts';
import { coin } from '../../testing/coin.ts';
import { type PositionRecord, positionModel } from '../model.ts';
import { openPosition } from '../testing/position.ts';
import { createWorld, newUser, startTrading, type World } from '../testing/scene.ts';

/** Open positions; 10,000 in a soak. */
const COUNT = rounds(1_000);
const PER_TOKEN = 10;
const TIMEOUT = 60 * SECOND + COUNT * 100;
/** Most calls of the database for a sale, from its price to its closed position, however many fire at once. */
const CALLS_MAX = 40;

const connection = await testConnection({ monitorCommands: true, maxPoolSize: 20 });
let calls = 0;
connection.getClient().on('commandStarted', () => {
  calls += 1;
});

/** Stores open positions of as many users, each with a stop loss, and what their wallets hold. */
async function storedPositions(world: World): Promise<PositionRecord[]> {
  const positions = Array.from({ length: COUNT }, (_, index) => {
    const userId = newUser(world);
    const wallet = world.wallets.get(userId) ?? '';
    const address = `token ${Math.floor(index / PER_TOKEN)}`;
    const position = openPosition(new Types.ObjectId(userId));
    world.chain.tokens.set(`${wallet} ${address}`, BigInt(position.tokens));
    world.market.coins.set(address, coin({ address, price: 1 }));
    return { ...position, wallet, token: { ...position.token, address }, exits: { ...noExits, stopLossPercent: 20 } };
  });
  await positionModel(connection).deleteMany({});
  await positionModel(connection).insertMany(positions);
  return positions;
}

test('of many positions each one fires once at its first price beyond, none is missed by a restart [T-13]', {
  timeout: TIMEOUT,
}, async () => {
  const world = createWorld(connection);
  const positions = await storedPositions(world);
  const addresses = [...new Set(positions.map(({ token }) => token.address))];
  let running = await startTrading(world);
  const beganAt = performance.now();
  for (const address of addresses) world.market.move([1.1, 0.81, 0.9], address);
  const perStep = (performance.now() - beganAt) / (3 * addresses.length);
  // Half of them before the restart, half after it; each dip recovers within its tick.
  const half = addresses.length / 2;
  const firedAt = performance.now();
  calls = 0;
  for (const address of addresses.slice(0, half)) world.market.move([0.79, 1.2], address);
  await running.stop();
  running = await startTrading(world);
  for (const address of addresses.slice(half)) world.market.move([0.79, 1.2], address);
  const open = () => positionModel(connection).countDocuments({ open: true });
  await expect.poll(open, { timeout: TIMEOUT, interval: SECOND / 2 }).toBe(0);
  const [perSale, callsPerSale] = [(performance.now() - firedAt) / COUNT, calls / COUNT];
  expect(callsPerSale).toBeLessThan(CALLS_MAX);
  const orders = await orderModel(connection)
    .find({ positionId: { $in: positions.map(({ _id }) => _id) } })
    .lean<OrderRecord[]>();
  expect(new Set(orders.map(({ key }) => key)).size).toBe(COUNT);
  expect(orders.map(({ status, cause }) => [status, cause.name])).toEqual(
    Array.from({ length: COUNT }, () => ['confirmed', 'stop loss']),
  );
  const figures = [
    `${(perStep * 1_000).toFixed(1)} µs a price step of ${PER_TOKEN}`,
    `${perSale.toFixed(1)} ms and ${callsPerSale.toFixed(1)} calls of the database a sale`,
  ];
  process.stdout.write(`${COUNT} positions: ${figures.join(', ')}\n`);
});
