import { expect, test } from 'vitest';
import { strategyCalls } from '../../common/strategies/http.ts';
import { defaultStrategy, STRATEGIES_MAX, type Strategy } from '../../common/strategies/model.ts';
import { testServer } from '../test-server.ts';
import { type Person, person, tabOf } from '../testing/people.ts';

const PATH = strategyCalls.list.path;
const form = { ...defaultStrategy, name: 'First' };

const server = await testServer();
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');
const admin = await person(server, 'Root', { isAdmin: true });

const post = (who: Person, json: object) => who.call(PATH, { method: 'POST', json });
const change = (who: Person, id: string, json: unknown) => who.call(`${PATH}/${id}`, { method: 'PATCH', json });
const remove = (who: Person, id: string) => who.call(`${PATH}/${id}`, { method: 'DELETE' });

async function create(owner: Person, fields: object = {}): Promise<Strategy> {
  const { status, body } = await post(owner, { ...form, userId: owner.id, ...fields });
  expect(status).toBe(200);
  return strategyCalls.create.output.parse(body);
}

async function listOf(who: Person, query = ''): Promise<Strategy[]> {
  return strategyCalls.list.output.parse((await who.call(PATH + query)).body);
}

test('lists the strategies of the user, by id or without one, newest first [S7.2-04, S6-05]', async () => {
  const carol = await person(server, 'Carol');
  expect(await listOf(carol)).toEqual([]);
  const older = await create(carol);
  const newer = await create(carol, { name: 'Second' });
  await create(bob);
  expect(await listOf(carol)).toEqual([newer, older]);
  expect(await listOf(carol, `?userId=${carol.id}`)).toEqual([newer, older]);
  expect(await listOf(admin, `?userId=${carol.id}`)).toEqual([newer, older]);
  expect((await server.fetchJson(PATH)).status).toBe(401);
});

test("only an administrator reads another user's strategies, and only the user creates them [S6-04, S6-05]", async () => {
  const dave = await person(server, 'Dave');
  const forbidden = { status: 403, body: { code: 'forbidden' } };
  expect(await bob.call(`${PATH}?userId=${dave.id}`)).toMatchObject(forbidden);
  for (const other of [bob, admin]) {
    expect(await post(other, { ...form, userId: dave.id })).toMatchObject(forbidden);
    expect(await post(other, { ...form, userId: 'f'.repeat(24) })).toMatchObject(forbidden);
  }
  expect(await listOf(dave)).toEqual([]);
  expect(await listOf(admin, `?userId=${dave.id}`)).toEqual([]);
  const { body } = await dave.call(`/api/users/${dave.id}/audit`);
  const look = expect.objectContaining({ action: 'user-looked-up', actor: 'Root', object: 'strategies' });
  expect(body).toMatchObject({ entries: expect.arrayContaining([look]) });
});

test('a strategy without a user id is rejected [S6-05]', async () => {
  expect(await post(alice, form)).toMatchObject({ status: 400, body: { details: { userId: [expect.any(String)] } } });
});

const configuration = {
  timeConfig: {
    option: 'buy_within_timeframe',
    duration: 60,
    targetTime: '2026-09-01T12:00:00Z',
    startTime: '2026-09-01T14:00:00+02:00',
    endTime: '2026-09-02T12:00:00.000Z',
  },
  priceConfig: {
    option: 'buy_at_uptrend',
    targetPrice: 0.000_000_028,
    percentageFromLow: 5,
    trendPercentage: 12.5,
    trendDuration: 300,
  },
  liquidityConfig: {
    option: 'buy_at_liquidity_increase',
    targetLiquidity: 10,
    percentageChange: 20,
    monitorDuration: 60,
  },
  holderConfig: {
    option: 'buy_at_minimum_holders',
    minHolders: 40,
    increaseRatePercentage: 5,
    monitorDuration: 90,
  },
  requireAllConditions: true,
};

test('all fields are stored as sent [S7.2-05, S3-27, S3-28, S3-29, S3-30, S3-31, S3-32, S3-33]', async () => {
  const fields = {
    name: 'Everything',
    description: 'All of it',
    type: 'mixed',
    isActive: false,
    buyAmount: 0.001,
    maxSlippage: 50,
    stopLoss: 10.5,
    takeProfit: 200,
    minLiquidity: 1.5,
    maxScamProbability: 42,
    buyUnknownRisk: true,
    buyWithinSeconds: 3_600,
    configuration,
  };
  const made = await create(alice, fields);
  expect(made).toEqual({
    ...fields,
    id: made.id,
    userId: alice.id,
    createdAt: made.createdAt,
    updatedAt: made.createdAt,
  });
  expect((await listOf(alice))[0]).toEqual(made);
  const stored = await server.connection.collection('strategies').findOne({ name: 'Everything' });
  expect(stored).toMatchObject({ buyLamports: 1_000_000, minLiquidityLamports: 1_500_000_000, configuration });
});

test('omitted fields are empty or null, and the configuration may be omitted [S7.2-06, S5-20]', async () => {
  const json = { userId: alice.id, name: 'Bare', type: 'time_based', buyAmount: 1, maxSlippage: 1, configuration: {} };
  expect((await post(alice, json)).body).toMatchObject({
    description: '',
    isActive: true,
    stopLoss: null,
    takeProfit: null,
    minLiquidity: null,
    maxScamProbability: null,
    buyWithinSeconds: null,
    configuration: {},
  });
  expect((await listOf(alice))[0]?.configuration).toEqual({});
});

test('the server rejects fields that do not fit the type, and names them [S3-33]', async () => {
  const { timeConfig } = configuration;
  const json = {
    ...form,
    userId: alice.id,
    type: 'price_based',
    configuration: { timeConfig, requireAllConditions: true },
  };
  const message = 'does not belong to a strategy of the type Price based';
  expect(await post(alice, json)).toMatchObject({
    status: 400,
    body: {
      code: 'invalid-input',
      details: { 'configuration.timeConfig': [message], 'configuration.requireAllConditions': [message] },
    },
  });
});

test('a user switches own strategies off and on [S4-13, S7.2-07]', async () => {
  const { id } = await create(alice);
  expect(await change(alice, id, { isActive: false })).toMatchObject({ status: 200, body: { id, isActive: false } });
  expect(await change(alice, id, { isActive: true })).toMatchObject({ status: 200, body: { id, isActive: true } });
  expect(await change(bob, id, { isActive: false })).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect((await listOf(alice)).find((strategy) => strategy.id === id)?.isActive).toBe(true);
  expect(await change(admin, id, { isActive: false })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await change(alice, 'f'.repeat(24), { isActive: false })).toMatchObject({ status: 404 });
  expect(await change(alice, id, { name: 'Other' })).toMatchObject({ status: 400 });
  expect(await change(alice, 'nonsense', { isActive: false })).toMatchObject({ status: 400 });
});

test('a user deletes own strategies [S7.2-08]', async () => {
  const { id } = await create(alice);
  expect(await remove(bob, id)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(await remove(admin, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await remove(alice, id)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await remove(alice, id)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect((await listOf(alice)).some((strategy) => strategy.id === id)).toBe(false);
});

test('a user has 100 strategies at most, however many are created at once', async () => {
  const erin = await person(server, 'Erin');
  const json = { ...form, userId: erin.id };
  for (let number = 0; number < STRATEGIES_MAX - 5; number += 1) await create(erin);
  const replies = await Promise.all(Array.from({ length: 15 }, () => post(erin, json)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(10);
  expect(await listOf(erin)).toHaveLength(STRATEGIES_MAX);
});

test("each change of the strategies reaches the user's other tabs, and no other user", async () => {
  const frank = await person(server, 'Frank');
  const [one, other, foreign] = [await tabOf(server, frank), await tabOf(server, frank), await tabOf(server, bob)];
  const strategy = await create(frank);
  const { body } = await change(frank, strategy.id, { isActive: false });
  await remove(frank, strategy.id);
  await Promise.all([one.settled(), other.settled(), foreign.settled()]);
  expect(one.received).toEqual([
    { subject: 'strategies', op: 'saved', item: strategy },
    { subject: 'strategies', op: 'saved', item: body },
    { subject: 'strategies', op: 'deleted', item: { id: strategy.id } },
  ]);
  expect(other.received).toEqual(one.received);
  expect(foreign.received).toEqual([]);
});
