import { afterEach, beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import { createDesk, type Desk, purchase, sale } from '../testing/desk.ts';
import { createScriptedChain, type Fate, type ScriptedChain } from '../testing/scripted-chain.ts';
import type { OrderRequest, Placement } from './place.ts';

const SOL = 1_000_000_000;
const connection = await testConnection({ journal: true });
let chain: ScriptedChain;
let desk: Desk;
let userId: string;

beforeEach(async () => {
  chain = createScriptedChain(Date.now);
  desk = await createDesk({ connection, executor: chain.executor });
  // No purchase is too old because the machine is slow.
  desk.time.stop();
  userId = desk.newUser();
});
afterEach(async () => {
  await desk.stopWorkers();
  expect(desk.warnings).toEqual([]);
});

const byPlan = (fields: Partial<OrderRequest> = {}) =>
  purchase(SOL / 100, { cause: { kind: 'strategy', name: 'Early birds' }, ...fields });

/** Sells all of a coin for a cause, and waits for the end of the order. */
async function sold(address: string, cause: OrderRequest['cause'], ...fates: Fate[]): Promise<void> {
  chain.tokens.set(`${desk.wallets.get(userId)?.walletAddress} ${address}`, 1_000n);
  chain.fates.push(...fates);
  await end(await desk.placing.place(userId, sale({ address, cause })));
}

async function end(placement: Placement) {
  const id = placement.type === 'placed' ? placement.order._id.toHexString() : expect.fail(JSON.stringify(placement));
  await expect.poll(async () => (await desk.store.find(id))?.open).toBe(false);
  return desk.store.find(id);
}

const STOP_LOSS = { kind: 'exit', name: 'stop loss' } as const;
const TAKE_PROFIT = { kind: 'exit', name: 'take profit' } as const;

test('five sales by stop loss refuse plans for 30 minutes, and leave buying by hand [T-26]', async () => {
  desk.startWorker();
  for (let number = 1; number <= 4; number += 1) await sold(`coin ${number}`, STOP_LOSS);
  // Neither a sale for another cause nor one that did not get through is a stop loss.
  await sold('coin 5', TAKE_PROFIT);
  await sold('coin 6', { kind: 'page', name: null });
  await sold('coin 7', STOP_LOSS, 'reverts');
  expect((await end(await desk.placing.place(userId, byPlan())))?.status).toBe('confirmed');
  // Tried twice, and counted once.
  await sold('coin 8', STOP_LOSS, 'refused', 'lands');
  const [lock] = (await desk.accounts.view(userId)).locks;
  expect(lock).toMatchObject({ kind: 'stop-loss-guard', reason: { numbers: { stopLosses: 5, minutes: 30 } } });
  const until = Date.parse(lock?.until ?? '');
  const refusal = { code: 'stop-loss-guard', numbers: { untilAt: until, stopLosses: 5, minutes: 30 } };
  expect(await desk.placing.place(userId, byPlan())).toEqual({ type: 'refused', reason: refusal });
  expect((await end(await desk.placing.place(userId, purchase(SOL / 100))))?.status).toBe('confirmed');
  desk.time.skipped += 30 * MINUTE;
  expect((await end(await desk.placing.place(userId, byPlan())))?.status).toBe('confirmed');
});

test('an order that a plan made before the fifth stop loss is refused when its money is reserved [T-26]', async () => {
  const waiting = [await desk.placing.place(userId, byPlan()), await desk.placing.place(userId, purchase(SOL / 100))];
  for (let number = 0; number < 5; number += 1) {
    const stopLossAt = desk.clock.now();
    const settlement = { spentLamports: 0, realisedLamports: -1, walletLamports: 0, position: null, stopLossAt };
    const orderId = String(number).padStart(24, '0');
    await desk.accounts.settle(userId, { orderId, mode: 'local' }, settlement);
  }
  desk.startWorker();
  const [automatic, manual] = [await end(waiting[0] ?? expect.fail()), await end(waiting[1] ?? expect.fail())];
  expect(automatic).toMatchObject({ status: 'failed', failure: { code: 'stop-loss-guard' }, attempts: [] });
  expect(manual).toMatchObject({ status: 'confirmed', failure: null });
});

test('a loss of the day refuses plans and buying by hand until midnight, unless that is switched off [T-25]', async () => {
  await desk.accountStore.set(userId, { 'books.local.realisedLamports': -SOL }, Date.now());
  const midnight = Date.parse(new Date(desk.clock.now()).toISOString().slice(0, 10)) + 24 * 60 * MINUTE;
  const refused = { type: 'refused', reason: reason('day-loss', { limitLamports: SOL, untilAt: midnight }) };
  expect(await desk.placing.place(userId, byPlan())).toEqual(refused);
  expect(await desk.placing.place(userId, purchase(SOL / 100))).toEqual(refused);
  await desk.accountStore.set(userId, { 'protections.dayLoss': false }, Date.now());
  expect(await desk.placing.place(userId, byPlan())).toMatchObject({ type: 'placed' });
});
