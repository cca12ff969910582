import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { createLoginLimits } from '../auth/login-limits.ts';
import { testServer } from '../test-server.ts';
import { builtFile } from '../testing/built.ts';
import { withDatabase } from '../testing/database.ts';
import { person, socketOf } from '../testing/people.ts';
import { noLimits, PASSWORD } from '../testing/server.ts';
import { type Order, operate, parseOrder } from './operate.ts';

const server = await testServer();
const root = await person(server, 'Root', { isAdmin: true });

/** Carries out an order with a typed password; null: generated. Returns the output and the failure. */
async function order(command: Order['command'], username: string, typed: string | null = PASSWORD) {
  const lines: string[] = [];
  const terminal = { askPassword: async () => typed, print: (line: string) => void lines.push(line) };
  const failure = await operate({ command, username }, { logLevel: 'silent' }, server.mongoUri, terminal).then(
    () => null,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return { output: lines.join('\n'), failure };
}

const login = (username: string, password: string) =>
  server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password } });
const recorded = async (action: string) => (await root.call(`/api/admin/audit?action=${action}`)).body;
const byOperator = (action: string, subject: string) => ({
  entries: expect.arrayContaining([
    expect.objectContaining({ action, subject, actor: 'operator', object: null, address: 'console' }),
  ]),
});

test('create makes an ordinary user who can sign in while the server runs', async () => {
  expect(await order('create', ' Alice ')).toMatchObject({ failure: null });
  expect(await login('Alice', PASSWORD)).toMatchObject({ status: 200, body: { username: 'Alice', isAdmin: false } });
  expect(await recorded('user-created')).toMatchObject(byOperator('user-created', 'Alice'));
});

test('create generates a password, shown once', async () => {
  const { output, failure } = await order('create', 'Bob', null);
  const [, made = ''] =
    /^Sign in as Bob with the password (\S{20}) \(shown this once; note it down\)\.$/m.exec(output) ?? [];
  expect(failure).toBeNull();
  expect(output.split(made)).toHaveLength(2);
  expect((await login('Bob', made)).status).toBe(200);
});

test.each<[Order['command'], string, string | null, string]>([
  ['create', 'ROOT', PASSWORD, 'There is a user "ROOT" already.'],
  ['create', 'ab', PASSWORD, 'Username must be at least 3 characters.'],
  ['create', 'New one', 'short', 'Password must be at least 6 characters.'],
  ['promote', 'Missing', PASSWORD, 'There is no user "Missing".'],
  ['reset-password', 'Missing', PASSWORD, 'There is no user "Missing".'],
  ['reset-password', 'Root', 'short', 'Password must be at least 6 characters.'],
  ['reset-password', 'Root', 'Password', 'This is one of the most common passwords. Please choose another one.'],
  ['reset-password', 'Root', 'root2026', 'The password must not be the username. Please choose another one.'],
  ['reset-second-factor', 'Root', null, '"Root" has two-step login switched off.'],
])('refuses %s %s %s in one line without a change or an entry', async (command, username, typed, text) => {
  const records = () => server.connection.collection('audit').countDocuments();
  const before = await records();
  expect(await order(command, username, typed)).toEqual({ output: '', failure: `StartError: ${text}` });
  expect(await records()).toBe(before);
  expect((await login('Root', PASSWORD)).status).toBe(200);
});

test('promote grants rights once and closes open sockets [S4-23]', async () => {
  const carol = await person(server, 'Carol');
  const socket = await socketOf(server, carol);
  const dropped = new Promise((resolve) => socket.once('disconnect', resolve));
  expect(await order('promote', 'carol')).toEqual({ output: '"Carol" is an administrator now.', failure: null });
  await dropped;
  expect((await carol.call('/api/auth/me')).body).toMatchObject({ isAdmin: true });
  expect(await recorded('admin-granted')).toMatchObject(byOperator('admin-granted', 'Carol'));
  const records = await recorded('admin-granted');
  expect(await order('promote', 'Carol')).toEqual({ output: '"Carol" is an administrator already.', failure: null });
  expect(await recorded('admin-granted')).toEqual(records);
});

test('reset-password replaces the password and ends the sessions of this user only', async () => {
  const dave = await person(server, 'Dave');
  await server.login('Dave');
  const { output } = await order('reset-password', 'DAVE', 'another horse');
  expect(output).toBe('"Dave" has a new password. Sessions ended: 2.');
  expect((await dave.call('/api/auth/me')).status).toBe(401);
  expect((await root.call('/api/auth/me')).status).toBe(200);
  expect((await login('Dave', PASSWORD)).status).toBe(401);
  expect((await login('Dave', 'another horse')).status).toBe(200);
  expect(await recorded('password-reset')).toMatchObject(byOperator('password-reset', 'Dave'));
});

test('reset-password ends a lockout after failed logins', async () => {
  await person(server, 'Frank');
  const one = { tries: 1, seconds: 600 };
  const limits = { ...noLimits, loginPerAccount: one, loginPerKnownBrowser: one };
  const guesses = await createLoginLimits(server.connection, limits, async () => {});
  const attempts = [null, 'zz-the_secret_of_a_browser'].map((browser) => ({
    account: 'frank',
    address: '203.0.113.1',
    browser,
  }));
  for (const guess of attempts) {
    await guesses.admit(guess);
    await expect(guesses.admit(guess)).rejects.toMatchObject({ code: 'too-many-requests' });
  }
  expect(await order('reset-password', 'Frank', 'another horse')).toMatchObject({ failure: null });
  for (const guess of attempts) await expect(guesses.admit(guess)).resolves.toBe('now');
});

test('reset-second-factor switches two-step login off', async () => {
  await person(server, 'Grace');
  const secondFactor = { sealed: 'AAAA', since: new Date(), lastStep: 0, recovery: [] };
  await server.connection.collection('users').updateOne({ username: 'Grace' }, { $set: { secondFactor } });
  expect(await login('Grace', PASSWORD)).toMatchObject({ status: 401, body: { code: 'code-needed' } });
  expect(await order('reset-second-factor', 'grace')).toMatchObject({ failure: null });
  expect((await login('Grace', PASSWORD)).status).toBe(200);
  expect(await recorded('second-factor-off')).toMatchObject(byOperator('second-factor-off', 'Grace'));
});

test.each([[[]], [['create']], [['promote', 'a', 'b']], [['delete', 'Root']], [['__proto__', 'Root']]])(
  'refuses %j as an order',
  (args) => {
    expect(parseOrder(args)).toBeNull();
  },
);

/** Runs the command as a container does. */
function spawned(args: string[], input: string, mongoUri = server.mongoUri) {
  const env = { PATH: process.env.PATH, MONGODB_URI: mongoUri, LOG_LEVEL: 'silent' };
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [builtFile('api/admin/operate.ts'), ...args],
      { env },
      (_error, output, errors) => {
        resolve({ code: child.exitCode, output, errors });
      },
    );
    child.stdin?.end(input);
  });
}

test('reads the password from the input, never prints it, and sets the exit code', async () => {
  const created = await spawned(['create', 'Erin'], 'from the input\n');
  expect(created).toMatchObject({ code: 0, errors: '' });
  expect(created.output).not.toContain('from the input');
  expect((await login('Erin', 'from the input')).status).toBe(200);
  expect(await spawned(['create', 'Erin'], 'x\n')).toEqual({
    code: 1,
    output: '',
    errors: 'There is a user "Erin" already.\n',
  });
  expect(await spawned(['nonsense'], '')).toMatchObject({
    code: 2,
    output: '',
    errors: expect.stringMatching(/^Usage: /),
  });
}, 60_000);

test('creates the user in a new database as well', async () => {
  const uri = withDatabase(server.mongoUri, `${server.connection.name}-new`);
  const terminal = { askPassword: async () => PASSWORD, print: () => {} };
  await operate({ command: 'create', username: 'First' }, { logLevel: 'silent' }, uri, terminal);
  const fresh = server.connection.useDb(`${server.connection.name}-new`);
  expect(await fresh.collection('users').countDocuments({ username: 'First', isAdmin: false })).toBe(1);
});
