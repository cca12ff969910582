import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOGINS_OF_ACCOUNT } from '../auth/service.ts';
import { createLimiter } from '../http/rate-limits.ts';
import { withDatabase } from '../testing/database.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts';
import { type Order, operate, readOrder } from './operate.ts';

let server: TestServer;
let root: Person;

beforeAll(async () => {
  server = await startTestServer();
  root = await person(server, 'Root', { isAdmin: true });
});
afterAll(() => server.stop());

/** What an operator sees who types this password. */
async function order(command: Order['command'], username: string, typed: string | null = PASSWORD) {
  const said: string[] = [];
  const terminal = { askPassword: async () => typed, say: (line: string) => void said.push(line) };
  const failure = await operate({ command, username }, { logLevel: 'silent' }, server.mongoUri, terminal).then(
    () => null,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return { said: said.join('\n'), failure };
}

const login = (username: string, password: string) =>
  server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password } });
const onRecord = async (action: string) => (await root.call(`/api/admin/audit?action=${action}`)).body;
const byOperator = (action: string, subject: string) => ({
  entries: expect.arrayContaining([
    expect.objectContaining({ action, subject, actor: 'operator', object: null, address: 'console' }),
  ]),
});

test('create makes a user who can sign in and is no administrator, with the server running', async () => {
  expect(await order('create', ' Alice ')).toMatchObject({ failure: null });
  expect(await login('Alice', PASSWORD)).toMatchObject({ status: 200, body: { username: 'Alice', isAdmin: false } });
  expect(await onRecord('user-created')).toMatchObject(byOperator('user-created', 'Alice'));
});

test('a password that is made is shown once, and works', async () => {
  const { said, failure } = await order('create', 'Bob', null);
  const [, made = ''] =
    /^Sign in as Bob with the password (\S{20}) \(shown this once; note it down\)\.$/m.exec(said) ?? [];
  expect(failure).toBeNull();
  expect(said.split(made)).toHaveLength(2);
  expect((await login('Bob', made)).status).toBe(200);
});

test.each<[Order['command'], string, string | null, string]>([
  ['create', 'ROOT', PASSWORD, 'There is a user "ROOT" already.'],
  ['create', 'ab', PASSWORD, 'Username must be at least 3 characters.'],
  ['create', 'New one', 'short', 'Password must be at least 6 characters.'],
  ['promote', 'Nobody', PASSWORD, 'There is no user "Nobody".'],
  ['reset-password', 'Nobody', PASSWORD, 'There is no user "Nobody".'],
  ['reset-password', 'Root', 'short', 'Password must be at least 6 characters.'],
])('%s %s %s is refused in one line, and nothing is changed or recorded', async (command, username, typed, text) => {
  const records = () => server.connection.collection('audit').countDocuments();
  const before = await records();
  expect(await order(command, username, typed)).toEqual({ said: '', failure: `StartError: ${text}` });
  expect(await records()).toBe(before);
  expect((await login('Root', PASSWORD)).status).toBe(200);
});

test('promote makes an administrator; open sockets are dropped, and a second time changes nothing [S4-23]', async () => {
  const carol = await person(server, 'Carol');
  const socket = await socketOf(server, carol);
  const dropped = new Promise((resolve) => socket.once('disconnect', resolve));
  expect(await order('promote', 'carol')).toEqual({ said: '"Carol" is an administrator now.', failure: null });
  await dropped;
  expect((await carol.call('/api/auth/me')).body).toMatchObject({ isAdmin: true });
  expect(await onRecord('admin-granted')).toMatchObject(byOperator('admin-granted', 'Carol'));
  const records = await onRecord('admin-granted');
  expect(await order('promote', 'Carol')).toEqual({ said: '"Carol" is an administrator already.', failure: null });
  expect(await onRecord('admin-granted')).toEqual(records);
});

test('reset-password lets in with the new one only, and ends all sessions of this user and no other', async () => {
  const dave = await person(server, 'Dave');
  await server.login('Dave');
  const { said } = await order('reset-password', 'DAVE', 'another horse');
  expect(said).toBe('"Dave" has a new password. Sessions ended: 2.');
  expect((await dave.call('/api/auth/me')).status).toBe(401);
  expect((await root.call('/api/auth/me')).status).toBe(200);
  expect((await login('Dave', PASSWORD)).status).toBe(401);
  expect((await login('Dave', 'another horse')).status).toBe(200);
  expect(await onRecord('password-reset')).toMatchObject(byOperator('password-reset', 'Dave'));
});

test('who was locked out by wrong guesses gets in with the new password at once', async () => {
  await person(server, 'Frank');
  const guesses = await createLimiter(server.connection, LOGINS_OF_ACCOUNT, { tries: 1, seconds: 600 });
  await guesses.count('frank');
  await expect(guesses.count('frank')).rejects.toMatchObject({ code: 'too-many-requests' });
  expect(await order('reset-password', 'Frank', 'another horse')).toMatchObject({ failure: null });
  await expect(guesses.count('frank')).resolves.toBeUndefined();
});

test.each([[[]], [['create']], [['promote', 'a', 'b']], [['delete', 'Root']], [['__proto__', 'Root']]])(
  '%j is no order',
  (args) => {
    expect(readOrder(args)).toBeNull();
  },
);

/** As a container runs it, save that nothing is built. */
function spawned(args: string[], input: string, mongoUri = server.mongoUri) {
  const env = { PATH: process.env.PATH, MONGODB_URI: mongoUri, LOG_LEVEL: 'silent' };
  const file = path.join(import.meta.dirname, 'operate.ts');
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    const child = execFile(process.execPath, ['--import', 'tsx', file, ...args], { env }, (_error, output, errors) => {
      resolve({ code: child.exitCode, output, errors });
    });
    child.stdin?.end(input);
  });
}

test('as a command: the password from the input, exit codes, and never the password in what it says', async () => {
  const made = await spawned(['create', 'Erin'], 'from the input\n');
  expect(made).toMatchObject({ code: 0, errors: '' });
  expect(made.output).not.toContain('from the input');
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

test('a new database gets the user as well', async () => {
  const uri = withDatabase(server.mongoUri, `${server.connection.name}-new`);
  const terminal = { askPassword: async () => PASSWORD, say: () => {} };
  await operate({ command: 'create', username: 'First' }, { logLevel: 'silent' }, uri, terminal);
  const fresh = server.connection.useDb(`${server.connection.name}-new`);
  expect(await fresh.collection('users').countDocuments({ username: 'First', isAdmin: false })).toBe(1);
});
