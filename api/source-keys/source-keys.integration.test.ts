import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { sourceCalls } from '../../common/sources/http.ts';
import { type FakeResponse, type FakeService, startFakeService } from '../market/sources/testing/fake-service.ts';
import { startTestServer } from '../test-server.ts';
import { type Person, person } from '../testing/people.ts';
import type { TestServer } from '../testing/server.ts';

const KEY = 'a-key-of-solana-tracker';
const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';
const { testSolanaTracker, updateSolanaTrackerKey } = sourceCalls;

let server: TestServer;
let service: FakeService;
afterEach(async () => {
  await server.stop();
  await service.close();
});

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../market/sources/services/fixtures', name), 'utf8'));
}

/** Starts Solana Tracker and Jupiter from fixtures; `fake.response` replaces all responses while set. */
async function start(market: string, env: Record<string, string> = {}) {
  const fake: { response: FakeResponse | null } = { response: null };
  const bodies: Record<string, unknown> = {
    '/credits': fixture('solana-tracker/credits.json'),
    '/tokens/latest': fixture('solana-tracker/tokens_latest.json'),
    '/tokens/multi': { tokens: { [SLB]: fixture('solana-tracker/tokens_mint.json') } },
    '/tokens/v2/recent': fixture('jupiter/tokens_v2_recent.json'),
    '/tokens/v2/search': fixture('jupiter/tokens_v2_recent.json'),
    '/price/v3': fixture('jupiter/price_v3.json'),
  };
  service = await startFakeService(({ pathname }) => fake.response ?? { body: bodies[pathname] ?? [] });
  const urls = ['jupiter', 'solana-tracker'].map((name) => `${name}=${service.url}`).join(',');
  server = await startTestServer({ env: { MARKET: market, SOURCE_URLS: urls, ...env } });
  const admin = await person(server, 'Root', { isAdmin: true });
  return { fake, admin };
}

const testApi = (who: Person) => who.call(testSolanaTracker.path);
const updateKey = (who: Person, apiKey: string) =>
  who.call(updateSolanaTrackerKey.path, { method: 'POST', json: { apiKey } });
const audited = async () =>
  (
    await server.connection
      .collection('audit')
      .find({ action: /^source-/ })
      .sort({ _id: 1 })
      .toArray()
  ).map(({ action, object }) => [action, object]);

describe('the price data API', () => {
  test('administrators test the key, receive advice and cannot store an invalid one [S7.3-20, S7.3-21, S3-59]', async () => {
    const { fake, admin } = await start('off');
    const user = await person(server, 'User');
    const refusal = { status: 403, body: { error: "You don't have permission to access this resource" } };
    expect(await testApi(user)).toMatchObject(refusal);
    expect(await updateKey(user, KEY)).toMatchObject(refusal);
    expect(await server.fetchJson(testSolanaTracker.path)).toMatchObject({ status: 401 });
    for (const invalid of ['', '  ', 'two words', 'k'.repeat(201), 'umläut']) {
      const { status, body } = await updateKey(admin, invalid);
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Please enter a valid API key')]);
    }
    expect(await audited()).toEqual([]);
    const runTest = async () => testSolanaTracker.output.parse((await testApi(admin)).body);
    expect(await runTest()).toMatchObject({
      success: false,
      message: 'The service needs a key, and none is set.',
      apiUrl: service.url,
      creditsUsed: null,
      troubleshooting: ['Enter an API key below, or set SOLANA_TRACKER_API_KEY and restart.'],
    });
    expect(service.requests).toHaveLength(0);
    expect((await updateKey(admin, KEY)).status).toBe(200);
    expect(await runTest()).toEqual({
      success: true,
      message: 'The API works. 49,987 credits are left.',
      apiUrl: service.url,
      timestamp: expect.stringMatching(/^\d{4}-/),
      creditsUsed: 49_987,
      troubleshooting: [],
    });
    const failures: FakeResponse[] = [
      { status: 401, body: { error: 'Unauthorized' } },
      { status: 403, body: { error: 'Forbidden' } },
      { status: 429, headers: { 'retry-after': '1' }, body: { error: 'Rate limit exceeded' } },
      { status: 500, body: {} },
      { headers: { 'content-type': 'text/html' }, body: '<html>' },
      'cut',
    ];
    for (const failure of failures) {
      fake.response = failure;
      const { success, message, troubleshooting } = await runTest();
      expect([success, message.length > 0, troubleshooting.length > 0]).toEqual([false, true, true]);
    }
    fake.response = { body: { balance: 5 } };
    expect(await runTest()).toMatchObject({ success: true, creditsUsed: null });
  });

  test('stores a key encrypted, uses it at once and after a restart, and shows it nowhere [S7.3-21]', async () => {
    const { fake, admin } = await start('off', { SOLANA_TRACKER_API_KEY: 'the-old-key' });
    const response = updateSolanaTrackerKey.output.parse((await updateKey(admin, ` ${KEY} `)).body);
    expect(response).toEqual({
      success: true,
      message: 'The key is stored, and the API accepts it.',
      apiStatus: 'The API works. 49,987 credits are left.',
    });
    expect(service.requests.at(-1)?.headers['x-api-key']).toBe(KEY);
    fake.response = { status: 401, body: {} };
    expect((await updateKey(admin, 'a-wrong-key')).body).toMatchObject({
      success: true,
      apiStatus: 'The service rejects the key, or the plan does not include this request (401).',
    });
    fake.response = null;
    await updateKey(admin, KEY);
    const { mongoUri } = server;
    await server.stop();
    server = await startTestServer({
      mongoUri,
      env: { SOURCE_URLS: `solana-tracker=${service.url}`, SOLANA_TRACKER_API_KEY: 'the-old-key' },
    });
    const back = await server.login('Root');
    expect((await server.fetchJson(testSolanaTracker.path, { cookie: back })).body).toMatchObject({ success: true });
    expect(service.requests.at(-1)?.headers['x-api-key']).toBe(KEY);
    for (const collection of await server.connection.listCollections()) {
      const stored = await server.connection.collection(collection.name).find().toArray();
      expect(JSON.stringify(stored)).not.toContain(KEY);
    }
    expect(await audited()).toEqual([
      ['source-key-updated', 'solana-tracker'],
      ['source-key-updated', 'solana-tracker'],
      ['source-key-updated', 'solana-tracker'],
      ['source-tested', 'solana-tracker'],
    ]);
  });
});

test('polled sources create tokens from the start; a failing one is down and recovers [S2.13-15]', async () => {
  const { fake, admin } = await start('jupiter,solana-tracker', {
    JUPITER_API_KEY: 'a-key-of-jupiter',
    // Of a plan that does not pace the scans below.
    SOLANA_TRACKER_PLAN: 'starter',
    SOLANA_TRACKER_API_KEY: KEY,
  });
  const token = async () => (await admin.call(`/api/tokens/address/${SLB}`)).body;
  // Merged from both: each has fields that the other lacks.
  await vi.waitFor(async () => expect(await token()).toMatchObject({ holderCount: 24, currentLiquidity: 6.5 }));
  expect(await token()).toMatchObject({
    symbol: 'SLB',
    creatorAddress: 'HpARLxzXXfsssHUqzKE1mDC7CNF19vwQArdAvKSbwoF3',
    price: 4.13871e-8,
    metadata: { source: 'pump.fun', cluster: 'mainnet' },
  });
  // The scheduled run at the start, then the scans.
  const runs = async () => maintenanceCalls.runs.output.parse((await admin.call(maintenanceCalls.runs.path)).body);
  const idle = () => vi.waitFor(async () => expect((await runs()).map(({ state }) => state)).not.toContain('running'));
  await idle();
  // A fifth token has an unknown age.
  expect((await runs())[0]?.message).toMatch(/^2 sources responded with \d+ tokens, 4 of them new\.$/);
  const stateOf = async () => {
    const { body } = await admin.call('/api/health');
    return JSON.parse(JSON.stringify(body)).market.map(({ state }: { state: string }) => state);
  };
  expect(await stateOf()).toEqual(['live', 'live']);
  // The newest tokens and one request about known ones.
  const usage = () => server.connection.collection('serviceUsage').find().toArray();
  // Saved after the response.
  await expect
    .poll(usage)
    .toMatchObject([{ key: expect.stringMatching(/^solana-tracker:[\da-f]{16}:\d{4}-\d{2}$/), points: 2 }]);
  fake.response = { status: 401, body: {} };
  for (let scans = 0; scans < 3; scans += 1) {
    await admin.call(maintenanceCalls.forceAggregatorScan.path, { method: 'POST' });
    await idle();
  }
  expect(await stateOf()).toEqual(['down', 'down']);
  fake.response = null;
  // A new key closes the circuit.
  await updateKey(admin, 'the-next-key');
  await admin.call(maintenanceCalls.forceAggregatorScan.path, { method: 'POST' });
  await idle();
  expect(await stateOf()).toEqual(['down', 'live']);
});
