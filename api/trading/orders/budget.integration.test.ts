import { afterAll, expect, test } from 'vitest';
import { DAY } from '../../../common/time.ts';
import { testConnection } from '../../testing/database.ts';
import { createDesk, purchase } from '../testing/desk.ts';
import { createScriptedChain, type Fate } from '../testing/scripted-chain.ts';
import { ATTEMPTS_MS, FRESH_MS } from './worker/next-action.ts';

const SOL = 1_000_000_000;
/** Purchases at once on the first day and on the next: more than the budget pays for, of which some fail. */
const ORDERS = [200, 50];
const connection = await testConnection({ journal: true });

const chain = createScriptedChain(Date.now);
const desk = await createDesk({ connection, executor: chain.executor });

afterAll(() => desk.stopWorkers());

const spent = (userId: string) =>
  [...chain.landed.values()].reduce(
    (sum, { userId: of, isSuccess, lamports }) => sum + (of === userId && isSuccess ? Number(lamports) : 0),
    0,
  );
const allClosed = () =>
  expect.poll(() => desk.models.orders.countDocuments({ open: true }), { timeout: 60_000 }).toBe(0);

test(`${ORDERS[0]} purchases at once by three workers spend the budget of the day and no lamport more, on every day [T-10, O8]`, async () => {
  const userId = desk.newUser();
  await desk.accountStore.set(userId, { 'limits.perDayLamports': SOL, 'limits.maxOpen': 100 }, Date.now());
  for (let worker = 0; worker < 3; worker += 1) desk.startWorker();
  const fates: Fate[] = ['lands', 'reverts', 'refused', 'lands', 'lost'];
  for (const [day, length] of ORDERS.entries()) {
    chain.fates = Array.from({ length }, (_, at) => fates[at % fates.length] ?? 'lands');
    const before = spent(userId);
    const requests = Array.from({ length }, (_, at) => purchase(SOL / 20, { address: `coin ${day} ${at}` }));
    await Promise.all(requests.map((request) => desk.placing.place(userId, request)));
    await allClosed();
    const { budget } = await desk.accounts.view(userId);
    expect(budget?.reservedLamports).toBe(0);
    expect(budget?.leftLamports).toBe(SOL - (spent(userId) - before));
    expect(spent(userId) - before).toBeLessThanOrEqual(SOL);
    expect(spent(userId) - before).toBeGreaterThan(0);
    const bought =
      (await desk.models.orders.countDocuments({ status: 'confirmed' })) - (day === 0 ? 0 : before / (SOL / 20));
    expect(spent(userId) - before).toBe((bought * SOL) / 20);
    expect(budget?.openPositions).toBe(spent(userId) / (SOL / 20));
    desk.time.skipped += DAY;
  }
  expect(desk.warnings).toEqual([]);
}, 120_000);

test('an order over the turn of the day counts on the day that it ends', async () => {
  const userId = desk.newUser();
  chain.fates = Array.from({ length: 50 }, (): Fate => 'late');
  const placement = await desk.placing.place(userId, purchase(SOL / 2));
  const id = placement.type === 'placed' ? placement.order._id.toHexString() : expect.fail('refused');
  await expect.poll(() => chain.sentOf(id)).toHaveLength(1);
  const midnight = Math.ceil(desk.clock.now() / DAY) * DAY;
  desk.time.skipped += midnight - desk.clock.now() + Math.max(FRESH_MS, ATTEMPTS_MS);
  expect((await desk.accounts.view(userId)).budget?.leftLamports).toBe(2 * SOL - SOL / 2);
  chain.mine(1);
  await allClosed();
  expect((await desk.accounts.view(userId)).budget).toMatchObject({
    leftLamports: 2 * SOL - SOL / 2,
    reservedLamports: 0,
  });
});
