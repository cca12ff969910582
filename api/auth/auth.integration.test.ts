import * as argon2 from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { auditCalls } from '../../common/audit/http.ts';
import { sessionUserSchema } from '../../common/auth/model.ts';
import { testServer } from '../test-server.ts';
import { person } from '../testing/people.ts';
import { cookieOf, PASSWORD } from '../testing/server.ts';

const server = await testServer({ passwordHash: argon2 });

const post = (call: string, json: unknown, cookie?: string) =>
  server.fetchJson(`/api/auth/${call}`, { method: 'POST', json, ...(cookie ? { cookie } : {}) });
const me = (cookie?: string) => server.fetchJson('/api/auth/me', cookie ? { cookie } : {});

test('returns the current user, and 401 without a session [S7.1-01, S7-02]', async () => {
  const cookie = await server.register('Current');
  const reply = await me(cookie);
  expect(reply.status).toBe(200);
  expect(sessionUserSchema.parse(reply.body)).toMatchObject({ username: 'Current', isAdmin: false });
  const signedOut = await me();
  expect(signedOut.status).toBe(401);
  expect(signedOut.body).toEqual({ error: 'Please log in to continue.', code: 'unauthenticated' });
});

test('the current user has a username and isAdmin [S3-13]', async () => {
  const cookie = await server.login('admin', server.adminPassword ?? '');
  expect((await me(cookie)).body).toMatchObject({ username: 'admin', isAdmin: true });
});

test('login returns the user and begins a session [S7.1-02, S4-02]', async () => {
  await server.register('Logger');
  const reply = await post('login', { username: 'Logger', password: PASSWORD });
  expect(reply.status).toBe(200);
  expect(sessionUserSchema.parse(reply.body).username).toBe('Logger');
  expect((await me(cookieOf(reply))).body).toEqual(reply.body);
});

test('registration is open to everyone and signs in [S7.1-03, S6-02]', async () => {
  const reply = await post('register', { username: 'Newcomer', password: PASSWORD });
  expect(reply.status).toBe(200);
  expect(sessionUserSchema.parse(reply.body)).toMatchObject({ username: 'Newcomer', isAdmin: false });
  expect((await me(cookieOf(reply))).status).toBe(200);
});

test('logout ends the session, in the store as well [S7.1-04, S4-02]', async () => {
  const cookie = await server.register('Leaver');
  const reply = await post('logout', {}, cookie);
  expect(reply).toMatchObject({ status: 200, body: { ok: true } });
  expect((await me(cookie)).status).toBe(401);
  expect(cookieOf(reply)).toContain('mintwatch.sid=;'.slice(0, -1));
  // A second click is no error.
  expect((await post('logout', {}, cookie)).status).toBe(200);
  expect((await server.fetchJson('/api/auth/logout', { method: 'POST' })).status).toBe(200);
});

test.each(['login', 'register'])(
  '%s refuses short names and passwords and names the fields [S5-01, S5-02]',
  async (call) => {
    const reply = await post(call, { username: 'ab', password: '12345' });
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({
      error: 'Some of the input is not valid.',
      code: 'invalid-input',
      details: {
        username: ['Username must be at least 3 characters'],
        password: ['Password must be at least 6 characters'],
      },
    });
  },
);

test('confirmPassword stays in the browser: the server refuses it like any unknown field [S5-03]', async () => {
  const reply = await post('register', { username: 'Confirmer', password: PASSWORD, confirmPassword: PASSWORD });
  expect(reply).toMatchObject({ status: 400, body: { details: { confirmPassword: ['is not known'] } } });
});

test('a wrong password and an unknown user fail with the same words [S5-04]', async () => {
  await server.register('Known');
  const wrong = await post('login', { username: 'Known', password: 'not the password' });
  const unknown = await post('login', { username: 'Unheard of', password: 'not the password' });
  expect(wrong.status).toBe(401);
  expect(wrong.body).toEqual({ error: 'Invalid username or password', code: 'wrong-credentials' });
  expect(unknown.status).toBe(401);
  expect(unknown.body).toEqual(wrong.body);
});

test('passwords are stored as argon2id, and nothing else of them [S5-05]', async () => {
  await server.register('Hashed', 'a very secret one');
  const user = await server.connection.collection('users').findOne({ username: 'Hashed' });
  expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(JSON.stringify(user)).not.toContain('a very secret one');
});

test.each(['TAKEN NAME', 'taken name', 'Ｔaken Name', ' Taken Name '])(
  '"%s" is the same name as Taken Name',
  async (name) => {
    await post('register', { username: 'Taken Name', password: PASSWORD });
    const reply = await post('register', { username: name, password: PASSWORD });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ error: 'This username is already taken.', code: 'username-taken' });
    expect((await post('login', { username: name, password: PASSWORD })).status).toBe(200);
  },
);

test.each(['Support', 'аdmin', 'Mintwatch-Bot', 'Operator'])('"%s" can\'t be registered', async (username) => {
  const reply = await post('register', { username, password: PASSWORD });
  expect(reply).toMatchObject({ status: 409, body: { code: 'username-taken' } });
});

test('a name of two alphabets is refused, and an invisible character is dropped', async () => {
  const text = 'Username must use the letters of one alphabet';
  expect(await post('register', { username: 'Мixed', password: PASSWORD })).toMatchObject({
    status: 400,
    body: { error: text, details: { username: [text] } },
  });
  const reply = await post('register', { username: 'Vis\u034Fible\u3164', password: PASSWORD });
  expect(sessionUserSchema.parse(reply.body).username).toBe('Visible');
});

test('a stored name with an invisible character logs in, and a new one is stored without it', async () => {
  const username = 'Moon \u2708\uFE0F';
  const { connection } = server;
  await server.register('Moon pilot');
  await connection
    .collection('users')
    .updateOne({ username: 'Moon pilot' }, { $set: { username, usernameKey: username.toLowerCase() } });
  expect(await post('login', { username, password: PASSWORD })).toMatchObject({ status: 200, body: { username } });
  // Keyboards add the invisible character to an emoji.
  const typed = 'Sun \u2600\uFE0F';
  await server.register(typed);
  expect(await post('login', { username: typed, password: PASSWORD })).toMatchObject({
    status: 200,
    body: { username: 'Sun \u2600' },
  });
});

test('of four registrations of one name at once, as many as one address may send, one wins', async () => {
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => post('register', { username: 'Contested', password: PASSWORD })),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(3);
});

test('a deactivated user is signed out everywhere and cannot sign in', async () => {
  const cookie = await server.register('Disabled');
  await server.connection.collection('users').updateOne({ username: 'Disabled' }, { $set: { isActive: false } });
  expect((await me(cookie)).status).toBe(401);
  const login = await post('login', { username: 'Disabled', password: PASSWORD });
  expect(login).toMatchObject({ status: 401, body: { code: 'wrong-credentials' } });
});

test('no response holds a password or its hash', async () => {
  const replies = [
    await post('register', { username: 'Discreet', password: 'what signedOut sees' }),
    await post('login', { username: 'Discreet', password: 'what signedOut sees' }),
  ];
  for (const { body } of replies)
    expect(Object.keys(sessionUserSchema.parse(body))).toEqual(['id', 'username', 'isAdmin', 'hasSecondFactor']);
});

test('logins, logouts and registrations are recorded with the address', async () => {
  const user = await person(server, 'Recorded');
  await post('logout', {}, user.cookie);
  const cookie = await server.login('Recorded');
  const { entries } = auditCalls.ofUser.output.parse(
    (await server.fetchJson(`/api/users/${user.id}/audit`, { cookie })).body,
  );
  expect(entries.map(({ action, actor, address }) => [action, actor, address])).toEqual([
    ['login', 'Recorded', '127.0.0.1'],
    ['logout', 'Recorded', '127.0.0.1'],
    ['registered', 'Recorded', '127.0.0.1'],
  ]);
});
