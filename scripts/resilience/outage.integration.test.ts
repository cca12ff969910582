import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { healthSchema } from '../../common/health/http.ts';
import { tokenDetailSchema } from '../../common/tokens/model.ts';
import { embeddedMongoForTest, type PrivateMongo } from '../testing/embedded-mongo.ts';
import { connectLive, type LiveClient, type Product, post, type SignedIn, signIn, startProduct } from './product.ts';

const OUTAGE_MS = 20_000;
const ANSWER_WITHIN_MS = 2_000;
const ADMIN = { username: 'admin', password: 'correct-horse-battery' };

let mongo: PrivateMongo;
let product: Product;
let dataDir: string;
let session: SignedIn;
let live: LiveClient;

/** The newest version the feed told of each token, and the numbers of all its events. */
const versions = new Map<string, number>();
const numbers: number[] = [];

function listen(client: LiveClient): void {
  client.on('new-token', ({ seq, token }) => {
    numbers.push(seq);
    versions.set(token.address, token.version);
  });
  client.on('token-updates', ({ seq, patches }) => {
    numbers.push(seq);
    for (const { address, version } of patches) versions.set(address, version);
  });
  for (const event of ['runner', 'might-run'] as const) client.on(event, ({ seq }) => numbers.push(seq));
  client.on('tokens-removed', ({ seq }) => numbers.push(seq));
}

beforeAll(async () => {
  mongo = await embeddedMongoForTest();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-outage-'));
  product = await startProduct({
    MONGODB_URI: mongo.uri,
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: ADMIN.password,
    MARKET_RATE: '240',
    MARKET_SEED: '7',
  });
  session = await signIn(product.url, ADMIN.username, ADMIN.password);
  live = connectLive(product.url, session.cookie);
  listen(live);
  await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(20), { timeout: 30_000 });
});

afterAll(async () => {
  live.close();
  await product.stop();
  await mongo.remove();
  await rm(dataDir, { recursive: true, force: true });
});

async function timed(request: () => Promise<Response>): Promise<{ response: Response; ms: number }> {
  const begun = performance.now();
  const response = await request();
  return { response, ms: performance.now() - begun };
}

async function expectUnavailable(request: () => Promise<Response>): Promise<void> {
  const { response, ms } = await timed(request);
  expect(response.status).toBe(503);
  expect(ms).toBeLessThan(ANSWER_WITHIN_MS);
  expect(await response.json()).toMatchObject({
    code: 'unavailable',
    error: 'The database is not reachable right now. Please try again in a moment.',
  });
}

test('MongoDB away for 20 s: REST says 503 within 2 s, the feed goes on, and nothing observed meanwhile is missing', {
  timeout: 120_000,
}, async () => {
  const known = new Set(versions.keys());
  const before = numbers.length;
  await mongo.stop();
  const since = performance.now();

  await expectUnavailable(() => session.get('/api/tokens'));
  await expectUnavailable(() => session.get('/api/auth/me'));
  await expectUnavailable(() => post(product.url, '/api/auth/login', ADMIN));
  const health = await timed(() => fetch(`${product.url}/api/health`));
  expect(health.response.status).toBe(503);
  expect(health.ms).toBeLessThan(ANSWER_WITHIN_MS);
  expect(healthSchema.parse(await health.response.json())).toMatchObject({ status: 'unavailable', mongo: 'down' });

  // Long enough that every client-side buffer and retry has had its turn.
  await vi.waitFor(() => expect(performance.now() - since).toBeGreaterThan(OUTAGE_MS), {
    timeout: OUTAGE_MS + 5_000,
    interval: 250,
  });
  expect(numbers.length).toBeGreaterThan(before + 20);
  const observedMeanwhile = [...versions.keys()].filter((address) => !known.has(address));
  expect(observedMeanwhile.length).toBeGreaterThan(5);
  expect(live.connected).toBe(true);
  await expectUnavailable(() => session.get('/api/tokens/new'));
  const told = new Map(versions);

  await mongo.start();
  await vi.waitFor(async () => expect((await fetch(`${product.url}/api/health`)).status).toBe(200), {
    timeout: 15_000,
    interval: 200,
  });
  for (const address of [...observedMeanwhile, ...[...known].slice(0, 50)]) {
    await vi.waitFor(
      async () => {
        const response = await session.get(`/api/tokens/address/${address}`);
        expect(response.status).toBe(200);
        const stored = tokenDetailSchema.parse(await response.json());
        expect(stored.version).toBeGreaterThanOrEqual(told.get(address) ?? 1);
      },
      { timeout: 15_000, interval: 200 },
    );
  }
  // Consecutive throughout: the outage cost the feed no event and doubled none (F1).
  const first = numbers[0] ?? 0;
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
});
