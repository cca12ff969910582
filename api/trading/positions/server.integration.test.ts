import { setTimeout as pause } from 'node:timers/promises';
import mongoose, { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { maintenanceCalls } from '../../../common/maintenance/http.ts';
import { DAY } from '../../../common/time.ts';
import { tokenSchema } from '../../../common/tokens/model.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import { orderSchema } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import { claimDatabase } from '../../platform/data-format.ts';
import { startTestServer, testServer } from '../../test-server.ts';
import { testDatabase } from '../../testing/database.ts';
import { type Person, person, socketOf } from '../../testing/people.ts';
import { justLaunched, tokenRecord } from '../../testing/tokens.ts';
import { testWallet } from '../../testing/wallets.ts';
import { tokenModels } from '../../tokens/model.ts';
import { positionModel } from './model.ts';
import { openPosition } from './testing/position.ts';

let admin: Person;
let user: Person;

const server = await testServer({
  stored: [justLaunched()],
  env: { MARKET: 'simulator', MARKET_RATE: '300', MARKET_SEED: '7', TRADING: 'paper' },
});
beforeAll(async () => {
  admin = await person(server, 'Root', { isAdmin: true });
  user = await person(server, 'Pat');
  const wallet = await user.call(`/api/users/${user.id}/wallet`, { method: 'POST', json: testWallet(1) });
  expect(wallet.status).toBeLessThan(300);
});

async function positions(state: 'open' | 'closed'): Promise<Position[]> {
  const { status, body } = await user.call(`/api/trading/positions?state=${state}`);
  expect(status).toBe(200);
  return tradingCalls.positions.output.parse(body);
}

/** Waits for the end of an order. Returns whether it was filled. */
async function isFilled(id: string): Promise<boolean> {
  const read = async () => orderSchema.parse((await user.call(`/api/trading/orders/${id}`)).body);
  await expect.poll(async () => isFinal((await read()).status)).toBe(true);
  return (await read()).fill !== null;
}

/** Buys the first coin that can be bought on paper. */
async function buyAny(): Promise<string> {
  for (;;) {
    const { body } = await user.call('/api/tokens?limit=50');
    for (const { address } of tokenSchema.array().parse(body)) {
      const ordered = { mode: 'paper', side: 'buy', address, lamports: 50_000_000, slippageBps: 5_000, from: 'page' };
      const order = { clientId: crypto.randomUUID(), ...ordered };
      const accept = ['high-risk', 'unknown-risk', 'low-liquidity', 'copied-symbol', 'no-exit'];
      const reply = await user.call('/api/trading/orders', { method: 'POST', json: { ...order, accept } });
      if (reply.status === 200) {
        // Its price may have moved too far when it falls due.
        if (await isFilled(orderSchema.parse(reply.body).id)) return address;
        continue;
      }
      expect(z.object({ code: z.string() }).parse(reply.body).code).toBe('not-tradable');
    }
    // Leaves the processor to the market in the same process.
    await pause(50);
  }
}

test('a position on paper has a moving value, is sold in part, and outlives its token', async () => {
  const socket = await socketOf(server, user);
  const values: string[] = [];
  socket.on('position-values', ({ values: changed }: { values: { id: string }[] }) => {
    values.push(...changed.map(({ id }) => id));
  });
  await socket.emitWithAck('subscribe', { topic: `user:${user.id}` });
  const address = await buyAny();
  await expect.poll(() => positions('open'), { timeout: 30_000 }).toHaveLength(1);
  const [opened] = await positions('open');
  expect(opened).toMatchObject({ mode: 'paper', token: { address }, origin: { kind: 'manual', name: null } });
  // What a sale brings at the present price, less its fees and its impact.
  const worth = async () => {
    const [one] = await positions('open');
    const { lamports = null, price = null } = one?.value ?? {};
    return lamports === null || price === null ? null : lamports / (Number(one?.tokens) * price * 1_000);
  };
  await expect.poll(worth).toBeGreaterThan(0.9);
  await expect.poll(() => values, { timeout: 30_000 }).toContain(opened?.id);

  const asked = { mode: 'paper', side: 'sell', address, sharePercent: 50, from: 'page', accept: [] };
  const sale = { clientId: crypto.randomUUID(), slippageBps: 5_000, ...asked, positionId: opened?.id };
  const stranger = await person(server, 'Morgan');
  await stranger.call(`/api/users/${stranger.id}/wallet`, { method: 'POST', json: testWallet(2) });
  expect(await stranger.call('/api/trading/orders', { method: 'POST', json: sale })).toMatchObject({
    status: 404,
    body: { code: 'not-found', error: 'You have no such open position. It may have been sold already.' },
  });
  expect((await user.call('/api/trading/orders', { method: 'POST', json: sale })).status).toBe(200);
  await expect.poll(async () => (await positions('open'))[0]?.soldTokens, { timeout: 30_000 }).not.toBe('0');

  await admin.call(maintenanceCalls.cleanupMockTokens.path, { method: 'POST' });
  expect((await user.call(`/api/tokens/address/${address}`)).status).toBe(404);
  await expect
    .poll(async () => (await positions('open'))[0]?.value?.unknown)
    .toMatchObject({ code: 'removed', numbers: { lastAt: expect.any(Number) } });
  const [removed] = await positions('open');
  expect(removed).toMatchObject({ id: opened?.id, value: { lamports: null, price: null } });
  const last = removed?.value?.unknown?.numbers.lastLamports ?? 0;
  expect(last).toBeGreaterThan(10_000_000);
  const rest = { ...sale, clientId: crypto.randomUUID() };
  expect((await user.call('/api/trading/orders', { method: 'POST', json: rest })).status).toBe(200);
  await expect
    .poll(async () => (await positions('open'))[0]?.soldTokens, { timeout: 30_000 })
    .not.toBe(removed?.soldTokens);
  const [kept] = await positions('open');
  expect(BigInt(kept?.tokens ?? 0)).toBeGreaterThan(0n);
  expect((kept?.proceedsLamports ?? 0) - (removed?.proceedsLamports ?? 0)).toBeGreaterThan(0.45 * last);

  const exits = { stopLossPercent: 10, takeProfitPercent: null };
  const path = `/api/trading/positions/${opened?.id}`;
  expect(await user.call(path, { method: 'PATCH', json: exits })).toMatchObject({ status: 200, body: { exits } });
  expect(await stranger.call(path, { method: 'PATCH', json: exits })).toMatchObject({ status: 404 });
  const [seen] = await positions('open');
  const moved = { ...exits, stopLossPercent: 12, version: seen?.version };
  expect(await user.call(path, { method: 'PATCH', json: moved })).toMatchObject({
    status: 200,
    body: { exits: { stopLossPercent: 12 } },
  });
  expect(await user.call(path, { method: 'PATCH', json: { ...moved, stopLossPercent: 13 } })).toMatchObject({
    status: 409,
    body: { code: 'changed-meanwhile' },
  });

  const profit = await user.call('/api/trading/profit');
  expect(tradingCalls.profit.output.parse(profit.body)).toMatchObject([{ wins: expect.any(Number) }]);
  // The order of the sale is over after its fill is in the position.
  const reset = () => user.call('/api/trading/account/reset-paper', { method: 'POST' });
  await expect.poll(async () => (await reset()).status).toBe(200);
  expect(await positions('open')).toEqual([]);
  expect(await positions('closed')).toMatchObject([{ id: opened?.id, movedTokens: kept?.tokens, value: null }]);
}, 90_000);

test('tokens of open positions are in memory from the start, however old', async () => {
  const { uri: mongoUri } = testDatabase();
  const connection = await mongoose.createConnection(mongoUri, { autoIndex: false }).asPromise();
  const owner = new Types.ObjectId();
  const reserves = { virtualQuote: 40e9, virtualToken: 800e12, realQuote: 10e9, realToken: 500e12 };
  const [held, unpinned] = [1, 2].map((number) =>
    tokenRecord(number, { createdAt: Date.now() - 5 * DAY, keepUntil: new Date(Date.now() + DAY), reserves }),
  );
  if (!held || !unpinned) expect.fail('two tokens are made');
  await claimDatabase(connection);
  await tokenModels(connection).tokens.insertMany([held, unpinned]);
  const position = (address: string) => {
    const opened = openPosition(owner);
    return { ...opened, token: { ...opened.token, address } };
  };
  await positionModel(connection).create(position(held._id));
  const restarted = await startTestServer({ mongoUri });
  try {
    // Stored beside the running server, so that nothing has pinned its token.
    await positionModel(connection).create(position(unpinned._id));
    const looker = await person(restarted, 'Root', { isAdmin: true });
    const unknownOf = async (address: string) => {
      const query = new URLSearchParams({ state: 'open', userId: owner.toHexString(), address });
      const { body } = await looker.call(`/api/trading/positions?${query}`);
      return tradingCalls.positions.output.parse(body)[0]?.value?.unknown?.code;
    };
    await expect.poll(() => unknownOf(held._id)).toBe('stale');
    expect(await unknownOf(unpinned._id)).toBe('no-depth');
  } finally {
    await restarted.stop();
    await connection.close();
  }
}, 60_000);
