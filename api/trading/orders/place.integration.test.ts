import { afterEach, describe, expect, test } from 'vitest';
import { defaultPresets } from '../../../common/trading/account.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { testConnection } from '../../testing/database.ts';
import { createDesk, purchase, sale } from '../testing/desk.ts';
import { attemptRecord, orderRecord } from '../testing/order-record.ts';
import { createScriptedChain } from '../testing/scripted-chain.ts';
import { afterChanges } from './changes.ts';
import type { OrderRecord } from './model.ts';
import type { OrderRequest, Placement } from './place.ts';

const SOL = 1_000_000_000;
const connection = await testConnection({ journal: true });

const chain = createScriptedChain(Date.now);
const desk = await createDesk({ connection, executor: chain.executor });

afterEach(() => desk.stopWorkers());

const placed = (placement: Placement) =>
  placement.type === 'placed' ? placement.order : expect.fail(JSON.stringify(placement));

/** Waits until an order is closed, and returns it. */
const closed = (id: string) =>
  expect
    .poll(async () => (await desk.store.find(id))?.open)
    .toBe(false)
    .then(() => desk.store.find(id));

describe('an order', () => {
  test('is one for its key: 50 requests at once, three workers, one purchase [T-08, O1]', async () => {
    for (let worker = 0; worker < 3; worker += 1) desk.startWorker();
    const [userId, request] = [desk.newUser(), purchase(SOL / 10)];
    const all = await Promise.all(Array.from({ length: 50 }, () => desk.placing.place(userId, request)));
    const ids = new Set(all.map((placement) => placed(placement)._id.toHexString()));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    expect(await closed(id)).toMatchObject({ status: 'confirmed', lamports: SOL / 10 });
    const bought = [...chain.landed.values()].filter((attempt) => attempt.userId === userId);
    expect(bought).toHaveLength(1);
    // For ever: also when it is over, and whatever is asked for now.
    const again = placed(await desk.placing.place(userId, { ...request, lamports: SOL }));
    expect(again).toMatchObject({ status: 'confirmed', lamports: SOL / 10 });
    expect(await desk.models.orders.countDocuments({ userId: again.userId })).toBe(1);
  });

  test('with the same key of another user is another order', async () => {
    const request = purchase(SOL / 10);
    const [one, other] = [desk.newUser(), desk.newUser()];
    const [first, second] = [await desk.placing.place(one, request), await desk.placing.place(other, request)];
    expect(placed(first)._id.equals(placed(second)._id)).toBe(false);
  });

  test('reserves most that it may cost', async () => {
    const userId = desk.newUser();
    const order = placed(await desk.placing.place(userId, purchase(SOL / 10, { slippageBps: 100 })));
    expect(order).toMatchObject({ holdLamports: SOL / 10 + 5_000, slippageBps: 100, version: 1 });
  });

  test('by hand has the terms of its request, else of the chosen preset; one of a plan has those of the limits', async () => {
    const userId = desk.newUser();
    const [first, second, third] = defaultPresets.buy;
    const preset = { ...third, slippageBps: 700, priorityMaxLamports: 40_000, tipLamports: 3_000, isProtected: true };
    const presets = { buy: [first, second, preset], chosenBuy: 2 };
    const limits = { 'limits.priorityMaxLamports': 50_000, 'limits.tipLamports': 9_000 };
    await desk.accountStore.set(userId, { ...limits, presets }, Date.now());
    const made = async (fields: Partial<OrderRequest>) =>
      placed(await desk.placing.place(userId, purchase(SOL / 100, fields)));
    const { lamports: _, ...terms } = preset;
    expect(await made({})).toMatchObject(terms);
    expect(await made({ slippageBps: 90, tipLamports: 0, isProtected: false })).toMatchObject({
      ...{ slippageBps: 90, priorityMaxLamports: 40_000, tipLamports: 0, isProtected: false },
    });
    const cause = { kind: 'rule', name: 'Rule' } as const;
    expect(await made({ cause, slippageBps: 300 })).toMatchObject({
      ...{ slippageBps: 300, priorityMaxLamports: 50_000, tipLamports: 9_000, isProtected: false },
    });
    const dear = purchase(SOL / 100, { priorityMaxLamports: 50_001 });
    const refused = reason('priority-limit', { needsLamports: 50_001, limitLamports: 50_000 });
    expect(await desk.placing.place(userId, dear)).toEqual({ type: 'refused', reason: refused });
  });

  test('with a tip beyond the limit of the account is refused: a purchase and a sale', async () => {
    const userId = desk.newUser('tipper');
    chain.tokens.set('tipper coin', 1_000n);
    const refused = reason('tip-limit', { needsLamports: SOL / 10, limitLamports: 0 });
    for (const request of [purchase(SOL / 1_000, { tipLamports: SOL / 10 }), sale({ tipLamports: SOL / 10 })]) {
      expect(await desk.placing.place(userId, request)).toEqual({ type: 'refused', reason: refused });
      expect(await desk.placing.quote(userId, request)).toEqual({ quote: null, refusal: refused });
    }
  });

  test('can spend the largest purchase that its quote names, and not a lamport more', async () => {
    const userId = desk.newUser();
    await desk.accountStore.set(userId, { 'limits.priorityMaxLamports': 0 }, Date.now());
    const quote = async (lamports: number) => (await desk.placing.quote(userId, purchase(lamports)))?.quote;
    const known = await quote(SOL / 10);
    expect(known).toMatchObject({ walletLamports: 100 * SOL, mostLamports: SOL - 5_000 });
    const most = known?.mostLamports ?? 0;
    expect(await desk.placing.place(userId, purchase(most + 1))).toMatchObject({ reason: { code: 'per-trade' } });
    placed(await desk.placing.place(userId, purchase(most)));
  });

  test('sells a share of the balance, and knows when that is all', async () => {
    const userId = desk.newUser('seller');
    chain.tokens.set('seller coin', 1_001n);
    const half = placed(await desk.placing.place(userId, sale({ sharePercent: 50 })));
    expect(half).toMatchObject({ tokens: '500', isWholePosition: false, lamports: null, holdLamports: 0 });
    const all = placed(await desk.placing.place(userId, sale()));
    expect(all).toMatchObject({ tokens: '1001', isWholePosition: true });
    const more = placed(await desk.placing.place(userId, sale({ tokens: 5_000n })));
    expect(more).toMatchObject({ tokens: '1001', isWholePosition: true });
    chain.tokens.set('seller coin', 1n);
    expect(await desk.placing.place(userId, sale({ sharePercent: 50 }))).toEqual({
      type: 'refused',
      reason: reason('too-small'),
    });
    chain.tokens.delete('seller coin');
    expect(await desk.placing.place(userId, sale())).toEqual({ type: 'refused', reason: reason('no-tokens') });
  });

  test('brings at least what its user was shown, or is refused', async () => {
    const userId = desk.newUser('shown');
    chain.tokens.set('shown coin', 1_000n);
    const moved = { type: 'refused', reason: reason('slippage', { slippageBps: 500 }) };
    const buy = (least: bigint) => desk.placing.place(userId, purchase(SOL / 10, { least }));
    const sell = (least: bigint) => desk.placing.place(userId, sale({ sharePercent: 50, least }));
    expect(await buy(100_000_001n)).toEqual(moved);
    expect(await sell(501n)).toEqual(moved);
    expect(await desk.store.list(userId, {})).toEqual([]);
    desk.startWorker();
    // The larger of the shown bound and the one of the present quote, which is 5 % below it.
    const leastOfAttempt = async (placement: Placement) =>
      (await closed(placed(placement)._id.toHexString()))?.attempts.map(({ least }) => least);
    expect(await leastOfAttempt(await buy(99_000_000n))).toEqual(['99000000']);
    expect(await leastOfAttempt(await buy(1n))).toEqual(['95000000']);
    chain.tokens.set('shown coin', 1_000n);
    expect(await leastOfAttempt(await sell(499n))).toEqual(['499']);
  });

  test('of a position in another wallet is refused', async () => {
    const userId = desk.newUser();
    expect(await desk.placing.place(userId, sale({ wallet: 'the one before' }))).toEqual({
      type: 'refused',
      reason: reason('wallet-changed'),
    });
  });

  test('that was shown in another mode is refused, unless it was made before [T-01, T-08]', async () => {
    const userId = desk.newUser();
    const shown = purchase(SOL / 10, { shownMode: 'local' });
    const made = placed(await desk.placing.place(userId, shown));
    expect(made.mode).toBe('local');
    await desk.accountStore.set(userId, { mode: 'paper' }, Date.now());
    expect(await desk.placing.place(userId, purchase(SOL / 10, { shownMode: 'local' }))).toEqual({
      type: 'refused',
      reason: reason('mode-changed'),
    });
    expect(placed(await desk.placing.place(userId, shown))._id).toEqual(made._id);
    expect(await desk.store.list(userId, {})).toHaveLength(1);
    expect(placed(await desk.placing.place(userId, purchase(SOL / 10, { shownMode: 'paper' }))).mode).toBe('paper');
  });

  test('is refused without a trace', async () => {
    const userId = desk.newUser();
    const refusal = (request = purchase(SOL / 10)) => desk.placing.place(userId, request);
    expect(await refusal(purchase(1, { address: 'nowhere' }))).toEqual({ type: 'unknown-token' });
    // The default limit is 1 SOL, which the costs exceed.
    expect(await refusal(purchase(SOL))).toMatchObject({ type: 'refused', reason: { code: 'per-trade' } });
    chain.isAway = true;
    expect(await refusal()).toEqual({ type: 'refused', reason: reason('node-away') });
    chain.isAway = false;
    await desk.accounts.stop(userId, 'user');
    expect(await refusal()).toEqual({ type: 'refused', reason: reason('stopped') });
    await desk.accounts.resume(userId);
    await desk.accounts.stopAll.stop({ at: new Date(), by: 'admin' });
    expect(await refusal()).toEqual({ type: 'refused', reason: reason('stopped-all') });
    await desk.accounts.stopAll.resume();
    expect(await desk.store.list(userId, {})).toEqual([]);
  });

  test('needs the warnings of its coin accepted, unless nothing asks for them', async () => {
    const risky = await createDesk({ connection, executor: chain.executor, coin: { riskScore: 90 } });
    const userId = risky.newUser();
    const request = purchase(SOL / 10, { accept: [] });
    const unconfirmed = { type: 'unconfirmed', warnings: ['high-risk'] };
    expect(await risky.placing.place(userId, request)).toEqual(unconfirmed);
    expect(await risky.placing.place(userId, { ...request, accept: ['low-liquidity'] })).toEqual(unconfirmed);
    expect((await risky.placing.place(userId, { ...request, accept: ['high-risk'] })).type).toBe('placed');
    expect((await risky.placing.place(userId, purchase(SOL / 10))).type).toBe('placed');
  });

  test('is not made while three orders have no verdict, unless that is switched off [T-11, T-25, O10]', async () => {
    const userId = desk.newUser();
    for (let count = 0; count < 3; count += 1) {
      const order = placed(await desk.placing.place(userId, purchase(SOL / 100)));
      await desk.models.orders.updateOne({ _id: order._id }, { $set: { status: 'unknown' } });
    }
    const quote = await desk.placing.quote(userId, purchase(SOL / 100));
    expect(quote).toMatchObject({ refusal: reason('unknown-orders', { count: 3 }), quote: { lamports: SOL / 100 } });
    expect(await desk.placing.place(userId, purchase(SOL / 100))).toMatchObject({ type: 'refused' });
    await desk.accountStore.set(userId, { 'protections.unknownOrders': false }, Date.now());
    expect(await desk.placing.place(userId, purchase(SOL / 100))).toMatchObject({ type: 'placed' });
    // On paper there is no chain to wait for.
    await desk.models.orders.updateMany({ status: 'unknown' }, { $set: { mode: 'paper' } });
    expect(await desk.models.orders.countDocuments({ userId, status: 'unknown', mode: 'paper' })).toBe(3);
    expect(await desk.store.countUnknown(userId, 'paper')).toBe(0);
    await desk.models.orders.deleteMany({ status: 'unknown' });
  });
});

describe('cancelling', () => {
  test('ends an order before its first attempt, releases its money, and can be repeated', async () => {
    const userId = desk.newUser();
    const order = placed(await desk.placing.place(userId, purchase(SOL / 10)));
    const id = order._id.toHexString();
    const cancelled = await desk.orders.cancel(order);
    expect(cancelled).toMatchObject({ status: 'cancelled', failure: reason('cancelled') });
    desk.startWorker();
    await closed(id);
    expect(await desk.orders.cancel(order)).toMatchObject({ status: 'cancelled' });
    expect((await desk.accounts.view(userId)).budget).toMatchObject({ reservedLamports: 0, leftLamports: 2 * SOL });
    expect([...chain.landed.values()].some((attempt) => attempt.userId === userId)).toBe(false);
  });

  test('is refused once something was sent', async () => {
    desk.startWorker();
    const order = placed(await desk.placing.place(desk.newUser(), purchase(SOL / 10)));
    await closed(order._id.toHexString());
    await expect(desk.orders.cancel(order)).rejects.toMatchObject({ code: 'already-sent' });
  });
});

const sent: Partial<OrderRecord> = { status: 'sent', attempts: [attemptRecord()] };

test.each<[string, Partial<OrderRecord>]>([
  ['created', {}],
  ['held', { status: 'held' }],
  ['sent', sent],
  ['unknown', { ...sent, status: 'unknown' }],
])('a stop changes a purchase that is %s as the machine does, whatever it was read at [O6]', async (status, fields) => {
  const order = orderRecord({
    ...fields,
    version: 7,
    key: status,
    attempts: (fields.attempts ?? []).map((one) => ({ ...one, signature: status })),
  });
  await desk.store.insert(order);
  desk.time.stop();
  const failure = reason('stopped');
  const stopped = await desk.orders.stop(order._id.toHexString(), failure);
  expect(stopped).toEqual(afterChanges(order, [{ type: 'stopped', failure }], desk.clock.now()));
  expect(await desk.store.find(order._id.toHexString())).toEqual(stopped);
  // A change of the order as it was read before is refused.
  expect(await desk.store.swap(order, order)).toBe(false);
  await desk.models.orders.deleteOne({ _id: order._id });
});
