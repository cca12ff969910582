import bs58 from 'bs58';
import fc from 'fast-check';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { alertRuleCalls } from '../common/alerts/rules/http.ts';
import { defaultChannels } from '../common/alerts/rules/model.ts';
import { apiKeyCalls } from '../common/api-keys/http.ts';
import { authCalls } from '../common/auth/http.ts';
import { everyCall } from '../common/calls.ts';
import { errors } from '../common/errors.ts';
import { type Call, SCRIPT_HEADER, SCRIPT_HEADER_VALUE } from '../common/http.ts';
import { presetCalls } from '../common/presets/http.ts';
import { ruleCalls } from '../common/rules/http.ts';
import { defaultRule } from '../common/rules/model.ts';
import { strategyCalls } from '../common/strategies/http.ts';
import { defaultStrategy } from '../common/strategies/model.ts';
import { sized } from '../common/testing/effort.ts';
import { walletCalls } from '../common/wallet/http.ts';
import { startTelegramEmulator, type TelegramEmulator } from '../scripts/telegram-emulator/emulator.ts';
import { seeds } from './templates/seeds.ts';
import { startTestServer } from './test-server.ts';
import { type Attack, attacksOn, badCookies, type Examples } from './testing/attack.ts';
import { noteProof } from './testing/proof.ts';
import { type RawReply, rawRequest } from './testing/raw.ts';
import { PASSWORD, type TestServer } from './testing/server.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from './testing/tokens.ts';
import { testWallet, userIdOf } from './testing/wallets.ts';
import { tokenModels } from './tokens/model.ts';
import { orderModel } from './trading/orders/model.ts';
import { positionModel } from './trading/positions/model.ts';
import { filledOrder } from './trading/positions/testing/orders.ts';
import { openPosition } from './trading/positions/testing/position.ts';

/** Attacks on each call in a batch: a million in all in a soak. */
const ATTACKS = sized({ landing: 10, full: 40, soak: 7_200 });
/** Fixed, so that a failure shows again on the next run. */
const SEED = 20_261_121;
/** So many attacks on one call use up what others need: the limits of an account, its objects, its session. */
const IS_LONG = ATTACKS > 1_000;
/** Further batches follow, up to this many attacks, until one on a call with many fields succeeds. */
const MOST_ATTACKS = Math.max(160, ATTACKS);

const errorBodySchema = z.strictObject({
  error: z.string().min(1),
  code: z.enum(Object.keys(errors)),
  details: z.record(z.string(), z.array(z.string()).min(1)).optional(),
});

const victimIds: string[] = [];
/** What `id` leads to: another thing in each subject. */
const ids = {
  users: victimIds,
  rules: [] as string[],
  strategies: [] as string[],
  presets: [] as string[],
  alertRules: [] as string[],
  wallet: [] as string[],
  admin: [] as string[],
  auth: [] as string[],
  templates: seeds.map(({ id }) => id),
  orders: [] as string[],
  positions: [] as string[],
  apiKeys: [] as string[],
};
const wallet = testWallet(1);

/** Values that make some of the attacks succeed. A call whose fields have other names adds its own. */
const examples: Examples = {
  // The victim's, from when the victim is registered.
  userId: victimIds,
  address: [addressNumber(1), addressNumber(2)],
  username: ['Attacker', 'Victim'],
  code: ['123456'],
  password: [PASSWORD],
  currentPassword: [PASSWORD],
  newPassword: ['battery staple'],
  limit: ['1', '500'],
  walletAddress: [wallet.walletAddress],
  privateKey: [wallet.privateKey],
  signature: [bs58.encode(new Uint8Array(64).fill(7)), bs58.encode(new Uint8Array(64).fill(8))],
  lamports: [1, 1_000_000_000],
  recipient: [addressNumber(1)],
  lastValidBlockHeight: [0, 1_000],
  before: [`${Date.now()}_${'a'.repeat(24)}`],
  plan: ['a'.repeat(24)],
  type: ['time_based', 'mixed'],
  configuration: [{ timeConfig: { option: 'buy_after_duration', duration: 60 } }],
  minLiquidity: [0, 1],
  maxRisk: [30, 100],
  maxScamProbability: [30],
  buyUnknownRisk: [false, true],
  stopLoss: [10],
  takeProfit: [20],
  name: ['A name'],
  buyAmount: [0.1, 1],
  maxSlippage: [5],
  magicPoints: [100, 50],
  level: [2, 3],
  template: ['Hello {token.name}'],
  isDefault: [true],
  action: ['login-failed'],
  hoursAgo: [1, 24],
  market: ['live', 'simulated'],
  stopLossPercent: [10],
  takeProfitPercent: [50],
  trailingPercent: [20],
  maxHoldMs: [60_000],
  preset: ['Fresh & clean'],
  perHour: [1, 6],
  channels: [defaultChannels],
  target: [{ unit: 'price', value: 1 }],
  // A name that no resolver knows.
  url: ['https://webhook.invalid/x'],
  steps: [[{ atPercent: 50, sellPercent: 50 }]],
};

/** Calls that need more than values: a code of the moment (`auth/account.integration.test.ts`), a live market (`trading/orders`), or its tape. */
const NEEDS_MORE: ReadonlySet<string> = new Set([
  'trading.createOrder',
  'replay.start',
  'replay.read',
  'replay.cancel',
  'auth.enableSecondFactor',
  'auth.renewRecoveryCodes',
  'auth.disableSecondFactor',
]);

function examplesOf(name: string): Examples {
  const [subject] = name.split('.');
  // A transaction has types of its own.
  const types = subject === 'transactions' ? { type: ['transfer_out', 'airdrop'] } : {};
  // A name belongs to one preset.
  const presets = subject === 'presets' ? { name: [name], choice: [{}, { f: 'age:60-600', sort: 'price' }] } : {};
  const byId = subject === 'trading' || subject === 'decisions';
  const before = byId ? { before: ids.orders, state: ['open'] } : {};
  return { ...examples, ...types, ...presets, ...before, id: idsOf(name) };
}

function idsOf(name: string): string[] {
  if (name === 'trading.changeExits') return ids.positions;
  const subject = name.startsWith('trading.') ? 'orders' : name.split('.')[0];
  return Object.entries(ids).find(([known]) => known === subject)?.[1] ?? [];
}

function isForAdmins({ access }: Call): boolean {
  return access === 'admin' || access === 'admin-or-key';
}

let requests = 0;
/** Answers of 5xx. */
let serverErrors = 0;
let server: TestServer;
let emulator: TelegramEmulator;
let cookie: string;
let admin: string;

beforeAll(async () => {
  // No node listens there: transactions that the victim sends stay pending.
  const chain = { rpcUrl: 'http://127.0.0.1:9', wsUrl: 'ws://127.0.0.1:9' };
  emulator = await startTelegramEmulator();
  const env = { TELEGRAM_BOT_TOKEN: emulator.token, TELEGRAM_API_ROOT: emulator.apiRoot };
  server = await startTestServer({ chain, env });
  cookie = await server.register('Victim');
  const victim = await userIdOf(server, cookie);
  victimIds.push(victim);
  const walletPath = `/api/users/${victim}/wallet`;
  // The second one can be recovered; the first one is the wallet again at the end.
  for (const json of [wallet, testWallet(2), wallet]) {
    expect((await server.fetchJson(walletPath, { method: 'POST', cookie, json })).status).toBe(200);
  }
  const replaced = await server.fetchJson(`${walletPath}/previous`, { cookie });
  ids.wallet.push(...walletCalls.previous.output.parse(replaced.body).map(({ id }) => id));
  await makeOwnObjects(victim);
  admin = await server.login('admin', server.adminPassword ?? '');
  // The only administrator: whatever is asked of them, nothing changes.
  ids.admin.push(await userIdOf(server, admin));
  await putTokens();
  await putTrading(new Types.ObjectId(victim));
  // What needs the bot is refused until it is connected.
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
});
afterAll(async () => {
  await server.stop();
  await emulator.stop();
});

async function putTokens(): Promise<void> {
  const models = tokenModels(server.connection);
  await Promise.all([models.tokens.deleteMany({}), models.trades.deleteMany({}), models.samples.deleteMany({})]);
  const numbers = Array.from({ length: 30 }, (_, number) => number);
  await models.tokens.insertMany(
    numbers.map((number) => tokenRecord(number, { runner: number === 1, mightRun: number === 2 })),
  );
  await models.trades.insertMany(numbers.map((number) => tradeRecord(addressNumber(1), number, new Date())));
  await models.samples.insertMany([sampleRecord(addressNumber(1), 'minute', new Date())]);
}

/** Stores orders that wait, and a position. */
async function putTrading(userId: Types.ObjectId): Promise<void> {
  const waiting = { status: 'created', fill: null } as const;
  const orders = Array.from({ length: 5 }, () => filledOrder(userId, 'buy', 1, waiting));
  await orderModel(server.connection).insertMany(orders);
  ids.orders.push(...orders.map(({ _id }) => _id.toHexString()));
  const position = openPosition(userId);
  await positionModel(server.connection).insertMany([position]);
  ids.positions.push(position._id.toHexString());
}

async function makeOwnObjects(userId: string): Promise<void> {
  const create = async (path: string, json: unknown) =>
    (await server.fetchJson(path, { method: 'POST', cookie, json })).body;
  const post = async (path: string, json: unknown) => z.object({ id: z.string() }).parse(await create(path, json)).id;
  for (let number = 1; number <= 3; number += 1) {
    const name = `Number ${number}`;
    ids.rules.push(await post(ruleCalls.create.path, { ...defaultRule, name }));
    ids.strategies.push(await post(strategyCalls.create.path, { ...defaultStrategy, name, userId }));
    ids.presets.push(await post(presetCalls.create.path, { name, choice: {} }));
    const alert = { preset: 'Final stretch', perHour: 6, channels: defaultChannels };
    ids.alertRules.push(await post(alertRuleCalls.createForPreset.path, alert));
    const made = apiKeyCalls.create.output.parse(await create(apiKeyCalls.create.path, { name, scope: 'read' }));
    ids.apiKeys.push(made.key.id);
  }
}

/** Calls that list the victim's objects, and that remove one. */
const owned = [
  [ruleCalls.list, ruleCalls.remove],
  [strategyCalls.list, strategyCalls.remove],
  [alertRuleCalls.list, alertRuleCalls.remove],
  [presetCalls.list, presetCalls.remove],
  [apiKeyCalls.list, apiKeyCalls.end],
] as const;

/** Restores what the attacks before have used up: the victim's session, its objects, and the recent proof of who the administrator is. */
async function restoreScene(): Promise<void> {
  const proof = { method: 'POST', cookie: admin, json: { password: server.adminPassword } };
  expect((await server.fetchJson(authCalls.confirm.path, proof)).status).toBeLessThan(300);
  if ((await server.fetchJson('/api/auth/me', { cookie })).status === 401) cookie = await server.login('Victim');
  for (const [list, remove] of owned) {
    const { body } = await server.fetchJson(list.path, { cookie });
    for (const { id } of z.array(z.object({ id: z.string() })).parse(body)) {
      await server.fetchJson(remove.path.replace('{id}', id), { method: remove.method, cookie });
    }
  }
  for (const list of [ids.rules, ids.strategies, ids.presets, ids.alertRules, ids.apiKeys]) list.length = 0;
  await makeOwnObjects(victimIds[0] ?? '');
}

/** Registers a user for the attacks on one call of auth, with another session to end. */
async function spareSession(name: string): Promise<string> {
  const username = `Spare ${name}`;
  const session = await server.register(username);
  await server.login(username);
  const { body } = await server.fetchJson('/api/auth/sessions', { cookie: session });
  const others = authCalls.sessions.output.parse(body).filter(({ isCurrent }) => !isCurrent);
  ids.auth.splice(0, Number.POSITIVE_INFINITY, ...others.map(({ id }) => id));
  return session;
}

/** What every response must be, whatever was asked. */
function judge(call: Call, attack: Attack, reply: RawReply): void {
  expect(reply.status).toBeLessThan(500);
  expect(reply.status).toBeGreaterThanOrEqual(200);
  if (reply.status === 304 || attack.method === 'HEAD') {
    expect(reply.text).toBe('');
  } else if (reply.status < 300) {
    // Another method of this path may be another call.
    const declared = everyCall().find((other) => other.call.path === call.path && other.call.method === attack.method);
    expect(declared, `nothing is declared for ${attack.method} ${call.path}`).toBeDefined();
    declared?.call.output.parse(JSON.parse(reply.text));
  } else {
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    const body = errorBodySchema.parse(JSON.parse(reply.text));
    expect(Object.entries(errors).find(([code]) => code === body.code)?.[1].status).toBe(reply.status);
    expect(reply.text.length).toBeLessThan(20_000);
  }
}

test.each(everyCall())('no nonsense sent to $name makes it fail', { timeout: 30_000 + 50 * ATTACKS }, async (one) => {
  const { name, call } = one;
  const met = new Set<number>();
  if (IS_LONG) await restoreScene();
  // Calls of auth end or replace the session they come with.
  const session = name.startsWith('auth.') ? await spareSession(name) : cookie;
  const sessions = isForAdmins(call) ? [session, admin] : [session];
  const cookies = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...sessions) },
    { weight: 1, arbitrary: badCookies },
  );
  const property = fc.asyncProperty(attacksOn(call, examplesOf(name)), cookies, async (attack, sent) => {
    const headers = { [SCRIPT_HEADER]: SCRIPT_HEADER_VALUE, ...attack.headers, Cookie: sent };
    const reply = await rawRequest(server.url, { ...attack, headers });
    requests += 1;
    if (reply.status >= 500) serverErrors += 1;
    met.add(reply.status);
    judge(call, attack, reply);
    if (isForAdmins(call) && sent !== admin) expect(reply.status).toBeGreaterThanOrEqual(400);
  });
  const isReached = () => NEEDS_MORE.has(name) || [...met].some((status) => status < 300);
  for (let batch = 0; batch === 0 || (batch * ATTACKS < MOST_ATTACKS && !isReached()); batch += 1) {
    await fc.assert(property, { numRuns: ATTACKS, seed: SEED + batch, endOnFailure: true });
  }
  // Some of these remove tokens, as they should.
  if (name.startsWith('maintenance.')) await putTokens();
  // Otherwise the attacks would all bounce off the same wall.
  expect([...met].some((status) => status >= 400)).toBe(true);
  expect(isReached(), `no attack on ${name} succeeded: add values for its fields to the examples`).toBe(true);
});

test('after all that, the server works and nothing was let through', async () => {
  noteProof('hostile requests', { calls: everyCall().length, requests }, { serverErrors, crashes: 0 });
  expect((await server.fetchJson('/api/auth/me', { cookie })).body).toMatchObject({
    username: 'Victim',
    isAdmin: false,
  });
  expect((await server.fetchJson('/api/health')).status).toBe(200);
  expect(await server.connection.collection('users').countDocuments({ isAdmin: true })).toBe(1);
  expect(await server.connection.collection('tokens').countDocuments()).toBe(30);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test('the judge would notice a bad response', () => {
  const call = everyCall().find(({ name }) => name === 'tokens.stats')?.call;
  if (!call) throw new Error('tokens.stats is gone');
  const attack: Attack = { method: 'GET', path: call.path, headers: {} };
  const reply = (status: number, body: unknown): RawReply => ({
    status,
    headers: { 'content-type': 'application/json' },
    text: JSON.stringify(body),
  });
  expect(() => judge(call, attack, reply(500, { error: 'x', code: 'internal' }))).toThrow();
  expect(() => judge(call, attack, reply(200, { total: 'many' }))).toThrow();
  expect(() => judge(call, attack, reply(404, 'Not Found'))).toThrow();
  expect(() => judge(call, attack, reply(400, { error: 'x', code: 'forbidden' }))).toThrow();
});
