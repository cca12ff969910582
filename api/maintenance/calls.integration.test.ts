import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { directAdminSchema, type Run } from '../../common/maintenance/model.ts';
import { address } from '../market/testing/observations.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { removalOf } from './invalid-tokens.ts';

const KEY = 'a-key-of-24-characters-or-more';
const HOUR = 3_600_000;

let server: TestServer;
let admin: Person;
let user: Person;

beforeAll(async () => {
  server = await startTestServer({ env: { DIRECT_ADMIN_KEY: KEY } });
  admin = await person(server, 'Root', { isAdmin: true });
  user = await person(server, 'User');
});
afterAll(() => server.stop());
beforeEach(async () => {
  await tokenModels(server.connection).tokens.deleteMany({});
});

const { directAdmin, ...guarded } = maintenanceCalls;
const bodies: Partial<Record<keyof typeof guarded, unknown>> = { cleanupRecentTokens: { hoursAgo: 1 } };
const all = Object.entries(guarded).map(([name, { path, method }]) => ({ name, path, method }));
type Sent = { method: string; headers?: Record<string, string>; json?: unknown };
function sent({ name, method }: (typeof all)[number], headers: Record<string, string> = {}): Sent {
  const json = bodies[name as keyof typeof guarded];
  return { method, headers, ...(json === undefined ? {} : { json }) };
}

async function put(number: number, overrides: Partial<TokenRecord> = {}): Promise<string> {
  const record = { ...tokenRecord(number, overrides), _id: overrides._id ?? address(number) };
  await tokenModels(server.connection).tokens.create(record);
  return record._id;
}
const left = async () => {
  const found = await tokenModels(server.connection).tokens.find().sort({ _id: 1 }).lean<TokenRecord[]>();
  return found.map(({ _id }) => _id);
};
const post = (path: string, json?: unknown) =>
  admin.call(path, { method: 'POST', ...(json === undefined ? {} : { json }) });

describe('who may', () => {
  test('nobody but an administrator runs maintenance [S6-07]', async () => {
    for (const call of all) {
      expect(await server.fetchJson(call.path, sent(call))).toMatchObject({ status: 401 });
      expect(await user.call(call.path, sent(call))).toMatchObject({
        status: 403,
        body: { error: "You don't have permission to access this resource", code: 'forbidden' },
      });
      expect(await admin.call(call.path, sent(call))).toMatchObject({ status: 200 });
    }
  });

  test('the direct admin key opens exactly three calls [S6-09, S7.3-04, S7.3-10]', async () => {
    const opened: string[] = [];
    for (const call of all) {
      const { status } = await server.fetchJson(call.path, sent(call, { [ADMIN_KEY_HEADER]: KEY }));
      expect([200, 401]).toContain(status);
      if (status === 200) opened.push(call.name);
    }
    expect(opened).toEqual(['cleanupMockTokens', 'cleanupInvalidTokens', 'runMultiSourceAggregator']);
  });

  test('the key also counts in the body of the aggregator call, and is on record as well [S7.3-10, S6-10]', async () => {
    const audit = server.connection.collection('audit');
    await audit.deleteMany({});
    const send = (path: string, adminKey: unknown) => server.fetchJson(path, { method: 'POST', json: { adminKey } });
    const { path } = maintenanceCalls.runMultiSourceAggregator;
    expect(await send(path, KEY)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await send(path, `${KEY}x`)).toMatchObject({ status: 403, body: { error: 'This is not the admin key.' } });
    for (const none of [undefined, '', 5]) expect(await send(path, none)).toMatchObject({ status: 401 });
    expect(await send(maintenanceCalls.cleanupMockTokens.path, KEY)).toMatchObject({ status: 401 });
    const records = await audit
      .find({ action: /^admin-key/ })
      .sort({ _id: 1 })
      .toArray();
    expect(records.map(({ action, object }) => [action, object])).toEqual([
      ['admin-key-used', path],
      ['admin-key-refused', path],
    ]);
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  test('anybody may see whether direct access is on, and what the scanners really do [S2.14-01, S2.14-05]', async () => {
    const { status, body } = await server.fetchJson(directAdmin.path);
    expect([status, directAdminSchema.parse(body)]).toEqual([
      200,
      {
        enabled: true,
        scanners: [
          { name: 'Chain scanner', state: 'off', lastRunAt: null },
          { name: 'Social-feed scanner', state: 'off', lastRunAt: null },
          { name: 'Multi-source aggregator', state: 'off', lastRunAt: null },
        ],
      },
    ]);
  });
});

test('invalid tokens go; a chain that can not be asked takes none with it, and the answer says so [S7.3-04, S7.3-05]', async () => {
  const malformed = await put(1, { _id: 'M'.repeat(44) });
  await put(2, { name: null, symbol: 'Unknown', detectedAt: Date.now() - 2 * HOUR });
  const kept = [
    await put(3, { name: null, symbol: null }),
    await put(4, { detectedAt: Date.now() - 2 * HOUR }),
    await put(5, { launchpad: 'simulator', cluster: null, detectedAt: Date.now() - 2 * HOUR }),
  ];
  expect((await post('/api/maintenance/cleanup-all-invalid-tokens')).body).toEqual({
    count: 2,
    message:
      'Successfully cleaned up 2 invalid tokens. The mainnet chain could not be asked, so no token was removed for being unknown to it.',
  });
  expect(await left()).toEqual(kept);
  expect(await left()).not.toContain(malformed);
  // What the chain is asked for takes its time: by then, 3 has no name still, and 4 has one.
  const found = { forGood: new Set<string>(), nameless: new Set(kept.slice(0, 2)) };
  const { tokens } = tokenModels(server.connection);
  expect(await tokens.find(removalOf(found).filter).distinct('_id')).toEqual(kept.slice(0, 1));
});

test('tokens of the last hours go; what is no number counts as 24 [S7.3-06, S5-26]', async () => {
  const path = '/api/maintenance/cleanup-recent-tokens';
  const ago = (hours: number) => ({ detectedAt: Date.now() - hours * HOUR });
  const [old] = [await put(1, ago(30)), await put(2, ago(20)), await put(3, ago(1.5)), await put(4, ago(0.5))];
  const count = async (hoursAgo: unknown) => (await post(path, { hoursAgo })).body;
  expect(await count(1)).toEqual({ count: 1, message: 'Successfully cleaned up 1 token of the last hour' });
  expect(await count('2')).toMatchObject({ count: 1 });
  expect(await count('a day')).toEqual({ count: 1, message: 'Successfully cleaned up 1 token of the last 24 hours' });
  expect(await left()).toEqual([old]);
  for (const hours of [0, 0.5, 169, -1]) expect(await post(path, { hoursAgo: hours })).toMatchObject({ status: 400 });
});

test('removing all tells every client, and lists and admin stats are as empty at once [S7.3-07, S7.3-08]', async () => {
  for (let number = 1; number <= 3; number += 1) await put(number);
  const lists = ['/api/tokens', '/api/tokens/new', '/api/tokens/early-liquidity'];
  // So that the answers are in the caches.
  for (const path of lists) expect((await admin.call(path)).body).toHaveLength(3);
  expect((await admin.call('/api/admin/stats')).body).toMatchObject({ tokens: { total: 3, last24h: 3 } });
  const [socket, others] = [await socketOf(server, admin), await socketOf(server, user)];
  const [runs, toOthers, removals]: [Run[], unknown[], unknown[]] = [[], [], []];
  expect(await socket.emitWithAck('subscribe', { topic: 'admin' })).toEqual({ ok: true });
  expect(await others.emitWithAck('subscribe', { topic: 'admin' })).toMatchObject({ code: 'forbidden' });
  socket.on('maintenance', (run: Run) => runs.push(run));
  others.on('maintenance', (run: Run) => toOthers.push(run));
  others.on('tokens-removed', ({ seq, ...removed }: { seq: number }) => removals.push(removed));

  const { body } = await post('/api/maintenance/remove-all-tokens');
  expect(body).toEqual({ count: 3, message: 'Successfully removed all 3 tokens' });
  for (const path of lists) expect((await admin.call(path)).body).toEqual([]);
  expect((await admin.call('/api/admin/stats')).body).toMatchObject({ tokens: { total: 0, last24h: 0 } });
  await expect.poll(() => removals).toEqual([{ all: true }]);
  await expect.poll(() => runs.at(-1)?.state).toBe('done');
  expect(runs[0]).toMatchObject({ action: 'remove-all-tokens', state: 'running', by: 'Root' });
  expect(toOthers).toEqual([]);
  expect((await admin.call(guarded.runs.path)).body).toMatchObject([
    { ...runs.at(-1), message: 'Successfully removed all 3 tokens' },
    {},
    {},
    {},
    {},
  ]);
});

test('without a source to ask, the scans say so [S7.3-09, S7.3-10]', async () => {
  for (const path of ['/api/maintenance/force-aggregator-scan', '/api/maintenance/run-multi-source-aggregator']) {
    const { status, body } = await post(path);
    expect([status, body]).toEqual([
      200,
      { message: expect.stringContaining('MARKET names no source that can be polled'), started: false },
    ]);
  }
});

test('an analysis answers what it found, and is on record [S7.3-11]', async () => {
  const times = { createdAt: Date.now() - 90 * 60_000, listedAt: Date.now() - 90 * 60_000 };
  // In the wrong lists, both.
  const first = await put(1, { ...times, marketCapUsd: 400_000, volumeUsd: 1_000_000 });
  await put(2, { ...times, runner: true, growthScore: 99 });
  await put(3);
  expect((await post('/api/maintenance/analyze-runner-tokens')).body).toMatchObject({
    analyzed: 3,
    runners: 0,
    message: expect.stringMatching(/^Analyzed 3 tokens: 0 runners, \d might run$/),
  });
  expect(first).toBe(address(1));
  const record = await server.connection.collection('audit').findOne({ object: 'analyze-runner-tokens' });
  expect(record).toMatchObject({ action: 'maintenance-run', actorName: 'Root', address: '127.0.0.1' });
});
