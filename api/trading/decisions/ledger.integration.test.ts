import { Types } from 'mongoose';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { type Decision, decisionSchema } from '../../../common/decisions/model.ts';
import { DAY, HOUR } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { createEventBus, type EventBus } from '../../events/bus.ts';
import { testConnection } from '../../testing/database.ts';
import { explainer } from '../../testing/explain.ts';
import { presentOrder } from '../orders/present.ts';
import { filledOrder } from '../positions/testing/orders.ts';
import { createDecisionLedger, type DecisionLedger } from './ledger.ts';
import { decisionCountModel, decisionModel } from './model.ts';
import { presentDecision } from './present.ts';
import { openDecisionStore } from './store.ts';
import { AT, decided, PLAN, tokenAddress, USER } from './testing/decided.ts';

const log = pino({ level: 'silent' });
const connection = await testConnection({ monitorCommands: true });
let bus: EventBus;
let ledger: DecisionLedger;
let isAway: boolean;
let isResponseLost: boolean;
let made: Decision[];

const store = await openDecisionStore(connection);

beforeEach(async () => {
  for (const { collection } of Object.values(connection.models)) await collection.deleteMany({});
  bus = createEventBus((error) => expect.unreachable(String(error)));
  isAway = false;
  isResponseLost = false;
  made = [];
  bus.on('decision-made', ({ userId, decision }) => void (userId === USER && made.push(decision)));
  ledger = createDecisionLedger({
    store: {
      ofPairs: store.ofPairs,
      async write(...args) {
        if (isAway) throw new Error('away');
        await store.write(...args);
        if (isResponseLost) throw new Error('connection lost');
      },
    },
    isListening: (userId) => userId === USER,
    bus,
    log,
  });
  ledger.start();
  return () => ledger.stop();
});

async function listed(query = {}): Promise<Decision[]> {
  return decisionSchema.array().parse((await store.list(USER, query)).map(presentDecision));
}

test('an answer is stored once for its plan and token, with its reason, figures and the name of the plan [T-34]', async () => {
  ledger.note(decided());
  await ledger.flush();
  const later = reason('low-liquidity', { liquidityLamports: 1_000, limitLamports: 2_000 });
  ledger.note(decided({ at: AT + 60_000, reason: later, before: 'high-risk', isFirst: false, isResumed: true }));
  await ledger.flush();
  // Other figures of the same reason are no further answer, and make no entry of a token without one.
  const last = reason('low-liquidity', { liquidityLamports: 1_900, limitLamports: 2_000 });
  const repeat = { at: AT + 90_000, reason: last, before: 'low-liquidity' as const, isFirst: false };
  ledger.note(decided(repeat));
  ledger.note(decided({ ...repeat, address: tokenAddress(4) }));
  await ledger.flush();
  const [only, ...others] = await listed();
  expect(others).toEqual([]);
  expect(only).toEqual({
    id: only?.id,
    plan: { id: PLAN, kind: 'rule', name: 'Cheap' },
    address: tokenAddress(1),
    symbol: 'SYM',
    outcome: 'not-bought',
    reason: last,
    waits: null,
    firstAt: new Date(AT).toISOString(),
    lastAt: new Date(AT + 90_000).toISOString(),
    count: 2,
    orderId: null,
    isResumed: true,
  });
  const stored = await decisionModel(connection).findOne().lean();
  expect(stored?.expiresAt).toEqual(new Date(AT + 90_000 + 7 * DAY));
});

test('the order of a plan is its answer: on its way, then bought, or tried with the reason of its end [T-34]', async () => {
  const userId = new Types.ObjectId(USER);
  const cause = { kind: 'rule' as const, name: 'Cheap' };
  const bought = filledOrder(userId, 'buy', 1, { key: `buy:${PLAN}:x`, cause, status: 'sent', fill: null });
  ledger.note(decided({ address: bought.token.address, reason: null }));
  bus.emit('order-changed', { userId: USER, key: bought.key, order: presentOrder(bought) });
  await ledger.flush();
  expect(await listed()).toMatchObject([{ outcome: 'ordered', reason: null, orderId: bought._id.toHexString() }]);
  const end = { ...bought, status: 'confirmed' as const };
  bus.emit('order-changed', { userId: USER, key: bought.key, order: presentOrder(end) });
  await ledger.flush();
  expect(await listed()).toMatchObject([{ outcome: 'bought', reason: null, count: 1 }]);
  expect(await store.last(USER)).toMatchObject([{ outcome: 'bought', _id: new Types.ObjectId(PLAN) }]);
  const failure = reason('tries-used', { tries: 3, feesLamports: 315_000 });
  const failed = { ...bought, status: 'failed' as const, failure };
  bus.emit('order-changed', { userId: USER, key: bought.key, order: presentOrder(failed) });
  // Orders by hand are no answers.
  bus.emit('order-changed', {
    userId: USER,
    key: 'page:1',
    order: presentOrder({
      ...failed,
      token: { ...failed.token, address: tokenAddress(9) },
      cause: { kind: 'page', name: null },
    }),
  });
  await ledger.flush();
  expect(await listed()).toMatchObject([{ outcome: 'tried', reason: failure }]);
});

test('while the database is away nothing is lost within the limits, and counts go on', async () => {
  isAway = true;
  ledger.note(decided());
  await ledger.flush();
  ledger.note(decided({ address: tokenAddress(2), at: AT + 1 }));
  await ledger.flush();
  expect(await listed()).toEqual([]);
  isAway = false;
  await ledger.flush();
  expect(await listed()).toHaveLength(2);
  const counts = await store.counts(USER, PLAN, new Date(AT - DAY));
  expect(counts).toMatchObject([
    { hour: new Date(AT - (AT % HOUR)), considered: 2, dropped: 0, lost: { 'high-risk': 2 } },
  ]);
  // Counts of other users' plans and of earlier hours are left out.
  expect(await store.counts('e'.repeat(24), PLAN, new Date(AT - DAY))).toEqual([]);
  expect(await store.counts(USER, PLAN, new Date(AT + HOUR))).toEqual([]);
});

test('a batch that was stored in part or whose response was lost is counted once, and newer answers stay on top [T-34]', async () => {
  ledger.note(decided());
  await ledger.flush();
  isResponseLost = true;
  ledger.note(decided({ at: AT + 1, reason: reason('unknown-liquidity'), before: 'high-risk', isFirst: false }));
  await ledger.flush();
  // Of the batch only the counts are missing now.
  await decisionCountModel(connection).collection.deleteMany({});
  const newer = reason('unknown-risk');
  ledger.note(decided({ at: AT + 2, reason: newer, before: 'unknown-liquidity', isFirst: false }));
  ledger.note(decided({ address: tokenAddress(2), at: AT + 2 }));
  await ledger.flush();
  isResponseLost = false;
  await ledger.flush();
  const entries = await listed();
  expect(entries.map(({ address, count }) => [address, count])).toEqual([
    [tokenAddress(2), 1],
    [tokenAddress(1), 3],
  ]);
  expect(entries[1]?.reason).toEqual(newer);
  const counts = await store.counts(USER, PLAN, new Date(AT - DAY));
  const lost = { 'high-risk': 0, 'unknown-liquidity': 0, 'unknown-risk': 1 };
  expect(counts).toMatchObject([{ considered: 1, dropped: 0, lost }]);
});

test('a listening user receives the newest answers of a write, at most five', async () => {
  for (let number = 1; number <= 12; number += 1) ledger.note(decided({ address: `T${number}`, at: AT + number }));
  ledger.note(decided({ userId: 'e'.repeat(24), address: 'T0', at: AT + 99 }));
  await ledger.flush();
  expect(made.map(({ address }) => address)).toEqual(['T8', 'T9', 'T10', 'T11', 'T12']);
});

test('pages of answers follow one another, newest first, also of one plan and of one token', async () => {
  for (let number = 1; number <= 5; number += 1) {
    ledger.note(decided({ address: tokenAddress(number), at: AT + number }));
    await ledger.flush();
  }
  const first = await listed({ plan: PLAN, limit: 2 });
  expect(first.map(({ address }) => address)).toEqual([tokenAddress(5), tokenAddress(4)]);
  const rest = await listed({ plan: PLAN, before: first[1]?.id });
  expect(rest.map(({ address }) => address)).toEqual([tokenAddress(3), tokenAddress(2), tokenAddress(1)]);
  expect(await listed({ address: tokenAddress(2) })).toMatchObject([{ address: tokenAddress(2) }]);
  expect(await listed({ plan: 'd'.repeat(24) })).toEqual([]);
});

test('every query of the answers uses an index', async () => {
  for (let number = 1; number <= 300; number += 1) ledger.note(decided({ address: `T${number}`, at: AT + number }));
  await ledger.flush();
  const before = new Types.ObjectId().toHexString();
  const explained = explainer(connection);
  const queries = [
    () => store.list(USER, { before }),
    () => store.list(USER, { plan: PLAN, before }),
    () => store.list(USER, { address: 'T1', before }),
    () => store.ofPairs([{ planId: PLAN, address: 'T1' }]),
    () => store.counts(USER, PLAN, new Date(AT)),
    () => store.last(USER),
  ];
  for (const [at, run] of queries.entries()) {
    const plans = await explained.plans(run);
    expect(plans.length).toBeGreaterThan(0);
    for (const stages of plans) {
      expect(
        stages.some((stage) => ['IXSCAN', 'IDHACK', 'EXPRESS_IXSCAN', 'EXPRESS_CLUSTERED_IXSCAN'].includes(stage)),
        `query ${at}: ${stages.join()}`,
      ).toBe(true);
      expect(stages).not.toContain('COLLSCAN');
      expect(stages).not.toContain('SORT');
    }
  }
});
