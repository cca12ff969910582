import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ruleCalls } from '../../common/rules/http.ts';
import { defaultRule, RULES_MAX, type Rule, type RuleInput } from '../../common/rules/model.ts';
import { rounds } from '../../common/testing/effort.ts';
import { testServer } from '../test-server.ts';
import { type Person, person, tabOf } from '../testing/people.ts';

const PATH = ruleCalls.list.path;
const input: RuleInput = { ...defaultRule, name: 'First' };

const server = await testServer();
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');
const admin = await person(server, 'Root', { isAdmin: true });

async function create(owner: Person, rule: Partial<RuleInput> = {}): Promise<Rule> {
  const { status, body } = await owner.call(PATH, { method: 'POST', json: { ...input, ...rule } });
  expect(status).toBe(200);
  return ruleCalls.create.output.parse(body);
}

const listOf = async (owner: Person) => ruleCalls.list.output.parse((await owner.call(PATH)).body);
const change = (who: Person, id: string, json: unknown) => who.call(`${PATH}/${id}`, { method: 'PATCH', json });
const remove = (who: Person, id: string) => who.call(`${PATH}/${id}`, { method: 'DELETE' });

test("lists the signed-in user's own rules, newest first [S7.2-11]", async () => {
  const carol = await person(server, 'Carol');
  expect(await listOf(carol)).toEqual([]);
  const older = await create(carol);
  const newer = await create(carol, { name: 'Second' });
  await create(bob);
  expect(await listOf(carol)).toEqual([newer, older]);
  expect((await server.fetchJson(PATH)).status).toBe(401);
});

test('a rule keeps its name, amounts in SOL, limits in percent and its flag [S3-26]', async () => {
  const rule = {
    name: 'Odd',
    buyAmount: 0.123_456_789,
    minLiquidity: 9.9,
    maxRisk: 35,
    maxSlippage: 0.5,
    isActive: false,
    buyUnknownRisk: true,
    buyWithinSeconds: 90,
  };
  const made = await create(alice, rule);
  expect(made).toMatchObject(rule);
  expect(made.updatedAt).toBe(made.createdAt);
  const stored = await server.connection.collection('rules').findOne({ name: 'Odd' });
  expect(stored).toMatchObject({ buyLamports: 123_456_789, minLiquidityLamports: 9_900_000_000 });
  // A client may leave these fields out.
  const { buyUnknownRisk: _unsent, buyWithinSeconds: _neither, ...others } = input;
  const unlimited = { buyUnknownRisk: false, buyWithinSeconds: null };
  expect((await alice.call(PATH, { method: 'POST', json: others })).body).toMatchObject(unlimited);
});

test('amounts sent in SOL come back unchanged [S3-26]', async () => {
  const dave = await person(server, 'Dave');
  const { id } = await create(dave);
  const lamports = fc.record({
    buy: fc.integer({ min: 1e7, max: 1e15 }),
    liquidity: fc.integer({ min: 0, max: 1e10 }),
  });
  await fc.assert(
    fc.asyncProperty(lamports, async ({ buy, liquidity }) => {
      const sent = { buyAmount: buy / 1e9, minLiquidity: liquidity / 1e9 };
      expect((await change(dave, id, sent)).body).toMatchObject(sent);
    }),
    { numRuns: rounds(50), seed: 1 },
  );
});

test.each<[string, object, string]>([
  ['no name', { name: ' ' }, 'name'],
  ['too little to buy', { buyAmount: 0.009 }, 'buyAmount'],
  ['too much liquidity', { minLiquidity: 10.1 }, 'minLiquidity'],
  ['too much risk', { maxRisk: 101 }, 'maxRisk'],
  ['too little slippage', { maxSlippage: 0.4 }, 'maxSlippage'],
  ['a field nobody knows', { userId: 'x' }, 'userId'],
])('a rule with %s is rejected, and the field is named', async (_what, wrong, field) => {
  const json = { ...input, ...wrong };
  const refusal = { status: 400, body: { code: 'invalid-input', details: { [field]: [expect.any(String)] } } };
  expect(await alice.call(PATH, { method: 'POST', json })).toMatchObject(refusal);
  const { id } = await create(alice);
  expect(await change(alice, id, wrong)).toMatchObject(refusal);
});

test('omitted fields of a change stay as they are', async () => {
  const rule = await create(alice);
  const { body } = await change(alice, rule.id, { maxRisk: 55 });
  const { updatedAt, ...changed } = ruleCalls.update.output.parse(body);
  expect(changed).toEqual({ ...withoutUpdate(rule), maxRisk: 55 });
  expect(updatedAt >= rule.updatedAt).toBe(true);
  expect((await change(alice, rule.id, {})).body).toEqual({ ...changed, updatedAt });
});

test('two tabs that change different fields at once do not overwrite each other', async () => {
  const { id } = await create(alice);
  const changes = [{ name: 'Both' }, { buyAmount: 2 }, { minLiquidity: 3 }, { maxRisk: 40 }, { maxSlippage: 7 }];
  const replies = await Promise.all(changes.map((json) => change(alice, id, json)));
  expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
  const all = { name: 'Both', buyAmount: 2, minLiquidity: 3, maxRisk: 40, maxSlippage: 7 };
  expect((await listOf(alice)).find((rule) => rule.id === id)).toMatchObject(all);
});

test("another user's rule is 404 as an unknown one, and 403 for administrators [S6-04]", async () => {
  const { id } = await create(alice);
  const unknown = 'f'.repeat(24);
  const before = await listOf(alice);
  const refusals = [
    [bob, { status: 404, body: { code: 'not-found' } }],
    [admin, { status: 403, body: { code: 'forbidden' } }],
  ] as const;
  for (const [other, refusal] of refusals) {
    expect(await change(other, id, { name: 'Mine' })).toMatchObject(refusal);
    expect(await remove(other, id)).toMatchObject(refusal);
  }
  expect(await listOf(alice)).toEqual(before);
  expect(await change(bob, unknown, { name: 'x' })).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(await remove(admin, unknown)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(await remove(alice, id)).toMatchObject({ status: 200, body: { ok: true } });
  expect(await remove(alice, id)).toMatchObject({ status: 404 });
});

test('a user has 100 rules at most, however many are created at once, and a deleted one makes room', async () => {
  const erin = await person(server, 'Erin');
  for (let number = 0; number < RULES_MAX - 5; number += 1) await create(erin);
  const replies = await Promise.all(Array.from({ length: 15 }, () => erin.call(PATH, { method: 'POST', json: input })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(10);
  expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'limit-reached' });
  const rules = await listOf(erin);
  expect(rules).toHaveLength(RULES_MAX);
  await remove(erin, rules[50]?.id ?? '');
  await create(erin);
  expect((await erin.call(PATH, { method: 'POST', json: input })).status).toBe(409);
  expect(await server.connection.collection('rules').countDocuments({ place: { $gte: RULES_MAX } })).toBe(0);
});

test("each change of the rules reaches the user's other tabs in full and in order, and no other user [S7.2-11]", async () => {
  const frank = await person(server, 'Frank');
  const [one, other, foreign] = [await tabOf(server, frank), await tabOf(server, frank), await tabOf(server, bob)];
  const rule = await create(frank);
  await Promise.all([change(frank, rule.id, { maxRisk: 10 }), change(frank, rule.id, { name: 'Last' })]);
  await remove(frank, rule.id);
  await change(frank, rule.id, { name: 'Gone' });
  await Promise.all([one.settled(), other.settled(), foreign.settled()]);
  const received = z.array(z.object({ op: z.string(), item: z.unknown() })).parse(one.received);
  expect(received.map(({ op }) => op)).toEqual(['saved', 'saved', 'saved', 'deleted']);
  expect(received[0]).toEqual({ op: 'saved', item: rule });
  expect(one.received[2]).toMatchObject({ subject: 'rules', op: 'saved', item: { maxRisk: 10, name: 'Last' } });
  expect(one.received[3]).toEqual({ subject: 'rules', op: 'deleted', item: { id: rule.id } });
  expect(other.received).toEqual(one.received);
  expect(foreign.received).toEqual([]);
});

test('rules survive a restart', async () => {
  const heidi = await person(server, 'Heidi');
  const rule = await create(heidi);
  await server.restart();
  expect((await heidi.call(PATH)).body).toEqual([rule]);
});

function withoutUpdate({ updatedAt: _, ...rule }: Rule): Omit<Rule, 'updatedAt'> {
  return rule;
}
