import { afterEach, expect, test, vi } from 'vitest';
import { DAY } from '../../../../common/time.ts';
import { address } from '../../testing/observations.ts';
import { testContext } from '../testing/source-context.ts';
import { createPolledSource, type PolledSource } from './polled-source.ts';
import type { PolledItem, ServiceSpec } from './service-spec.ts';

const NOW = 1_785_413_400_000;
const YEAR = 31_536_000_000;
let source: PolledSource | undefined;

afterEach(() => source?.stop());

/** Starts a source with these new tokens. */
async function started(items: readonly PolledItem[]) {
  const spec: ServiceSpec = {
    name: 'dexscreener',
    baseUrl: 'https://service.test',
    key: { need: 'none' },
    limit: () => ({ calls: 1, windowMs: 1_000 }),
    fetchListings: async () => [...items],
  };
  source = createPolledSource(spec, { currentKey: () => null, clock: { now: () => NOW }, random: () => 0 });
  const context = testContext();
  await source.start(context);
  return { source, context };
}

test.each([
  ['just now', NOW - 5_000, true],
  ['years ago, as the profile of an old coin', NOW - 3 * YEAR, true],
  ['at an unknown time', null, false],
  ['too far in the future', NOW + 3_600_000, false],
])('a listed token created %s may create a token: %#', async (_, createdAt, mayBegin) => {
  const { source, context } = await started([{ kind: 'token', address: address(1), listing: { createdAt } }]);
  expect(await source.poller?.fetchListings?.()).toBe(1);
  // Without a creation time it would count as new for an hour.
  expect(context.observations).toMatchObject([{ kind: 'listed', mayBegin }]);
});

/** A source of a plan with 2,880 credits a month, 96 a day, polled by `run` every five minutes of a fake clock. */
function metered() {
  const time = { at: Date.UTC(2026, 10, 1) };
  const state = { key: 'first-key' };
  const requests: string[] = [];
  const context = testContext();
  const spec: ServiceSpec = {
    name: 'solana-tracker',
    baseUrl: 'https://service.test',
    key: { need: 'required', header: 'x-api-key' },
    limit: () => ({ calls: 1, windowMs: 1_000 }),
    allowance: { perMonth: 2_880, listings: 1, quotes: 1 },
    retries: 0,
    async fetchListings(api) {
      await api.get('/new');
      return [];
    },
    quotes: {
      batchSize: 20,
      maxPerRun: 20,
      async fetch(api) {
        await api.get('/known');
        return [];
      },
    },
  };
  async function start() {
    const created = createPolledSource(spec, {
      currentKey: () => state.key,
      clock: { now: () => time.at },
      monotonic: () => time.at,
      random: () => 0,
      async wait(ms) {
        time.at += ms;
      },
      async fetch(url) {
        requests.push(new URL(url instanceof Request ? url.url : url).pathname);
        return Response.json([]);
      },
    });
    await created.start(context);
    return created;
  }
  async function run(polled: PolledSource, days: number) {
    for (let left = (days * DAY) / 300_000; left > 0; left -= 1) {
      if (polled.poller?.isPaced?.() === false) {
        await polled.poller.fetchListings?.();
        await polled.poller.fetchQuotes?.([address(1)]);
      }
      time.at += 300_000;
    }
  }
  return { time, state, requests, context, start, run };
}

test('spreads a monthly allowance over the month, half of it for known tokens', async () => {
  const { requests, start, run } = metered();
  source = await start();
  await run(source, 2);
  const [listings, quotes] = ['/new', '/known'].map((path) => requests.filter((one) => one === path).length);
  expect(requests.length).toBeGreaterThan(2 * 90);
  expect(requests.length).toBeLessThanOrEqual(2 * 96 + 4);
  expect(listings).toBe(quotes);
  expect(source.figures?.()).toMatchObject({ allowance: { limit: 2_880, left: 2_880 - requests.length }, errors: 0 });
});

test('continues with the stored usage after a restart, and afresh with the key of another account', async () => {
  const { state, requests, context, start, run } = metered();
  const counted = vi.spyOn(context.usage, 'penalty');
  source = await start();
  await run(source, 0.99);
  await source.stop();
  const used = requests.length;
  const names = counted.mock.calls.map(([name]) => name);
  expect(names.join()).not.toContain(state.key);
  source = await start();
  expect(source.figures?.().allowance?.left).toBe(2_880 - used);
  // A restart hands out nothing extra.
  expect(source.poller?.isPaced?.()).toBe(true);
  await source.poller?.fetchListings?.();
  await expect(source.poller?.fetchListings?.()).rejects.toThrow('monthly allowance is spread over the month');
  source.keyChanged();
  expect(source.figures?.().allowance?.left).toBe(2_880 - used - 1);
  state.key = 'second-key';
  source.keyChanged();
  expect(source.figures?.().allowance?.left).toBe(2_880);
  await source.stop();
  source = await start();
  expect(source.figures?.().allowance?.left).toBe(2_880);
});

test('sends nothing once the allowance of the month is used up', async () => {
  const { time, requests, context, start } = metered();
  const counted = vi.spyOn(context.usage, 'penalty');
  source = await start();
  await source.poller?.fetchListings?.();
  await source.stop();
  await context.usage.penalty(counted.mock.calls[0]?.[0] ?? '', 2_880);
  source = await start();
  time.at += DAY;
  await expect(source.poller?.fetchListings?.()).rejects.toThrow('monthly allowance of the plan is used up');
  time.at = Date.UTC(2026, 11, 1);
  await source.poller?.fetchListings?.();
  expect(requests).toHaveLength(2);
});

test('takes only the newest tokens of an endless list', async () => {
  const listing = { createdAt: NOW - 1_000 };
  const items = Array.from(
    { length: 5_000 },
    (_, index): PolledItem => ({ kind: 'token', address: address(index), listing }),
  );
  const { source, context } = await started([...items, { kind: 'rate', solUsd: 100 }]);
  expect(await source.poller?.fetchListings?.()).toBe(500);
  expect(context.observations).toHaveLength(501);
  expect(context.observations[0]).toMatchObject({ address: address(0) });
});
