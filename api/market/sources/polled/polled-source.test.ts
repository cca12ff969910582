import { afterEach, expect, test } from 'vitest';
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
