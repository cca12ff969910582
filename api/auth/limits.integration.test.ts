import { afterEach, expect, test } from 'vitest';
import { startTestServer } from '../test-server.ts';
import { noLimits, PASSWORD, type TestServer } from '../testing/server.ts';

const MINUTES = { tries: 3, seconds: 600 };
let server: TestServer;

afterEach(() => server.stop());

const post = (call: string, username: string, password: string, from = '198.51.100.1') =>
  server.fetchJson(`/api/auth/${call}`, {
    method: 'POST',
    json: { username, password },
    headers: { 'X-Forwarded-For': from },
  });

function expectLimited(reply: Awaited<ReturnType<typeof post>>): void {
  expect(reply.status).toBe(429);
  expect(reply.body).toEqual({
    error: 'Too many attempts. Please wait a moment and try again.',
    code: 'too-many-requests',
  });
  const wait = Number(reply.headers.get('Retry-After'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(MINUTES.seconds);
}

test('wrong passwords for one account are limited per address, whether it exists or not', async () => {
  server = await startTestServer({ limits: { ...noLimits, loginPerAccount: MINUTES } });
  await server.register('Attacked');
  for (const name of ['Attacked', 'Not there']) {
    for (let round = 0; round < MINUTES.tries; round += 1) {
      expect((await post('login', name, 'a wrong guess')).status).toBe(401);
    }
    expectLimited(await post('login', name.toUpperCase(), PASSWORD));
    // Invisible characters do not make another account of it.
    expectLimited(await post('login', `${name}\u034F`, PASSWORD));
  }
  expect((await post('login', 'Attacked', PASSWORD, '203.0.113.5')).status).toBe(200);
});

test('no number of wrong passwords keeps the only administrator out', async () => {
  const limits = {
    ...noLimits,
    loginPerAccount: MINUTES,
    loginPerAccountInAll: { ...MINUTES, tries: 2 * MINUTES.tries },
  };
  server = await startTestServer({ limits });
  const password = server.adminPassword ?? '';
  const known = await server.login('admin', password);
  const browser = /mintwatch\.known=.*/.exec(known)?.[0] ?? '';
  for (let round = 0; round < MINUTES.tries; round += 1) {
    expect((await post('login', 'admin', 'a wrong guess', `198.51.100.${10 + round}`)).status).toBe(401);
    expect((await post('login', 'admin', 'a wrong guess')).status).toBe(401);
  }
  expectLimited(await post('login', 'admin', password));
  // A stranger's guesses from one address leave places to wait for others.
  const statuses: number[] = [];
  const guesses = Array.from({ length: 4 }, async () => {
    statuses.push((await post('login', 'admin', 'a wrong guess', '198.51.100.99')).status);
  });
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(3);
  // From another address it takes longer, and from a known browser it does not matter where from.
  expect((await post('login', 'admin', password, '203.0.113.5')).status).toBe(200);
  await Promise.all(guesses);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  const json = { username: 'admin', password };
  const headers = { 'X-Forwarded-For': '198.51.100.1', cookie: browser };
  expect((await server.fetchJson('/api/auth/login', { method: 'POST', json, headers })).status).toBe(200);
});

test('wrong passwords from a known browser have a limit of their own, for this account alone', async () => {
  server = await startTestServer({ limits: { ...noLimits, loginPerKnownBrowser: MINUTES } });
  const cookie = /mintwatch\.known=.*/.exec(await server.register('Typist'))?.[0] ?? '';
  const guess = (password: string, username = 'Typist') =>
    server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password }, cookie });
  for (let round = 0; round < MINUTES.tries; round += 1) expect((await guess('a wrong guess')).status).toBe(401);
  expectLimited(await guess(PASSWORD));
  expect((await guess('a wrong guess', 'Another')).status).toBe(401);
  expect((await post('login', 'Typist', PASSWORD)).status).toBe(200);
});

test('the right password resets the count', async () => {
  server = await startTestServer({ limits: { ...noLimits, loginPerAccount: MINUTES } });
  await server.register('Forgetful');
  for (let round = 0; round < 4; round += 1) {
    expect((await post('login', 'Forgetful', 'a wrong guess')).status).toBe(401);
    expect((await post('login', 'Forgetful', PASSWORD)).status).toBe(200);
  }
});

test('logins are limited per address, whatever the account', async () => {
  server = await startTestServer({ limits: { ...noLimits, loginPerAddress: MINUTES } });
  for (let round = 0; round < MINUTES.tries; round += 1) {
    expect((await post('login', `User ${round}`, 'a wrong guess')).status).toBe(401);
  }
  expectLimited(await post('login', 'Another', 'a wrong guess'));
  expect((await post('login', 'Another', 'a wrong guess', '203.0.113.5')).status).toBe(401);
});

test('registrations are limited per address', async () => {
  server = await startTestServer({ limits: { ...noLimits, registerPerAddress: MINUTES } });
  for (let round = 0; round < MINUTES.tries; round += 1) {
    expect((await post('register', `User ${round}`, PASSWORD)).status).toBe(200);
  }
  expectLimited(await post('register', 'One more', PASSWORD));
});

test('the count outlives a restart', async () => {
  const limits = { ...noLimits, loginPerAccount: MINUTES };
  server = await startTestServer({ limits });
  for (let round = 0; round < MINUTES.tries; round += 1) await post('login', 'Attacked', 'a wrong guess');
  const { mongoUri } = server;
  await server.stop();
  server = await startTestServer({ limits, mongoUri });
  expectLimited(await post('login', 'Attacked', 'a wrong guess'));
});

test('one address cannot use up the logins of all', async () => {
  const limits = { ...noLimits, loginPerAddress: MINUTES, enterInAll: { tries: 5, seconds: 600 } };
  server = await startTestServer({ limits });
  await server.register('Guest');
  for (let round = 0; round < 10; round += 1) await post('login', 'Guest', 'a wrong guess');
  expectLimited(await post('login', 'Guest', PASSWORD));
  expect((await post('login', 'Guest', PASSWORD, '203.0.113.5')).status).toBe(200);
  // The registration, three guesses and this login: the bound of all.
  expectLimited(await post('login', 'Guest', PASSWORD, '203.0.113.6'));
});
