import { expect, test } from 'vitest';
import { createComputeLimits } from './compute-limits.ts';
import type { Simulated } from './transaction-sender.ts';

const MB = 1024 * 1024;
const GENERAL = { units: 250_000, dataBytes: null };
const passed: Simulated = { error: null, units: 100_000, loadedBytes: 3 * MB, accounts: [] };

/** Limits that have learned the kind `buy` from a simulation. */
async function learned(simulated: Simulated) {
  const limits = createComputeLimits({ simulate: async () => simulated });
  limits.learn('buy', Buffer.alloc(1));
  await Promise.resolve();
  await Promise.resolve();
  return limits;
}

test.each([
  ['far below the least limit', 3 * MB, 16 * MB],
  ['above it', 20 * MB, 24 * MB],
  ['not reported', null, null],
])('a simulation teaches units and data with a fifth more: data %s', async (_case, loadedBytes, dataBytes) => {
  const limits = await learned({ ...passed, loadedBytes });
  expect(limits.of('buy')).toEqual({ units: 120_000, dataBytes });
  expect(limits.of('sell')).toEqual(GENERAL);
});

test('a simulation that fails teaches nothing', async () => {
  const limits = await learned({ ...passed, error: 'MaxLoadedAccountsDataSizeExceeded' });
  expect(limits.of('buy')).toEqual(GENERAL);
});

test('the limit of data is dropped once a transaction exceeds it, and the units stay', async () => {
  const limits = await learned(passed);
  limits.onFailure('buy', 'MaxLoadedAccountsDataSizeExceeded');
  expect(limits.of('buy')).toEqual({ units: 120_000, dataBytes: null });
  limits.onFailure('buy', { InstructionError: [2, 'ComputationalBudgetExceeded'] });
  expect(limits.of('buy')).toEqual(GENERAL);
});
