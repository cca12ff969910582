import { afterAll, beforeAll, expect, test } from 'vitest';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { addressNumber, sampleRecord, tokenRecord, tradeRecord } from '../testing/tokens.ts';
import { type RunningMarket, startRunningMarket } from './testing/running-market.ts';

let market: RunningMarket;
beforeAll(async () => {
  market = await startRunningMarket(600, 300);
}, 90_000);
afterAll(() => market.server.stop());

/** Removes tokens; resolves with their number. */
async function remove(path: string, json?: unknown): Promise<number> {
  const reply = await market.admin.call(path, { method: 'POST', ...(json === undefined ? {} : { json }) });
  expect(reply).toMatchObject({ status: 200, body: { count: expect.any(Number) } });
  return maintenanceCalls.removeAllTokens.output.parse(reply.body).count;
}

test('removes simulated tokens for good, and spares a real one, while launches continue [S7.3-02]', async () => {
  const { models, listed, total } = market;
  const real = addressNumber(1);
  // A number that the market has not given yet.
  await models.tokens.create(tokenRecord(1, { number: 1_000_000 }));
  await models.trades.create(tradeRecord(real, 1, new Date()));
  await models.samples.create(sampleRecord(real, 'minute', new Date()));
  const feed = await market.subscribe();
  // Fills the caches of the lists.
  const before = (await listed()).filter((address) => address !== real);

  const count = await remove(maintenanceCalls.cleanupMockTokens.path);
  const after = await listed();
  const removedNow = () => feed.removals().flatMap((removal) => ('addresses' in removal ? removal.addresses : []));
  // The response and the events come over different connections.
  await expect.poll(() => removedNow().length).toBe(count);
  const removed = removedNow();
  const gone = new Set(removed);
  expect(gone.size).toBe(count);
  expect(gone.has(real)).toBe(false);
  expect(before.filter((address) => !gone.has(address))).toEqual([]);
  expect(after.filter((address) => gone.has(address))).toEqual([]);
  expect(after).toContain(real);

  const later = await feed.afterRemoval('token-updates', 20);
  expect(removed.filter((address) => later.includes(address))).toEqual([]);
  expect((await listed()).filter((address) => gone.has(address))).toEqual([]);
  expect(await total()).toBeGreaterThan(1);
  expect(await market.admin.call(`/api/tokens/address/${removed[0]}`)).toMatchObject({
    status: 404,
    body: { code: 'token-not-found' },
  });
  const left = { $in: removed };
  expect(await models.tokens.countDocuments({ _id: left })).toBe(0);
  expect(await models.trades.countDocuments({ address: left })).toBe(0);
  expect(await models.samples.countDocuments({ address: left })).toBe(0);
  expect(await models.trades.countDocuments({ address: real })).toBe(1);
  expect(await models.samples.countDocuments({ address: real })).toBe(1);
}, 90_000);

test.each([
  ['recent tokens', maintenanceCalls.cleanupRecentTokens.path, { hoursAgo: 168 }],
  ['all tokens', maintenanceCalls.removeAllTokens.path, undefined],
])(
  'removes %s for good while launches continue and users register [S7.3-06, S7.3-07]',
  async (name, path, json) => {
    const { models, server } = market;
    await expect.poll(market.total, { timeout: 30_000 }).toBeGreaterThan(50);
    const feed = await market.subscribe();
    const before = (await models.tokens.find({}, { _id: 1 }).lean()).map(({ _id }) => _id);
    // Throws for any other status than 200.
    const [count] = await Promise.all([remove(path, json), server.register(name)]);
    expect(count).toBeGreaterThanOrEqual(before.length);
    await expect.poll(() => feed.removals().length).toBeGreaterThan(0);
    const later = await feed.afterRemoval('new-token', 3);
    expect(before.filter((address) => later.includes(address))).toEqual([]);
    expect(await models.tokens.countDocuments({ _id: { $in: before } })).toBe(0);
    if (json === undefined) expect(feed.removals().at(-1)).toMatchObject({ all: true });
  },
  90_000,
);
