import { describe, expect, test } from 'vitest';
import { auditCalls } from '../../common/audit/http.ts';
import { authCalls } from '../../common/auth/http.ts';
import { HOUR, MINUTE } from '../../common/time.ts';
import { testServer } from '../test-server.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { cookieOf, PASSWORD, type Reply } from '../testing/server.ts';
import { testWallet } from '../testing/wallets.ts';
import { codeOf, switchOn } from './testing/two-step.ts';

const NEW_PASSWORD = 'battery staple';

const server = await testServer();

const post = (who: Person, path: string, json: unknown) => who.call(`/api/auth/${path}`, { method: 'POST', json });
const login = (username: string, password: string, more: object = {}) =>
  server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password, ...more } });
const meStatus = async (cookie: string) => (await server.fetchJson('/api/auth/me', { cookie })).status;
const sessionsOf = async (who: Person) => authCalls.sessions.output.parse((await who.call('/api/auth/sessions')).body);
const actionsOf = async (who: Person) =>
  auditCalls.ofUser.output
    .parse((await who.call(`/api/users/${who.id}/audit`)).body)
    .entries.map(({ action }) => action);
const secretIdOf = (cookie: string) => /mintwatch\.sid=([^;]+)/.exec(cookie)?.[1] ?? '';

/** Moves the times of a session back. */
async function age(cookie: string, ms: number, fields: 'login' | 'confirmation'): Promise<void> {
  const sessions = server.connection.collection<{ _id: string }>('sessions');
  const at = new Date(Date.now() - ms);
  const times = fields === 'login' ? { createdAt: at, 'data.since': at.getTime() } : { confirmedAt: at };
  expect((await sessions.updateOne({ _id: secretIdOf(cookie) }, { $set: times })).matchedCount).toBe(1);
}

describe('a new password', () => {
  test('replaces the old one, ends the other sessions with their sockets, and keeps this one under a new id', async () => {
    const user = await person(server, 'Changer');
    const other = { cookie: await server.login('Changer') };
    const socket = await socketOf(server, other);
    const dropped = new Promise((resolve) => socket.once('disconnect', resolve));
    const reply = await post(user, 'password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect(reply).toMatchObject({ status: 200, body: { ok: true } });
    await dropped;
    expect(await meStatus(other.cookie)).toBe(401);
    expect(await meStatus(user.cookie)).toBe(401);
    expect(await meStatus(cookieOf(reply))).toBe(200);
    expect((await login('Changer', PASSWORD)).status).toBe(401);
    expect((await login('Changer', NEW_PASSWORD)).status).toBe(200);
    expect(await actionsOf({ ...user, call: (path) => server.fetchJson(path, { cookie: cookieOf(reply) }) })).toEqual([
      'login',
      'login-failed',
      'password-changed',
      'login',
      'registered',
    ]);
  });

  test.each([
    ['password', 'This is one of the most common passwords. Please choose another one.'],
    ['weakling1', 'The password must not be the username. Please choose another one.'],
    ['short', 'Password must be at least 6 characters'],
  ])('is refused when it is easy to guess: %s', async (password, text) => {
    const username = 'Weakling'.padEnd(8 + password.length, '!');
    const json = { username, password };
    const registration = await server.fetchJson('/api/auth/register', { method: 'POST', json });
    expect(registration).toMatchObject({ status: 400, body: { details: { password: [text] } } });
    const user = await person(server, username);
    const change = await post(user, 'password', { currentPassword: PASSWORD, newPassword: password });
    expect(change).toMatchObject({ status: 400, body: { details: { newPassword: [text] } } });
  });

  test('needs the current one', async () => {
    const user = await person(server, 'Stolen');
    const reply = await post(user, 'password', { currentPassword: 'a wrong guess', newPassword: NEW_PASSWORD });
    const text = 'This is not your password.';
    expect(reply).toMatchObject({
      status: 403,
      body: { code: 'wrong-password', details: { currentPassword: [text] } },
    });
    expect((await login('Stolen', PASSWORD)).status).toBe(200);
    expect(await actionsOf(user)).toContain('confirmation-refused');
  });
});

describe('sessions', () => {
  test('are listed with device, address and times, without their secret ids', async () => {
    const user = await person(server, 'Lister');
    const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';
    await server.fetchJson('/api/auth/login', {
      method: 'POST',
      json: { username: 'Lister', password: PASSWORD },
      headers: { 'User-Agent': agent },
    });
    const sessions = await sessionsOf(user);
    expect(sessions.map(({ device, isCurrent, address }) => ({ device, isCurrent, address }))).toEqual([
      { device: 'Firefox on Windows', isCurrent: false, address: '127.0.0.1' },
      { device: null, isCurrent: true, address: '127.0.0.1' },
    ]);
    expect(JSON.stringify(sessions)).not.toContain(secretIdOf(user.cookie));
  });

  test('can be ended one by one, with their sockets, and only by their user', async () => {
    const user = await person(server, 'Ender');
    const stranger = await person(server, 'Stranger');
    const other = { cookie: await server.login('Ender') };
    const socket = await socketOf(server, other);
    const dropped = new Promise((resolve) => socket.once('disconnect', resolve));
    const id = (await sessionsOf(user)).find(({ isCurrent }) => !isCurrent)?.id;
    expect((await stranger.call(`/api/auth/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await user.call(`/api/auth/sessions/${id}`, { method: 'DELETE' })).status).toBe(200);
    await dropped;
    expect(await meStatus(other.cookie)).toBe(401);
    expect((await user.call(`/api/auth/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await meStatus(user.cookie)).toBe(200);
  });

  test('all others can be ended at once', async () => {
    const user = await person(server, 'Cleaner');
    const others = [await server.login('Cleaner'), await server.login('Cleaner')];
    const reply = await user.call('/api/auth/sessions', { method: 'DELETE' });
    expect(reply).toMatchObject({ status: 200, body: { ended: 2 } });
    expect(await Promise.all([...others, user.cookie].map(meStatus))).toEqual([401, 401, 200]);
    expect(await actionsOf(user)).toContain('sessions-ended');
  });

  test('end 30 days after the login, those of administrators after 12 hours, for sockets as well', async () => {
    const user = await person(server, 'Longtime');
    const admin = await person(server, 'Longtime admin', { isAdmin: true });
    const socket = await socketOf(server, admin);
    const dropped = new Promise((resolve) => socket.once('disconnect', resolve));
    for (const { cookie } of [user, admin]) await age(cookie, 12 * HOUR + MINUTE, 'login');
    // A session is read once a second at most.
    await expect.poll(() => meStatus(admin.cookie)).toBe(401);
    expect(await meStatus(user.cookie)).toBe(200);
    await dropped;
    await expect(socketOf(server, admin)).rejects.toMatchObject({ data: { code: 'unauthenticated' } });
    await age(user.cookie, 30 * 24 * HOUR + MINUTE, 'login');
    await expect.poll(() => meStatus(user.cookie)).toBe(401);
  });
});

describe('the password is asked for again', () => {
  /** The calls that need it, each as a request that would change something. */
  const calls: [name: string, make: (admin: Person, user: Person) => Promise<Reply>][] = [
    [
      'granting administrator rights',
      (admin, user) => admin.call(`/api/admin/users/${user.id}`, { method: 'PATCH', json: { isAdmin: true } }),
    ],
    ['removing all tokens', (admin) => admin.call('/api/maintenance/remove-all-tokens', { method: 'POST' })],
    ['a broadcast', (admin) => admin.call('/api/broadcast-message', { method: 'POST', json: { message: 'Hello' } })],
    ['setting up two-step login', (admin) => post(admin, 'second-factor/setup', undefined)],
  ];

  test.each(calls)('for %s, once the last proof is 5 minutes old', async (name, make) => {
    const admin = await person(server, `Admin ${name}`.slice(0, 30), { isAdmin: true });
    const user = await person(server, `User ${name}`.slice(0, 30));
    await age(admin.cookie, 5 * MINUTE, 'confirmation');
    expect(await make(admin, user)).toMatchObject({
      status: 403,
      body: { code: 'password-needed', error: 'Please enter your password to continue.' },
    });
    expect((await post(admin, 'confirm', { password: 'a wrong guess' })).status).toBe(403);
    expect((await make(admin, user)).body).toMatchObject({ code: 'password-needed' });
    expect((await post(admin, 'confirm', { password: PASSWORD })).status).toBe(200);
    expect(await make(admin, user)).not.toMatchObject({ body: { code: 'password-needed' } });
  });
});

test('replacing a wallet needs a recent password, saving the first one does not', async () => {
  const user = await person(server, 'Holder');
  const save = (number: number) =>
    user.call(`/api/users/${user.id}/wallet`, { method: 'POST', json: testWallet(number) });
  const setAddress = (number: number) =>
    user.call('/api/settings', {
      method: 'PATCH',
      json: { walletAddress: testWallet(number).walletAddress, replaceKey: true },
    });
  await age(user.cookie, 5 * MINUTE, 'confirmation');
  expect((await save(32)).status).toBe(200);
  expect((await save(32)).status).toBe(200);
  expect((await save(33)).body).toMatchObject({ code: 'password-needed' });
  expect((await setAddress(33)).body).toMatchObject({ code: 'password-needed' });
  expect((await setAddress(32)).status).toBe(200);
  expect((await post(user, 'confirm', { password: PASSWORD })).status).toBe(200);
  expect((await setAddress(33)).status).toBe(200);
  expect((await save(32)).status).toBe(200);
});

describe('two-step login', () => {
  test('is on after a right code, ends the other sessions, and a login then asks for one', async () => {
    const user = await person(server, 'Careful');
    const { secret, uri } = authCalls.setUpSecondFactor.output.parse(
      (await post(user, 'second-factor/setup', undefined)).body,
    );
    expect(uri).toContain('otpauth://totp/Mintwatch:Careful?');
    const wrong = codeOf(secret) === '000000' ? '111111' : '000000';
    expect((await post(user, 'second-factor', { code: wrong })).body).toMatchObject({ code: 'wrong-code' });
    // Not confirmed: the login is as before.
    const other = await server.login('Careful');
    const { body } = await post(user, 'second-factor', { code: codeOf(secret) });
    expect(new Set(authCalls.enableSecondFactor.output.parse(body).recoveryCodes).size).toBe(10);
    expect((await user.call('/api/auth/me')).body).toMatchObject({ hasSecondFactor: true });
    expect(await meStatus(other)).toBe(401);
    expect((await actionsOf(user)).slice(0, 2)).toEqual(['sessions-ended', 'second-factor-on']);
    expect(await login('Careful', PASSWORD)).toMatchObject({ status: 401, body: { code: 'code-needed' } });
    expect(await login('Careful', 'a wrong guess', { code: codeOf(secret) })).toMatchObject({ status: 401 });
    // The present code is used up.
    expect((await login('Careful', PASSWORD, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test('accepts no code twice, nor one of an earlier step', async () => {
    const user = await person(server, 'Replayed');
    const { secret } = await switchOn(server, user);
    const code = codeOf(secret);
    const replies = await Promise.all(Array.from({ length: 4 }, () => login('Replayed', PASSWORD, { code })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(3);
    expect((await login('Replayed', PASSWORD, { code: codeOf(secret, -1) })).status).toBe(403);
    expect((await login('Replayed', PASSWORD, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test('accepts each recovery code once, in any spelling', async () => {
    const user = await person(server, 'Lost phone');
    const { recoveryCodes } = await switchOn(server, user);
    const [first = '', second = ''] = recoveryCodes;
    expect((await login('Lost phone', PASSWORD, { code: first.toLowerCase().replaceAll('-', ' ') })).status).toBe(200);
    expect((await login('Lost phone', PASSWORD, { code: first })).status).toBe(403);
    expect((await login('Lost phone', PASSWORD, { code: second })).status).toBe(200);
    expect((await user.call('/api/auth/second-factor')).body).toMatchObject({ isOn: true, recoveryCodesLeft: 8 });
    const reply = await post(user, 'second-factor/recovery-codes', { password: PASSWORD, code: recoveryCodes[2] });
    const { recoveryCodes: renewed } = authCalls.renewRecoveryCodes.output.parse(reply.body);
    expect((await login('Lost phone', PASSWORD, { code: recoveryCodes[3] })).status).toBe(403);
    expect((await login('Lost phone', PASSWORD, { code: renewed[0] })).status).toBe(200);
    expect(await actionsOf(user)).toEqual(expect.arrayContaining(['recovery-code-used', 'recovery-codes-renewed']));
  });

  test('is switched off by password and code, and stored without the secret in clear', async () => {
    const user = await person(server, 'Back again');
    const { secret, recoveryCodes } = await switchOn(server, user);
    const stored = JSON.stringify(await server.connection.collection('users').findOne({ username: 'Back again' }));
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
      expect(stored).not.toContain(text);
    }
    expect((await post(user, 'second-factor/off', { password: PASSWORD })).body).toMatchObject({ code: 'code-needed' });
    const code = recoveryCodes[0];
    expect((await post(user, 'second-factor/off', { password: 'a wrong guess', code })).status).toBe(403);
    expect((await post(user, 'second-factor/off', { password: PASSWORD, code })).status).toBe(200);
    expect((await login('Back again', PASSWORD)).status).toBe(200);
    expect((await user.call('/api/auth/second-factor')).body).toEqual({
      isOn: false,
      since: null,
      recoveryCodesLeft: 0,
    });
  });

  test('a confirmation and a new password need a code as well', async () => {
    const user = await person(server, 'Twofold');
    const { recoveryCodes } = await switchOn(server, user);
    expect((await post(user, 'confirm', { password: PASSWORD })).body).toMatchObject({ code: 'code-needed' });
    expect((await post(user, 'confirm', { password: PASSWORD, code: recoveryCodes[0] })).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await post(user, 'password', change)).body).toMatchObject({ code: 'code-needed' });
    expect((await post(user, 'password', { ...change, code: recoveryCodes[1] })).status).toBe(200);
  });

  test('the private key of a wallet is revealed with a code only', async () => {
    const user = await person(server, 'Wealthy');
    const { recoveryCodes } = await switchOn(server, user);
    const path = `/api/users/${user.id}/wallet`;
    const wallet = testWallet(31);
    expect((await user.call(path, { method: 'POST', json: wallet })).status).toBe(200);
    const reveal = (json: object) => user.call(`${path}/reveal`, { method: 'POST', json });
    expect((await reveal({ password: PASSWORD })).body).toMatchObject({ code: 'code-needed' });
    expect((await reveal({ password: PASSWORD, code: recoveryCodes[0] })).body).toEqual(wallet);
  });
});
