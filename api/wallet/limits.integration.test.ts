import { afterEach, expect, test } from 'vitest';
import { startTestServer } from '../test-server.ts';
import { noLimits, PASSWORD, type TestServer } from '../testing/server.ts';
import { testWallet, userIdOf } from '../testing/wallets.ts';

const MINUTES = { tries: 3, seconds: 600 };
let server: TestServer;

afterEach(() => server.stop());

async function newUser(name: string) {
  const cookie = await server.register(name);
  const path = `/api/users/${await userIdOf(server, cookie)}/wallet`;
  const post = (call: string, json: unknown) => server.fetchJson(`${path}${call}`, { method: 'POST', json, cookie });
  await post('', testWallet(1));
  return { cookie, post, reveal: (password: string) => post('/reveal', { password }) };
}

test('wrong passwords before a key are limited per user, also when all are sent at once [S7.2-03]', async () => {
  server = await startTestServer({ limits: { ...noLimits, walletPasswordPerUser: MINUTES } });
  const [user, other] = [await newUser('Attacked'), await newUser('Another')];
  const guesses = await Promise.all(Array.from({ length: 8 }, (_, guess) => user.reveal(`guess ${guess}`)));
  const countOf = (status: number) => guesses.filter((guess) => guess.status === status).length;
  expect([countOf(403), countOf(429)]).toEqual([MINUTES.tries, 8 - MINUTES.tries]);
  const right = await user.reveal(PASSWORD);
  expect(right).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
  expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await user.post('/recover', { id: 'a'.repeat(24), password: PASSWORD })).status).toBe(429);
  expect((await other.reveal(PASSWORD)).status).toBe(200);
});

test('the right password resets the count', async () => {
  server = await startTestServer({ limits: { ...noLimits, walletPasswordPerUser: MINUTES } });
  const user = await newUser('Forgetful');
  for (let round = 0; round < 3; round += 1) {
    expect((await user.reveal('a wrong guess')).status).toBe(403);
    expect((await user.reveal(PASSWORD)).status).toBe(200);
  }
});

test('changes of wallets and looks at keys are limited per user: each is recorded', async () => {
  server = await startTestServer({ limits: { ...noLimits, walletUsePerUser: MINUTES } });
  const user = await newUser('Busy');
  expect((await user.reveal(PASSWORD)).status).toBe(200);
  expect((await user.post('', testWallet(2))).status).toBe(200);
  expect((await user.post('', testWallet(3))).status).toBe(429);
  expect((await user.reveal(PASSWORD)).status).toBe(429);
  const settings = (json: unknown) =>
    server.fetchJson('/api/settings', { method: 'PATCH', json, cookie: user.cookie }).then(({ status }) => status);
  expect(await settings({ walletAddress: testWallet(3).walletAddress, replaceKey: true })).toBe(429);
  expect(await settings({ walletAddress: testWallet(2).walletAddress })).toBe(200);
});
