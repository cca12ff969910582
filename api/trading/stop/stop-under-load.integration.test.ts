import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import { testConnection } from '../../testing/database.ts';
import { createDesk, type Desk, purchase } from '../testing/desk.ts';
import { createScriptedChain, type Fate, type ScriptedChain } from '../testing/scripted-chain.ts';
import { actor } from './testing/stop-desk.ts';

const SOL = 1_000_000_000;
/** One of four comes before a purchase is signed, one after a purchase landed, the others at a random moment. */
const ROUNDS = rounds(20);
/** Time over which the random moments are spread, ms. */
const SPREAD_MS = 120;
const ORDERS = 10;
const connection = await testConnection({ journal: true });
let chain: ScriptedChain;
let desk: Desk;
/** While set, no key opens. */
let isKeyHeld = false;
let isKeyAsked = false;

beforeAll(async () => {
  chain = createScriptedChain(Date.now);
  chain.openKey = async () => {
    isKeyAsked = true;
    while (isKeyHeld) await pause(1);
  };
  const { executor } = chain;
  desk = await createDesk({
    connection,
    executor: {
      ...executor,
      // A node takes its time, in which a stop may be acknowledged.
      async quote(ask) {
        await pause(Math.random() * 20);
        return executor.quote(ask);
      },
    },
  });
  for (let worker = 0; worker < 3; worker += 1) desk.startWorker();
});
afterAll(async () => {
  await desk.stopWorkers();
});

const landedOf = (userId: string) => [...chain.landed.values()].filter((one) => one.userId === userId && one.isSuccess);
const ordersOf = (userId: string) => desk.store.list(userId, { limit: 100 });
const attemptsOf = async (userId: string) =>
  (await ordersOf(userId)).reduce((sum, { attempts }) => sum + attempts.length, 0);

/** Stops the user by page, bot or administrator. Resolves once the stop was acknowledged. */
async function stop(userId: string, round: number): Promise<void> {
  if (round % 5 === 4) return desk.stop.stopAll(actor);
  await desk.stop.stop(userId, { sell: false, by: round % 2 === 0 ? 'user' : 'telegram' }, actor);
}

/** Waits for the moment of a stop. */
async function momentOf(round: number, userId: string): Promise<void> {
  if (round % 4 === 0) await expect.poll(() => isKeyAsked).toBe(true);
  else if (round % 4 === 1) await expect.poll(() => landedOf(userId).length).toBeGreaterThan(0);
  else await pause(Math.random() * SPREAD_MS);
}

test(`no key is used for a purchase after a stop was acknowledged: ${ROUNDS} stops at random moments under load [T-18, O6]`, async () => {
  const statuses = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const userId = desk.newUser();
    // Some refusals, so that further attempts are due.
    chain.fates = Array.from({ length: 8 }, (_, at): Fate => (at % 3 === 0 ? 'refused' : 'lands'));
    isKeyAsked = false;
    isKeyHeld = round % 4 === 0;
    const load = Array.from({ length: ORDERS }, async (_, at) => {
      await pause(at * 4);
      await desk.placing.place(userId, purchase(SOL / 100, { address: `coin ${at}` }));
    });
    await momentOf(round, userId);
    await stop(userId, round);
    const signed = chain.signed.length;
    const attempts = await attemptsOf(userId);
    isKeyHeld = false;
    await Promise.all(load);
    // The stop may come between a refused send and its record: such an attempt ends when its blockhash has expired.
    await expect
      .poll(async () => {
        chain.mine(10);
        return (await desk.store.list(userId, { state: 'open' })).length;
      })
      .toBe(0);
    expect(await attemptsOf(userId)).toBe(attempts);
    expect(chain.signed.slice(signed), 'signed after the stop').toEqual([]);
    const orders = await ordersOf(userId);
    for (const { status } of orders) statuses.add(status);
    expect((await desk.accounts.view(userId)).budget?.reservedLamports).toBe(0);
    expect(landedOf(userId)).toHaveLength(orders.filter(({ status }) => status === 'confirmed').length);
    await desk.stop.resumeAll(actor);
  }
  expect([...statuses]).toEqual(expect.arrayContaining(['cancelled', 'confirmed']));
  expect(desk.warnings).toEqual([]);
}, 600_000);
