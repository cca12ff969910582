import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { healthSchema } from '../../common/health/http.ts';
import { tokenDetailSchema } from '../../common/tokens/model.ts';
import {
  ADMIN,
  connectLive,
  type LiveClient,
  type Product,
  post,
  productScene,
  type SignedIn,
  signIn,
} from './product.ts';

/** Longer than every buffer and retry of the driver, of which the longest are 10 s. */
const OUTAGE_MS = 20_000;
/** Long enough for a busy machine to store everything of the outage. */
const STORED = { timeout: 60_000, interval: 200 };

const { mongo, start } = await productScene({ MARKET_RATE: '240', MARKET_SEED: '7' });
let product: Product;
let session: SignedIn;
let live: LiveClient;

/** The newest version of each token in the feed, and the numbers of all its events. */
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
  product = await start();
  session = await signIn(product.url, ADMIN.username, ADMIN.password);
  live = connectLive(product.url, session.cookie);
  listen(live);
  await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(20), { timeout: 30_000 });
});

afterAll(async () => {
  live.close();
  await product.stop();
});

async function expectUnavailable(request: () => Promise<Response>): Promise<void> {
  const response = await request();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: 'unavailable',
    error: 'The database is not reachable right now. Please try again in a moment.',
  });
}

test('during a long outage of MongoDB REST responds with 503, the feed continues, and no observation is lost', {
  timeout: 180_000,
}, async () => {
  const known = new Set(versions.keys());
  const before = numbers.length;
  await mongo.stop();
  const since = performance.now();

  await expectUnavailable(() => session.get('/api/tokens'));
  await expectUnavailable(() => session.get('/api/auth/me'));
  await expectUnavailable(() => post(product.url, '/api/auth/login', ADMIN));
  // A call may have found it away before the driver did.
  await expect
    .poll(async () => {
      const response = await fetch(`${product.url}/api/health`);
      return { status: response.status, health: healthSchema.parse(await response.json()) };
    })
    .toMatchObject({ status: 503, health: { status: 'unavailable', mongo: 'down' } });

  await vi.waitFor(() => expect(performance.now() - since).toBeGreaterThan(OUTAGE_MS), {
    timeout: OUTAGE_MS + 5_000,
    interval: 250,
  });
  expect(numbers.length).toBeGreaterThan(before + 20);
  const observedDuringOutage = [...versions.keys()].filter((address) => !known.has(address));
  expect(observedDuringOutage.length).toBeGreaterThan(5);
  expect(live.connected).toBe(true);
  await expectUnavailable(() => session.get('/api/tokens/new'));
  const published = new Map(versions);

  await mongo.start();
  await vi.waitFor(async () => expect((await fetch(`${product.url}/api/health`)).status).toBe(200), {
    timeout: 15_000,
    interval: 200,
  });
  for (const address of [...observedDuringOutage, ...[...known].slice(0, 50)]) {
    await vi.waitFor(async () => {
      const response = await session.get(`/api/tokens/address/${address}`);
      expect(response.status).toBe(200);
      const stored = tokenDetailSchema.parse(await response.json());
      expect(stored.version).toBeGreaterThanOrEqual(published.get(address) ?? 1);
    }, STORED);
  }
  // Consecutive: the outage lost and duplicated no event of the feed (F1).
  const first = numbers[0] ?? 0;
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
});
