import { afterEach, expect, test } from 'vitest';
import { address } from '../../testing/observations.ts';
import { listener } from '../solana/testing/context.ts';
import { createPolledSource, type PolledSource } from './polled-source.ts';
import type { ServiceSpec, PolledItem } from './service-spec.ts';

const NOW = 1_785_413_400_000;
const YEAR = 31_536_000_000;
let source: PolledSource | undefined;

afterEach(() => source?.stop());

/** A source whose list of new tokens is what the test says. */
async function started(told: readonly PolledItem[]) {
  const spec: ServiceSpec = {
    name: 'dexscreener',
    baseUrl: 'https://service.test',
    key: { need: 'none' },
    limit: () => ({ calls: 1, windowMs: 1_000 }),
    fetchListings: async () => [...told],
  };
  source = createPolledSource(spec, { currentKey: () => null, clock: { now: () => NOW }, random: () => 0 });
  const heard = listener();
  await source.start(heard);
  return { source, heard };
}

test.each([
  ['just now', NOW - 5_000, true],
  ['years ago, as the profile of an old coin', NOW - 3 * YEAR, true],
  ['nobody knows when', null, false],
  ['in a future that no clock explains', NOW + 3_600_000, false],
])('a listed token that began %s may begin one of ours: %#', async (_, createdAt, mayBegin) => {
  const { source, heard } = await started([{ kind: 'token', address: address(1), listing: { createdAt } }]);
  expect(await source.poller?.fetchListings?.()).toBe(1);
  // Without a creation it would be taken for one that was made as we heard of it, and be new for an hour.
  expect(heard.observations).toMatchObject([{ kind: 'listed', mayBegin }]);
});

test('a list that never ends floods nobody: its newest tokens are taken', async () => {
  const listing = { createdAt: NOW - 1_000 };
  const told = Array.from({ length: 5_000 }, (_, index): PolledItem => ({ kind: 'token', address: address(index), listing }));
  const { source, heard } = await started([...told, { kind: 'rate', solUsd: 100 }]);
  expect(await source.poller?.fetchListings?.()).toBe(500);
  expect(heard.observations).toHaveLength(501);
  expect(heard.observations[0]).toMatchObject({ address: address(0) });
});
