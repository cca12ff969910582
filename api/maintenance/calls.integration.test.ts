import { beforeEach, describe, expect, test } from 'vitest';
import { ADMIN_KEY_HEADER } from '../../common/http.ts';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { directAdminSchema, type Run } from '../../common/maintenance/model.ts';
import { HOUR } from '../../common/time.ts';
import { address } from '../market/testing/observations.ts';
import { testServer } from '../test-server.ts';
import { person, socketOf } from '../testing/people.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { removalOf } from './invalid-tokens.ts';

const KEY = 'a-key-of-24-characters-or-more';

const server = await testServer({ env: { DIRECT_ADMIN_KEY: KEY } });
const admin = await person(server, 'Root', { isAdmin: true });
const user = await person(server, 'User');
beforeEach(async () => {
  await tokenModels(server.connection).tokens.deleteMany({});
});

const { directAdmin, ...guarded } = maintenanceCalls;
const bodies: Partial<Record<keyof typeof guarded, unknown>> = { cleanupRecentTokens: { hoursAgo: 1 } };
const all = Object.entries(guarded).map(([name, { path, method }]) => ({ name, path, method }));
type Options = { method: string; headers?: Record<string, string>; json?: unknown };
function optionsOf({ name, method }: (typeof all)[number], headers: Record<string, string> = {}): Options {
  const json = bodies[name as keyof typeof guarded];
  return { method, headers, ...(json === undefined ? {} : { json }) };
}

async function put(number: number, overrides: Partial<TokenRecord> = {}): Promise<string> {
  const record = { ...tokenRecord(number, overrides), _id: overrides._id ?? address(number) };
  await server.storeTokens([record]);
  return record._id;
}
const remaining = async () => {
  const found = await tokenModels(server.connection).tokens.find().sort({ _id: 1 }).lean<TokenRecord[]>();
  return found.map(({ _id }) => _id);
};
const post = (path: string, json?: unknown) =>
  admin.call(path, { method: 'POST', ...(json === undefined ? {} : { json }) });

describe('access', () => {
  test('refuses users who are not administrators [S6-07]', async () => {
    for (const call of all) {
      expect(await server.fetchJson(call.path, optionsOf(call))).toMatchObject({ status: 401 });
      expect(await user.call(call.path, optionsOf(call))).toMatchObject({
        status: 403,
        body: { error: "You don't have permission to access this resource", code: 'forbidden' },
      });
      expect(await admin.call(call.path, optionsOf(call))).toMatchObject({ status: 200 });
    }
  });

  test('opens exactly three calls with the direct admin key [S6-09, S7.3-04, S7.3-10]', async () => {
    const opened: string[] = [];
    for (const call of all) {
      const { status } = await server.fetchJson(call.path, optionsOf(call, { [ADMIN_KEY_HEADER]: KEY }));
      expect([200, 401]).toContain(status);
      if (status === 200) opened.push(call.name);
    }
    expect(opened).toEqual(['cleanupMockTokens', 'cleanupInvalidTokens', 'runMultiSourceAggregator']);
  });

  test('accepts and records the key in the body of the aggregator call [S7.3-10, S6-10]', async () => {
    const audit = server.connection.collection('audit');
    await audit.deleteMany({});
    const send = (path: string, adminKey: unknown) => server.fetchJson(path, { method: 'POST', json: { adminKey } });
    const { path } = maintenanceCalls.runMultiSourceAggregator;
    expect(await send(path, KEY)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await send(path, `${KEY}x`)).toMatchObject({ status: 403, body: { error: 'This is not the admin key.' } });
    for (const missing of [undefined, '', 5]) expect(await send(path, missing)).toMatchObject({ status: 401 });
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

  test('shows everyone the state of direct access and of the scanners [S2.14-01, S2.14-05]', async () => {
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

test('removes invalid tokens, and counts those whose chain has no configured node [S7.3-04, S7.3-05]', async () => {
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
      'Successfully cleaned up 2 invalid tokens. 1 token was not looked up, since SOLANA_RPC_URL names no node of their chain.',
  });
  expect(await remaining()).toEqual(kept);
  expect(await remaining()).not.toContain(malformed);
  // During the lookup 4 got a name, and 3 did not.
  const found = { permanent: new Set<string>(), nameless: new Set(kept.slice(0, 2)) };
  const { tokens } = tokenModels(server.connection);
  expect(await tokens.find(removalOf(found).filter).distinct('_id')).toEqual(kept.slice(0, 1));
});

test('removes tokens of the last hours, 24 by default [S7.3-06, S5-26]', async () => {
  const path = '/api/maintenance/cleanup-recent-tokens';
  const ago = (hours: number) => ({ detectedAt: Date.now() - hours * HOUR });
  const [old] = [await put(1, ago(30)), await put(2, ago(20)), await put(3, ago(1.5)), await put(4, ago(0.5))];
  const count = async (hoursAgo: unknown) => (await post(path, { hoursAgo })).body;
  expect(await count(1)).toEqual({ count: 1, message: 'Successfully cleaned up 1 token of the last hour' });
  expect(await count('2')).toMatchObject({ count: 1 });
  expect(await count('a day')).toEqual({ count: 1, message: 'Successfully cleaned up 1 token of the last 24 hours' });
  // No number can be made of an object whose functions are none.
  expect(await count({ toString: 1 })).toMatchObject({ count: 0 });
  expect(await remaining()).toEqual([old]);
  for (const hours of [0, 0.5, 169, -1]) expect(await post(path, { hoursAgo: hours })).toMatchObject({ status: 400 });
});

test('removes all tokens, with an event and empty lists and statistics at once [S7.3-07, S7.3-08]', async () => {
  for (let number = 1; number <= 3; number += 1) await put(number);
  const lists = ['/api/tokens', '/api/tokens/new', '/api/tokens/early-liquidity'];
  // Fills the caches.
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

test('reports scans without a polling source [S7.3-09, S7.3-10]', async () => {
  for (const path of ['/api/maintenance/force-aggregator-scan', '/api/maintenance/run-multi-source-aggregator']) {
    const { status, body } = await post(path);
    expect([status, body]).toEqual([
      200,
      { message: expect.stringContaining('MARKET names no source that can be polled'), started: false },
    ]);
  }
});

test('returns and records the result of an analysis [S7.3-11]', async () => {
  const times = { createdAt: Date.now() - 90 * 60_000, listedAt: Date.now() - 90 * 60_000 };
  // Both tokens are on the wrong lists.
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
