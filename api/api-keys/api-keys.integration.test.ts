import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { apiKeyCalls } from '../../common/api-keys/http.ts';
import { API_KEYS_MAX, type ApiKeyLimits } from '../../common/api-keys/model.ts';
import { auditPageSchema } from '../../common/audit/model.ts';
import { keyAccessOf } from '../../common/http.ts';
import { defaultLimits } from '../../common/trading/account.ts';
import { SIGNATURE_FEE_LAMPORTS } from '../../common/trading/fills.ts';
import { tradingCalls } from '../../common/trading/http.ts';
import { quoteResponseSchema } from '../../common/trading/order.ts';
import { walletCalls } from '../../common/wallet/http.ts';
import { testServer } from '../test-server.ts';
import { type Person, person } from '../testing/people.ts';
import { PASSWORD, type RequestOptions } from '../testing/server.ts';
import { justLaunched } from '../testing/tokens.ts';
import { testWallet } from '../testing/wallets.ts';

const SOL = 1_000_000_000;
const PATH = apiKeyCalls.list.path;
const limits: ApiKeyLimits = { perTradeLamports: SOL / 10, perDayLamports: SOL / 4, tradesLive: false };

const server = await testServer({
  stored: [justLaunched()],
  env: { MARKET: 'simulator', MARKET_SEED: '7', MARKET_RATE: '60' },
});

async function owner(name: string, wallet: number): Promise<Person> {
  const made = await person(server, name);
  const set = await made.call(`/api/users/${made.id}/wallet`, { method: 'POST', json: testWallet(wallet) });
  expect(set.status).toBe(200);
  return made;
}

async function create(who: Person, json: unknown = { name: 'Program', scope: 'read' }) {
  const reply = await who.call(PATH, { method: 'POST', json });
  expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200 });
  const { key, secret } = apiKeyCalls.create.output.parse(reply.body);
  const call = (path: string, options: RequestOptions = {}) =>
    server.fetchJson(path, { ...options, headers: { authorization: `Bearer ${secret}` } });
  return { key, secret, call };
}
const createTrading = (who: Person, over: Partial<ApiKeyLimits> = {}) =>
  create(who, { name: 'Trader', scope: 'trade', limits: { ...limits, ...over } });

const refusal = (status: number, code: string) => ({ status, body: { code } });

test('a key reads as its user, and changes nothing', async () => {
  const alice = await person(server, 'Alice');
  const { key, secret, call } = await create(alice);
  expect(key).toMatchObject({ name: 'Program', scope: 'read', limits: null, lastUsedAt: null });
  expect(await call('/api/auth/me')).toMatchObject({ status: 200, body: { id: alice.id } });
  expect(await call('/api/tokens')).toMatchObject({ status: 200 });
  const settings = await call('/api/settings');
  expect(settings.status).toBe(200);
  expect(await call('/api/auto-buy-rules', { method: 'POST', json: {} })).toMatchObject(refusal(403, 'forbidden'));
  expect(await call('/api/trading/stop', { method: 'POST', json: { sell: false } })).toMatchObject(
    refusal(403, 'forbidden'),
  );
  const [listed] = z.array(z.record(z.string(), z.unknown())).parse((await alice.call(PATH)).body);
  expect(listed).toMatchObject({ id: key.id, hint: secret.slice(0, 9), lastUsedAt: expect.any(String) });
  expect(JSON.stringify(await server.connection.collection('apiKeys').find().toArray())).not.toContain(secret);
});

test('a key of an administrator has no rights of one', async () => {
  const admin = await person(server, 'Root', { isAdmin: true });
  const { call } = await create(admin);
  expect(await call('/api/auth/me')).toMatchObject({ status: 200, body: { isAdmin: false } });
  expect(await call('/api/admin/users')).toMatchObject(refusal(403, 'forbidden'));
  expect(await call('/api/maintenance/runs')).toMatchObject({ status: 403 });
});

test('a key manages no keys, sessions or two-step login, whatever its scope', async () => {
  const ben = await person(server, 'Ben');
  const { key, call } = await createTrading(ben);
  for (const path of [PATH, '/api/auth/sessions', '/api/auth/second-factor']) {
    expect(await call(path)).toMatchObject(refusal(403, 'forbidden'));
  }
  expect(await call(`${PATH}/${key.id}`, { method: 'DELETE' })).toMatchObject(refusal(403, 'forbidden'));
});

test('no key may make a call that reveals a private key, moves money away, or lifts a limit or a stop', () => {
  const { changeAccount, resume, resetPaper, liftGuard } = tradingCalls;
  for (const call of [changeAccount, resume, resetPaper, liftGuard, ...Object.values(walletCalls)]) {
    if (call.method !== 'GET') expect(keyAccessOf(call), call.path).toBe('none');
  }
});

test('an ended key, a wrong one, and the key of another password are not in force', async () => {
  const carol = await person(server, 'Carol');
  const first = await create(carol);
  expect(await carol.call(`${PATH}/${first.key.id}`, { method: 'DELETE' })).toMatchObject({ status: 200 });
  expect(await first.call('/api/auth/me')).toMatchObject(refusal(401, 'unauthenticated'));
  const wrong = { authorization: `Bearer mw_${'a'.repeat(43)}` };
  expect(await server.fetchJson('/api/auth/me', { headers: wrong })).toMatchObject(refusal(401, 'unauthenticated'));
  const second = await create(carol);
  const json = { currentPassword: PASSWORD, newPassword: 'another correct horse' };
  expect((await carol.call('/api/auth/password', { method: 'POST', json })).status).toBe(200);
  expect(await second.call('/api/auth/me')).toMatchObject(refusal(401, 'unauthenticated'));
});

test("another user's key is unknown, and no user has more keys than the limit", async () => {
  const dora = await person(server, 'Dora');
  const eve = await person(server, 'Eve');
  const { key } = await create(dora);
  expect(await eve.call(`${PATH}/${key.id}`, { method: 'DELETE' })).toMatchObject(refusal(404, 'not-found'));
  const json = { name: 'More', scope: 'read' };
  const replies = await Promise.all(
    Array.from({ length: API_KEYS_MAX + 2 }, () => dora.call(PATH, { method: 'POST', json })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(API_KEYS_MAX - 1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
});

test('a key that trades needs a recent password, and the typed word for real money', async () => {
  const finn = await person(server, 'Finn');
  const live = { name: 'Real', scope: 'trade', limits: { ...limits, tradesLive: true } };
  expect(await finn.call(PATH, { method: 'POST', json: live })).toMatchObject(refusal(409, 'confirm-needed'));
  await server.connection
    .collection('sessions')
    .updateMany({ userId: finn.id }, { $set: { confirmedAt: new Date(0) } });
  const json = { ...live, confirm: 'LIVE' };
  expect(await finn.call(PATH, { method: 'POST', json })).toMatchObject(refusal(403, 'password-needed'));
  await create(finn);
  await finn.call('/api/auth/confirm', { method: 'POST', json: { password: PASSWORD } });
  await create(finn, json);
});

/** Returns the order of a purchase by a program, for the oldest listed coin that can be bought. */
async function purchase(who: Person, lamports: number) {
  const address = await vi.waitFor(
    async () => {
      const tokens = z.array(z.object({ address: z.string() })).parse((await who.call('/api/tokens?limit=20')).body);
      for (const { address } of tokens.toReversed()) {
        const query = `address=${address}&side=buy&lamports=${SOL / 10}&slippageBps=5000`;
        const reply = await who.call(`/api/trading/quote?${query}`);
        if (reply.status === 200 && quoteResponseSchema.parse(reply.body).refusal === null) return address;
      }
      return expect.fail('no coin can be bought');
    },
    { timeout: 20_000, interval: 250 },
  );
  const accept = ['high-risk', 'unknown-risk', 'low-liquidity', 'copied-symbol'];
  return {
    clientId: randomUUID(),
    mode: 'paper',
    from: 'page',
    accept,
    side: 'buy',
    address,
    lamports,
    slippageBps: 5_000,
  };
}

test('purchases of a program stay within the limits of its key: one request sent twice counts once', async () => {
  const gail = await owner('Gail', 11);
  // With the most that each pays to the network, it is not enough for three.
  const { key, call } = await createTrading(gail, { perDayLamports: (3 * SOL) / 10 });
  const each = SOL / 10 + SIGNATURE_FEE_LAMPORTS + defaultLimits.priorityMaxLamports;
  const buy = (json: unknown) => call('/api/trading/orders', { method: 'POST', json });
  const first = await purchase(gail, SOL / 10);
  expect(await buy({ ...first, lamports: SOL / 10 + 1 })).toMatchObject(refusal(409, 'over-limit'));
  const placed = await buy(first);
  expect(placed, JSON.stringify(placed.body)).toMatchObject({ status: 200 });
  expect((await buy(first)).body).toMatchObject({ id: z.object({ id: z.string() }).parse(placed.body).id });
  // A refused order takes nothing of the day.
  const refused = await buy({ ...first, clientId: randomUUID(), least: '9'.repeat(18) });
  expect(refused).toMatchObject(refusal(409, 'slippage'));
  const spent = async () =>
    (await server.connection.collection('apiKeys').findOne({ name: 'Trader', hint: key.hint }))?.spent;
  expect(await spent()).toMatchObject({ lamports: each });
  const all = await Promise.all(Array.from({ length: 4 }, () => buy({ ...first, clientId: randomUUID() })));
  expect(all.filter(({ body }) => z.object({ code: z.literal('day-budget') }).safeParse(body).success).length).toBe(3);
  expect(await spent()).toMatchObject({ lamports: 2 * each });
});

test('a stop ends the keys that trade, whether or not anything hears of it', async () => {
  const hugo = await owner('Hugo', 12);
  const { call } = await createTrading(hugo);
  const reader = await create(hugo);
  const order = await purchase(hugo, SOL / 100);
  await hugo.call('/api/trading/stop', { method: 'POST', json: { sell: false } });
  await hugo.call('/api/trading/resume', { method: 'POST', json: {} });
  expect(await call('/api/trading/orders', { method: 'POST', json: order })).toMatchObject(
    refusal(401, 'unauthenticated'),
  );
  expect(await call('/api/auth/me')).toMatchObject(refusal(401, 'unauthenticated'));
  expect(await reader.call('/api/auth/me')).toMatchObject({ status: 200 });
  const fresh = await createTrading(hugo);
  expect(await fresh.call('/api/trading/orders', { method: 'POST', json: order })).toMatchObject({ status: 200 });
});

test('with real money a key without that right is refused before anything else', async () => {
  const ida = await owner('Ida', 13);
  const { call } = await createTrading(ida);
  const order = { ...(await purchase(ida, SOL / 100)), mode: 'live' };
  expect(await call('/api/trading/orders', { method: 'POST', json: order })).toMatchObject(refusal(403, 'forbidden'));
});

test('creating and ending a key are in the audit of its user', async () => {
  const june = await person(server, 'June');
  const { key } = await create(june);
  await june.call(`${PATH}/${key.id}`, { method: 'DELETE' });
  const { entries } = auditPageSchema.parse((await june.call(`/api/users/${june.id}/audit`)).body);
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'api-key-ended', object: key.hint },
    { action: 'api-key-created', object: `${key.hint}, read` },
  ]);
});
