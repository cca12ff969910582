import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { tokenStatsSchema } from '../../common/tokens/model.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { tokenModels } from '../tokens/model.ts';

const removedSchema = z.union([z.object({ addresses: z.array(z.string()) }), z.object({ all: z.literal(true) })]);
const counted = z.object({ count: z.int() });

/** So that whoever signed in before the market began, when the machine had little to do, stays signed in. */
const SESSION_KEYS = 'a session key for both servers';

let server: TestServer;
let admin: Person;

beforeAll(async () => {
  server = await startTestServer({ env: { SESSION_KEYS } });
  const { mongoUri } = server;
  admin = await person(server, 'Root', { isAdmin: true });
  await server.stop();
  const market = { MARKET: 'simulator', MARKET_RATE: '120', MARKET_SEED: '7' };
  server = await startTestServer({ mongoUri, env: { SESSION_KEYS, ...market } });
}, 60_000);
afterAll(() => server.stop());

/** The market's history may keep the database of a small machine busy for a moment: then sessions can't be looked up. */
async function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  return vi.waitFor(ask, { timeout: 30_000, interval: 200 });
}

test('with a running simulated market: what was removed never comes back, and launches go on [S7.3-06, S7.3-07]', async () => {
  const call = (path: string, json?: unknown) =>
    server.fetchJson(path, { method: 'POST', cookie: admin.cookie, ...(json === undefined ? {} : { json }) });
  const total = async () => {
    const { status, body } = await server.fetchJson('/api/tokens/stats', { cookie: admin.cookie });
    return status === 200 ? tokenStatsSchema.parse(body).total : 0;
  };
  const { tokens } = tokenModels(server.connection);
  await expect.poll(total, { timeout: 30_000 }).toBeGreaterThan(100);
  const socket = await patiently(() => socketOf(server, admin));
  const heard: { event: string; payload: unknown }[] = [];
  socket.onAny((event: string, payload: unknown) => heard.push({ event, payload }));
  const removals = () =>
    heard.filter(({ event }) => event === 'tokens-removed').map((one) => removedSchema.parse(one.payload));

  const stored = async () => (await tokens.find({}, { _id: 1 }).lean()).map(({ _id }) => _id);

  /** Removes, and proves that what was there is gone for good while new tokens come. */
  async function gone(path: string, json?: unknown): Promise<void> {
    const before = await stored();
    const events = removals().length;
    const { count } = await patiently(async () => counted.parse((await call(path, json)).body));
    expect(count).toBeGreaterThanOrEqual(before.length);
    await expect.poll(() => removals().length).toBeGreaterThan(events);
    await socket.emitWithAck('echo', {});
    const end = heard.findLastIndex(({ event }) => event === 'tokens-removed') + 1;
    const launched = () => heard.slice(end).filter(({ event }) => event === 'new-token').length;
    await expect.poll(launched, { timeout: 30_000 }).toBeGreaterThan(3);
    const later = JSON.stringify(heard.slice(end));
    expect(before.filter((address) => later.includes(address))).toEqual([]);
    expect(await tokens.countDocuments({ _id: { $in: before } })).toBe(0);
  }

  await gone('/api/maintenance/cleanup-recent-tokens', { hoursAgo: 168 });
  await gone('/api/maintenance/remove-all-tokens');
  expect(removals().at(-1)).toMatchObject({ all: true });
}, 120_000);
