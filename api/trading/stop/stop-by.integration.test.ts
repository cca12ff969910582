import { afterEach, beforeEach, expect, test } from 'vitest';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import { createDesk, type Desk, purchase } from '../testing/desk.ts';
import { createScriptedChain, type ScriptedChain } from '../testing/scripted-chain.ts';
import { actor, endStopDesk, openStopDesk } from './testing/stop-desk.ts';

const SOL = 1_000_000_000;
const connection = await testConnection({ journal: true });
let chain: ScriptedChain;
let desk: Desk;

beforeEach(async () => {
  ({ chain, desk } = await openStopDesk(connection));
});
afterEach(() => endStopDesk(desk));

const bought = async (userId: string) => (await desk.place(userId, purchase(SOL / 10)))._id.toHexString();

test('a stop asked for by the bot leaves real positions alone until the bot may trade with real money [T-21]', async () => {
  const live = createScriptedChain(Date.now, 'live');
  const desk = await createDesk({ connection, server: 'live', executor: live.executor });
  const userId = desk.newUser();
  await desk.accountStore.set(userId, { mode: 'live', live: { at: new Date(), cluster: 'local' } }, Date.now());
  desk.startWorker();
  const { store } = desk;
  const { _id } = await desk.place(userId, purchase(SOL / 10));
  await expect.poll(async () => (await store.find(_id.toHexString()))?.open).toBe(false);
  const byBot = () => desk.stop.stop(userId, { sell: true, by: 'telegram' }, actor);
  expect((await byBot()).positions).toEqual([]);
  await desk.accountStore.set(userId, { 'bot.live': true }, Date.now());
  expect((await byBot()).positions).toHaveLength(1);
  await desk.stopWorkers();
});

test('a stop ends when the user resumes, but not while an administrator has stopped all', async () => {
  const userId = desk.newUser();
  await desk.stop.stop(userId, { sell: false, by: 'user' }, actor);
  await desk.stop.stopAll(actor);
  await expect(desk.stop.resume(userId, actor)).rejects.toMatchObject({ code: 'trading-stopped' });
  await desk.stop.resumeAll(actor);
  expect((await desk.accounts.view(userId)).stopped).not.toBeNull();
  expect((await desk.stop.resume(userId, actor)).stopped).toBeNull();
  desk.startWorker();
  const id = await bought(userId);
  await expect.poll(async () => (await desk.store.find(id))?.open).toBe(false);
  // A later process finds the state as it was left.
  await desk.stop.stop(userId, { sell: false, by: 'user' }, actor);
  const later = await createDesk({ connection, executor: chain.executor });
  expect((await later.accounts.view(userId)).stopped).toMatchObject({ by: 'user' });
});

test('a stop for all cancels the purchases of every user, with its own reason [T-23]', async () => {
  const ids = [await bought(desk.newUser()), await bought(desk.newUser())];
  await desk.stop.stopAll(actor);
  for (const id of ids) {
    expect(await desk.store.find(id)).toMatchObject({ status: 'cancelled', failure: reason('stopped-all') });
  }
  await desk.stop.resumeAll(actor);
});
