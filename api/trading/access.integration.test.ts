import fc from 'fast-check';
import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { alertCalls } from '../../common/alerts/http.ts';
import { auditCalls } from '../../common/audit/http.ts';
import { everyCall } from '../../common/calls.ts';
import type { Call } from '../../common/http.ts';
import { noExits, tradingAccountSchema } from '../../common/trading/account.ts';
import { walletSchema } from '../../common/wallet/model.ts';
import { testServer } from '../test-server.ts';
import { fieldsOf, validRequests } from '../testing/attack.ts';
import { type Person, person } from '../testing/people.ts';
import { testWallet } from '../testing/wallets.ts';
import { orderModel } from './orders/model.ts';
import { positionModel } from './positions/model.ts';
import { filledOrder } from './positions/testing/orders.ts';
import { openPosition } from './positions/testing/position.ts';

const FORBIDDEN = { status: 403, body: { code: 'forbidden' } };
const NOT_FOUND = { status: 404, body: { code: 'not-found' } };
const SOL = 1_000_000_000;
/** Requests to each call, and where their randomness begins. */
const REQUESTS = 30;
const SEED = 20_261_123;

let root: Person;
let alice: Person;
let bob: Person;
let orderId: string;
let positionId: string;

const server = await testServer();
beforeAll(async () => {
  root = await person(server, 'Root', { isAdmin: true });
  alice = await person(server, 'Alice');
  bob = await person(server, 'Bob');
  const order = filledOrder(new Types.ObjectId(alice.id), 'buy', 1, { status: 'created', fill: null });
  const position = openPosition(new Types.ObjectId(alice.id));
  await orderModel(server.connection).create(order);
  await positionModel(server.connection).create(position);
  [orderId, positionId] = [order._id.toHexString(), position._id.toHexString()];
});

/** Reads of a user's trading, with the object that the audit names. */
const reads = (userId: string): [path: string, object: string][] => [
  [`/api/trading/account?userId=${userId}`, 'trading account'],
  [`/api/trading/orders?userId=${userId}`, 'orders'],
  [`/api/trading/orders/${orderId}`, `order ${orderId}`],
  [`/api/trading/positions?state=open&userId=${userId}`, 'positions'],
  [`/api/trading/profit?userId=${userId}`, 'profit'],
  [`/api/trading/decisions?userId=${userId}`, 'decisions'],
  [`/api/trading/decision-counts?plan=${orderId}&userId=${userId}`, 'decisions'],
  [`/api/trading/plan-results?userId=${userId}`, 'decisions'],
  [`/api/trading/explain/${'1'.repeat(32)}?userId=${userId}`, 'decisions'],
];

/** Returns the audit entries that a user sees, newest first, as action, actor, subject and object. */
async function seenBy(reader: Person): Promise<(string | null)[][]> {
  const { status, body } = await reader.call(`/api/users/${reader.id}/audit?limit=50`);
  expect(status).toBe(200);
  const { entries } = auditCalls.ofUser.output.parse(body);
  return entries.map(({ action, actor, subject, object }) => [action, actor, subject, object]);
}

/** Calls about the trading of one user: an id in their path or `userId` in their query names whose. */
const ofOneUser = everyCall().filter(
  ({ call: { path, query } }) =>
    path.startsWith('/api/trading/') && (path.includes('{id}') || fieldsOf(query).includes('userId')),
);

/** Returns requests about Alice's trading; none for a path whose ids are not known here. */
function requestsAboutAlice(call: Call) {
  const ids = new Map([
    ['orders', orderId],
    ['positions', positionId],
  ]);
  const id = ids.get(call.path.split('/')[3] ?? '') ?? 'none';
  const exits = Object.fromEntries(Object.entries(noExits).map(([name, value]) => [name, [value]]));
  const requests = validRequests(call, { ...exits, id: [id], userId: [alice.id] });
  const named = call.path.includes('{id}') ? `/${id}` : `userId=${alice.id}`;
  return fc.sample(requests, { numRuns: REQUESTS, seed: SEED }).filter(({ path }) => path.includes(named));
}

test.each(ofOneUser)(
  '$name of another user is forbidden, an object of theirs unknown, and a change forbidden also for administrators',
  async ({ call }) => {
    const requests = requestsAboutAlice(call);
    const repliesTo = (by: Pick<Person, 'call'>) =>
      Promise.all(
        requests.map(({ method, path, body }) =>
          by.call(path, { method, ...(body === undefined ? {} : { json: JSON.parse(body) }) }),
        ),
      );
    // An administrator may look, but not trade in another user's name.
    for (const other of call.method === 'GET' ? [bob] : [bob, root]) {
      const replies = await repliesTo(other);
      // What a schema does not name may be wrong in some of them.
      const judged = replies.filter(({ status }) => status !== 400);
      expect(judged).not.toEqual([]);
      const refusal = other === bob && call.path.includes('{id}') ? NOT_FOUND : FORBIDDEN;
      for (const reply of judged) expect(reply).toMatchObject(refusal);
    }
    for (const { status } of await repliesTo({ call: server.fetchJson })) expect(status).toBe(401);
  },
);

test("a quote names no user, and a list without one has the caller's own", async () => {
  const foreign = `/api/trading/quote?address=${'1'.repeat(32)}&side=buy&lamports=1&userId=${alice.id}`;
  expect(await bob.call(foreign)).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  expect(await bob.call('/api/trading/orders')).toMatchObject({ status: 200, body: [] });
  expect((await seenBy(alice)).filter(([action]) => action !== 'registered')).toEqual([]);
});

test('a look of an administrator at the trading of a user is recorded before it, once, and shown to that user [T-24]', async () => {
  expect(reads(alice.id)).toHaveLength(ofOneUser.filter(({ call }) => call.method === 'GET').length);
  for (let time = 0; time < 2; time += 1) {
    for (const [path] of reads(alice.id)) expect((await root.call(path)).status, path).toBe(200);
  }
  const looks = (await seenBy(alice)).filter(([action]) => action === 'trading-looked-up');
  expect(looks.toReversed()).toEqual(
    [...new Set(reads(alice.id).map(([, object]) => object))].map((object) => [
      'trading-looked-up',
      'Root',
      'Alice',
      object,
    ]),
  );
  for (const [path] of reads(root.id).filter(([path]) => path.includes('userId'))) await root.call(path);
  expect((await seenBy(root)).filter(([action]) => action === 'trading-looked-up')).toEqual([]);
});

test('limits, protections, the switches of the bot, a stop and its end are recorded for the user [T-24, T-27]', async () => {
  const carol = await person(server, 'Carol');
  const change = (json: unknown) => carol.call('/api/trading/account', { method: 'PATCH', json });
  expect((await change({ limits: { perTradeLamports: SOL / 2 } })).status).toBe(200);
  // Nothing changes, so nothing is recorded.
  expect((await change({ limits: { perTradeLamports: SOL / 2 } })).status).toBe(200);
  expect((await change({ bot: { maxLamports: SOL / 2 } })).status).toBe(200);
  expect((await change({ protections: { stopLossGuard: false } })).status).toBe(200);
  expect((await change({ protections: { guardStopLosses: 1 } })).status).toBe(400);
  // It locks nothing.
  expect((await carol.call('/api/trading/account/lift-guard', { method: 'POST' })).status).toBe(200);
  expect((await carol.call('/api/trading/stop', { method: 'POST', json: { sell: true } })).status).toBe(200);
  expect((await carol.call('/api/trading/resume', { method: 'POST' })).status).toBe(200);
  expect(await change({ mode: 'live' })).toMatchObject({ status: 409, body: { code: 'trading-off' } });
  expect((await seenBy(carol)).map(([action, actor, , object]) => [action, actor, object])).toEqual([
    ['trading-resumed', 'Carol', null],
    ['trading-stopped', 'Carol', 'with sale of all positions'],
    ['trading-protections-changed', 'Carol', 'stopLossGuard off'],
    ['trading-limits-changed', 'Carol', 'maximum of a purchase by bot'],
    ['trading-limits-changed', 'Carol', 'perTradeLamports'],
    ['registered', 'Carol', null],
  ]);
});

test('a stop of all trading and its end are recorded, and shown to every user, and so is a test of the launchpad, for administrators', async () => {
  const path = '/api/admin/trading';
  for (const call of ['', '/stop', '/resume', '/test']) {
    const options = call === '' ? {} : { method: 'POST' };
    expect(await bob.call(path + call, options), call).toMatchObject(FORBIDDEN);
  }
  expect(await root.call(`${path}/stop`, { method: 'POST' })).toMatchObject({
    status: 200,
    body: { state: 'stopped' },
  });
  expect(await bob.call('/api/trading/account')).toMatchObject({ body: { stoppedAll: true } });
  expect(await bob.call('/api/trading/resume', { method: 'POST' })).toMatchObject({
    body: { code: 'trading-stopped' },
  });
  expect((await root.call(`${path}/resume`, { method: 'POST' })).status).toBe(200);
  for (const reader of [alice, bob]) {
    expect((await seenBy(reader)).slice(0, 2)).toEqual([
      ['trading-resumed-all', 'Root', null, null],
      ['trading-stopped-all', 'Root', null, null],
    ]);
  }
  expect(await root.call(`${path}/test`, { method: 'POST' })).toMatchObject({
    status: 200,
    body: { state: 'running' },
  });
  const tests = await root.call('/api/admin/audit?limit=10&action=launchpad-tested');
  expect(auditCalls.list.output.parse(tests.body).entries).toMatchObject([{ actor: 'Root', subject: null }]);
});

test('an administrator who replaces the wallet of a user with open positions has to choose, and the user sees it', async () => {
  const erin = await person(server, 'Erin');
  const save = (by: Person, number: number, positions?: 'close' | 'abandon') =>
    by.call(`/api/users/${erin.id}/wallet`, { method: 'POST', json: { ...testWallet(number), positions } });
  expect((await save(erin, 1)).status).toBe(200);
  const { mode } = tradingAccountSchema.parse((await erin.call('/api/trading/account')).body);
  if (mode === null) expect.fail('trading is off');
  const { walletAddress: wallet } = testWallet(1);
  const stored = { ...openPosition(new Types.ObjectId(erin.id)), mode, wallet };
  await positionModel(server.connection).create(stored);
  const figures = { positions: ['1'], valueLamports: [String(SOL)] };
  expect(await save(root, 2)).toMatchObject({
    status: 409,
    body: { code: 'open-positions', error: expect.stringContaining('open positions'), details: figures },
  });
  // The market does not know this token, so its sale fails.
  expect(await save(root, 2, 'close')).toMatchObject({
    status: 409,
    body: { code: 'open-positions', details: { ...figures, unsold: [expect.stringMatching(/^\w+: /)] } },
  });
  const current = async () => walletSchema.parse((await erin.call(`/api/users/${erin.id}/wallet`)).body);
  expect((await current()).walletAddress).toBe(wallet);
  expect((await save(root, 2, 'abandon')).status).toBe(200);
  expect((await current()).walletAddress).toBe(testWallet(2).walletAddress);
  expect(await positionModel(server.connection).findById(stored._id).lean()).toMatchObject({
    open: false,
    movedTokens: stored.tokens,
  });
  const positions = expect.stringMatching(/^1 open position worth 1 SOL, /);
  const entries = (await seenBy(erin)).filter(([action]) => action !== 'login').slice(0, 5);
  expect(entries).toEqual([
    ['wallet-replaced', 'Root', 'Erin', testWallet(2).walletAddress],
    ['positions-abandoned', 'Root', 'Erin', positions],
    ['trading-stopped', 'Root', 'Erin', 'with sale of all positions'],
    ['positions-sold', 'Root', 'Erin', positions],
    ['trading-looked-up', 'Root', 'Erin', 'open positions'],
  ]);
  const alerts = async () => alertCalls.list.output.parse((await erin.call('/api/alerts')).body);
  await expect
    .poll(async () => (await alerts()).filter(({ type }) => type === 'wallet_replaced').map(({ text }) => text))
    .toEqual([
      expect.stringContaining('stay there and are followed no more: 1 open position worth 1 SOL'),
      expect.stringContaining('Trading is stopped until you resume it'),
    ]);
  // The user is not asked.
  await positionModel(server.connection).create({
    ...stored,
    _id: new Types.ObjectId(),
    wallet: testWallet(2).walletAddress,
  });
  expect((await save(erin, 3)).status).toBe(200);
});
