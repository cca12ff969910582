import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../common/testing/effort.ts';
import { userSchema } from '../../common/users/model.ts';
import { startTestServer, testServer } from '../test-server.ts';
import { type Person, person } from '../testing/people.ts';
import { noLimits, PASSWORD } from '../testing/server.ts';
import { testWallet } from '../testing/wallets.ts';

const UNKNOWN = 'f'.repeat(24);

const server = await testServer();
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');
const admin = await person(server, 'Root', { isAdmin: true });

const get = (who: Person, id: string) => who.call(`/api/users/${id}`);
const find = (who: Person, username: string) => who.call(`/api/users?username=${encodeURIComponent(username)}`);
const patch = (who: Person, id: string, what: 'magic-points' | 'level', json: unknown) =>
  who.call(`/api/users/${id}/${what}`, { method: 'PATCH', json });
const points = (who: Person, id: string, magicPoints: number) => patch(who, id, 'magic-points', { magicPoints });
const level = (who: Person, id: string, to: number) => patch(who, id, 'level', { level: to });
const stored = (username: string) => server.connection.collection('users').findOne({ username });

const forbidden = { status: 403, body: { code: 'forbidden' } };
const notFound = { status: 404, body: { code: 'not-found' } };

describe('a user as the legacy calls return it [S3-60]', () => {
  test('has level 1 and 100 magic points, the present wallet, and neither password nor key [S7.2-12]', async () => {
    const carol = await person(server, 'Carol');
    const fresh = await get(carol, carol.id);
    expect(userSchema.parse(fresh.body)).toEqual({
      id: carol.id,
      username: 'Carol',
      isAdmin: false,
      isActive: true,
      level: 1,
      magicPoints: 100,
      walletAddress: null,
      createdAt: expect.any(String),
    });
    const wallet = testWallet(9);
    await carol.call(`/api/users/${carol.id}/wallet`, { method: 'POST', json: wallet });
    const { body } = await get(carol, carol.id);
    expect(body).toMatchObject({ walletAddress: wallet.walletAddress });
    expect(JSON.stringify(body)).not.toMatch(/password|argon2|privateKey|sealed/i);
    expect(JSON.stringify(body)).not.toContain(wallet.privateKey);
  });
});

test('by id: the own user, or any for an administrator [S7.2-12, S6-04]', async () => {
  expect(await get(alice, bob.id)).toMatchObject(forbidden);
  expect(await get(alice, UNKNOWN)).toMatchObject(forbidden);
  expect(await get(admin, bob.id)).toMatchObject({ status: 200, body: { username: 'Bob' } });
  expect(await get(admin, UNKNOWN)).toMatchObject(notFound);
  expect((await server.fetchJson(`/api/users/${alice.id}`)).status).toBe(401);
});

test('by name: the own one in any case, others are 403, known or not, and an administrator finds all [S7.2-13]', async () => {
  expect(await find(alice, 'aLICE')).toMatchObject({ status: 200, body: { id: alice.id, username: 'Alice' } });
  expect(await find(alice, 'Bob')).toMatchObject(forbidden);
  expect(await find(alice, 'Nobody')).toMatchObject(forbidden);
  expect(await find(admin, 'Bob')).toMatchObject({ status: 200, body: { id: bob.id } });
  expect(await find(admin, 'Nobody')).toMatchObject(notFound);
  expect(await alice.call('/api/users')).toMatchObject({ status: 400 });
  expect(JSON.stringify((await find(alice, 'Alice')).body)).not.toMatch(/password|argon2/i);
});

describe('POST /api/users [S7.2-14]', () => {
  const post = (json: unknown) => server.fetchJson('/api/users', { method: 'POST', json });

  test('registers without signing in; the server’s clock says when', async () => {
    const json = { username: 'Dave', password: PASSWORD, createdAt: '2001-01-01T00:00:00Z' };
    const since = Date.now();
    const { status, headers, body } = await post(json);
    expect(status).toBe(200);
    expect(headers.getSetCookie()).toEqual([]);
    const made = userSchema.parse(body);
    expect(made).toMatchObject({ username: 'Dave', isAdmin: false, level: 1, magicPoints: 100, walletAddress: null });
    expect(Date.parse(made.createdAt)).toBeGreaterThanOrEqual(since);
    expect(Date.parse(made.createdAt)).toBeLessThanOrEqual(Date.now());
    expect(JSON.stringify(body)).not.toContain(PASSWORD);
    expect(await server.login('Dave')).not.toBe('');
    expect(await post(json)).toMatchObject({ status: 409, body: { code: 'username-taken' } });
  });

  test.each([
    [{ username: 'ab', password: PASSWORD }, 'username'],
    [{ username: 'Erin', password: 'short' }, 'password'],
    [{ username: 'Erin', password: PASSWORD, createdAt: 'yesterday' }, 'createdAt'],
    [{ username: 'Erin', password: PASSWORD, isAdmin: true }, 'isAdmin'],
  ])('%j is refused as registering is', async (json, field) => {
    expect(await post(json)).toMatchObject({ status: 400, body: { details: { [field]: [expect.any(String)] } } });
    expect(await stored('Erin')).toBeNull();
  });

  test('is limited together with registering', async () => {
    const limits = { ...noLimits, registerPerAddress: { tries: 2, seconds: 60 } };
    const strict = await startTestServer({ limits });
    try {
      await strict.register('First');
      const more = (username: string) =>
        strict.fetchJson('/api/users', { method: 'POST', json: { username, password: PASSWORD } });
      expect((await more('Second')).status).toBe(200);
      expect(await more('Third')).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
    } finally {
      await strict.stop();
    }
  });
});

test('what an administrator changes of another user is on record, and what users change of their own is not', async () => {
  const greta = await person(server, 'Greta');
  expect((await points(greta, greta.id, 40)).status).toBe(200);
  expect((await points(admin, greta.id, 900)).status).toBe(200);
  expect((await level(admin, greta.id, 2)).status).toBe(200);
  expect(await points(admin, UNKNOWN, 5)).toMatchObject(notFound);
  const { body } = await admin.call('/api/admin/audit?action=user-changed');
  const change = { action: 'user-changed', actor: 'Root', subject: 'Greta' };
  expect(body).toMatchObject({
    entries: [
      { ...change, object: 'level: 2' },
      { ...change, object: 'magic points: 900' },
    ],
  });
});

describe('magic points [S3-61, S7.2-15]', () => {
  test('spending more than there are is refused, and nothing is spent', async () => {
    const erin = await person(server, 'Spender');
    expect(await points(erin, erin.id, 40)).toMatchObject({ status: 200, body: { magicPoints: 40 } });
    expect(await points(erin, erin.id, 40 - 41)).toMatchObject({
      status: 409,
      body: { code: 'not-enough-magic-points', error: 'Not enough magic points: this costs 41, and there are 40.' },
    });
    expect((await get(erin, erin.id)).body).toMatchObject({ magicPoints: 40 });
    expect(await points(erin, erin.id, 0)).toMatchObject({ status: 200, body: { magicPoints: 0 } });
  });

  test('only an administrator adds points or changes those of another user', async () => {
    const frank = await person(server, 'Frank');
    expect(await points(frank, frank.id, 101)).toMatchObject(forbidden);
    expect(await points(frank, bob.id, 1)).toMatchObject(forbidden);
    expect(await points(admin, frank.id, 500)).toMatchObject({ status: 200, body: { magicPoints: 500 } });
    expect(await points(admin, frank.id, -1)).toMatchObject({ status: 409 });
    expect(await points(admin, UNKNOWN, 1)).toMatchObject(notFound);
    expect((await get(frank, frank.id)).body).toMatchObject({ magicPoints: 500 });
  });

  test('whatever is asked, in whatever order, a user’s balance only falls and never below 0', async () => {
    const balances = fc.array(fc.integer({ min: -50, max: 150 }), { minLength: 1, maxLength: 12 });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(balances, async (asked) => {
        number += 1;
        const one = await person(server, `Points ${number}`);
        let balance = 100;
        for (const wanted of asked) {
          const { status } = await points(one, one.id, wanted);
          expect(status).toBe(wanted < 0 ? 409 : wanted > balance ? 403 : 200);
          if (status === 200) balance = wanted;
        }
        expect((await get(one, one.id)).body).toMatchObject({ magicPoints: balance });
      }),
      { numRuns: rounds(8), seed: 5 },
    );
  });

  test('of many who spend at the same time, the lowest balance stays', async () => {
    const grace = await person(server, 'Grace');
    const wanted = Array.from({ length: 30 }, (_, index) => (index * 37) % 97);
    await Promise.all(wanted.map((balance) => points(grace, grace.id, balance)));
    expect((await get(grace, grace.id)).body).toMatchObject({ magicPoints: Math.min(...wanted) });
  });
});

describe('level [S3-61, S7.2-16]', () => {
  test('a level up adds exactly 1', async () => {
    const heidi = await person(server, 'Heidi');
    for (const wrong of [1, 3, 7]) {
      expect(await level(heidi, heidi.id, wrong)).toMatchObject({ status: 409, body: { code: 'level-not-next' } });
    }
    expect(await level(heidi, heidi.id, 2)).toMatchObject({ status: 200, body: { level: 2 } });
    expect(await level(heidi, heidi.id, 3)).toMatchObject({ status: 200, body: { level: 3 } });
    expect(await level(alice, heidi.id, 4)).toMatchObject(forbidden);
    expect(await level(admin, heidi.id, 4)).toMatchObject({ status: 200, body: { level: 4 } });
    expect(await level(admin, UNKNOWN, 2)).toMatchObject(notFound);
    expect(await level(heidi, heidi.id, 0)).toMatchObject({ status: 400 });
  });

  test('of two level ups to the same level at the same time exactly one wins', async () => {
    const ivan = await person(server, 'Ivan');
    for (let next = 2; next < 12; next += 1) {
      const replies = await Promise.all([level(ivan, ivan.id, next), level(ivan, ivan.id, next)]);
      expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
      expect(replies.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'level-not-next' });
    }
    expect((await get(ivan, ivan.id)).body).toMatchObject({ level: 11 });
  });
});
