import { afterEach, describe, expect, test } from 'vitest';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { tokenStatsSchema } from '../../common/tokens/model.ts';
import { startTestServer } from '../test-server.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { noLimits, type TestServer } from '../testing/server.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';

const { path: PATH, output } = maintenanceCalls.cleanupMockTokens;
const KEY = 'a-key-of-24-characters-or-more';

let server: TestServer;
afterEach(() => server.stop());

const cleanUp = (who: Person) => who.call(PATH, { method: 'POST' });

describe('access to the clean-up', () => {
  test('is for administrators [S7.3-01]', async () => {
    server = await startTestServer();
    const [user, admin] = [await person(server, 'User'), await person(server, 'Root', { isAdmin: true })];
    expect(await server.fetchJson(PATH, { method: 'POST' })).toMatchObject({ status: 401 });
    expect(await cleanUp(user)).toMatchObject({
      status: 403,
      body: { error: "You don't have permission to access this resource", code: 'forbidden' },
    });
    const { status, body } = await cleanUp(admin);
    expect([status, output.parse(body)]).toEqual([200, { message: 'Successfully cleaned up 0 mock tokens', count: 0 }]);
    expect(await admin.call(PATH, { method: 'POST', json: { all: true } })).toMatchObject({ status: 400 });
  });

  const withKey = (key: string, cookie?: string, from = '127.0.0.1') =>
    server.fetchJson(PATH, {
      method: 'POST',
      headers: { [ADMIN_KEY_HEADER]: key, 'X-Forwarded-For': from },
      ...(cookie === undefined ? {} : { cookie }),
    });

  test('is granted by the direct admin key, which opens no other calls [S7.3-01]', async () => {
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY } });
    expect(await withKey(KEY)).toMatchObject({ status: 200, body: { count: 0 } });
    const wrong = { status: 403, body: { code: 'forbidden', error: 'This is not the admin key.' } };
    for (const key of [`${KEY}x`, KEY.slice(1), KEY.toUpperCase(), 'x'])
      expect(await withKey(key)).toMatchObject(wrong);
    expect(await server.fetchJson(PATH, { method: 'POST' })).toMatchObject({ status: 401 });
    const { cookie } = await person(server, 'User');
    expect(await withKey(KEY, cookie)).toMatchObject({ status: 200 });
    const headers = { [ADMIN_KEY_HEADER]: KEY };
    expect(await server.fetchJson('/api/auto-buy-rules', { headers })).toMatchObject({ status: 401 });
    const admin = await person(server, 'Root', { isAdmin: true });
    expect(await withKey('x', admin.cookie)).toMatchObject({ status: 200 });
  });

  const recorded = () =>
    server.connection
      .collection('audit')
      .find({ action: /^admin-key/ })
      .sort({ _id: 1 })
      .toArray();

  test('accepts no key when none is configured [S7.3-01, S6-09]', async () => {
    server = await startTestServer();
    for (const key of [KEY, 'null', 'undefined']) {
      expect(await withKey(key)).toMatchObject({ status: 403, body: { error: 'Direct access is switched off.' } });
    }
    expect(await recorded()).toEqual([]);
  });

  test('records each use of a key within the rate limit, never the key itself [S7.3-01, S6-10]', async () => {
    const limits = { ...noLimits, adminKeyPerAddress: { tries: 2, seconds: 60 } };
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY }, limits });
    for (const key of [KEY, 'wrong', KEY, 'wrong', 'wrong', 'wrong']) await withKey(key);
    const records = await recorded();
    const [used, refused] = ['admin-key-used', 'admin-key-refused'];
    expect(records.map(({ action }) => action)).toEqual([used, refused, used, refused, refused]);
    for (const { _id, at, action, ...record } of records) {
      expect(at).toBeInstanceOf(Date);
      expect(record).toEqual({
        actorId: null,
        actorName: 'direct-admin-key',
        subjectId: null,
        object: PATH,
        address: '127.0.0.1',
      });
    }
  });

  test('limits wrong keys per address; a right one resets the count [S7.3-01, S6-10]', async () => {
    const limits = { ...noLimits, adminKeyPerAddress: { tries: 3, seconds: 60 } };
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY }, limits });
    for (const key of ['wrong', 'wrong', KEY]) await withKey(key);
    const replies = [];
    for (let tries = 0; tries < 4; tries += 1) replies.push(await withKey('wrong'));
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 429]);
    expect(await withKey(KEY)).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
    expect(replies[3]?.headers.get('Retry-After')).toMatch(/^\d+$/);
  });

  test('limits wrong keys of all addresses together [S7.3-01, S6-10]', async () => {
    const limits = { ...noLimits, adminKey: { tries: 3, seconds: 60 } };
    server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY }, limits });
    const statuses = [];
    for (const number of [1, 2, 3, 4]) {
      statuses.push((await withKey('wrong', undefined, `203.0.113.${number}`)).status);
    }
    expect(statuses).toEqual([403, 403, 403, 429]);
    expect(await recorded()).toHaveLength(3);
  });
});

test('removes all tokens of a purely simulated market with one event [S7.3-02]', async () => {
  server = await startTestServer();
  const admin = await person(server, 'Root', { isAdmin: true });
  const { tokens } = tokenModels(server.connection);
  const numbers = Array.from({ length: 450 }, (_, number) => number);
  await tokens.insertMany(numbers.map((number) => tokenRecord(number, { launchpad: 'simulator' })));
  const socket = await socketOf(server, admin);
  const removals: unknown[] = [];
  socket.on('tokens-removed', (removal: unknown) => removals.push(removal));
  const stats = async () => tokenStatsSchema.parse((await admin.call('/api/tokens/stats')).body);
  expect((await stats()).total).toBe(450);
  expect((await cleanUp(admin)).body).toEqual({ message: 'Successfully cleaned up 450 mock tokens', count: 450 });
  expect(await stats()).toMatchObject({ total: 0, newLastHour: 0 });
  expect((await admin.call('/api/tokens')).headers.get('X-Total-Count')).toBe('0');
  await expect.poll(() => removals).toEqual([{ seq: 1, all: true }]);
});

test('allows one run at a time [S7.3-01]', async () => {
  server = await startTestServer();
  const admin = await person(server, 'Root', { isAdmin: true });
  await tokenModels(server.connection).tokens.create(tokenRecord(1, { launchpad: 'simulator' }));
  const replies = await Promise.all(Array.from({ length: 5 }, () => cleanUp(admin)));
  const counts = replies.filter(({ status }) => status === 200).map(({ body }) => output.parse(body).count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const reply of refused) expect(reply).toMatchObject({ status: 409, body: { code: 'already-running' } });
});
