import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRuns } from '../../runs/service.ts';
import { RequestError } from '../sources/polled/request-error.ts';
import type { Poller, Source } from '../sources/source.ts';
import { silentLog } from '../testing/market.ts';
import { AGGREGATOR_INTERVAL, createAggregator } from './aggregator.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 8, 1, 12) }));
afterEach(() => void vi.useRealTimers());

function polling(name: string, poll: Partial<Poller>): Source {
  return {
    name,
    start: async () => {},
    stop: async () => {},
    status: () => ({ state: 'live', lastEventAt: null }),
    poller: { fetchListings: null, fetchQuotes: null, maxPerRun: 2, ...poll },
  };
}

function setUp(sources: readonly Source[], known: readonly string[] = []) {
  const clock = { now: () => Date.now() };
  const emitted: unknown[] = [];
  const first = new Map<string, number>();
  const runs = createRuns({
    bus: { emit: (_name, run) => void emitted.push(run) },
    audit: { record: async () => {} },
    clock,
    log: silentLog,
  });
  const market = {
    pollCandidates: () => [...known],
    firstSeenBy: (source: string) => first.get(source) ?? 0,
    merged: async () => {},
  };
  const aggregator = createAggregator({ sources, market, runs, clock, log: silentLog });
  const end = () => vi.waitFor(() => expect(runs.latest().every(({ state }) => state !== 'running')).toBe(true));
  return { aggregator, runs, emitted, first, end };
}

describe('without a polling source', () => {
  test('starts no run and gives the reason', async () => {
    const stream = { ...polling('solana', {}), poller: undefined };
    const { aggregator, runs } = setUp([
      { name: stream.name, start: stream.start, stop: stream.stop, status: stream.status },
    ]);
    aggregator.start();
    await vi.advanceTimersByTimeAsync(2 * AGGREGATOR_INTERVAL);
    expect((await aggregator.scan('schedule')).message).toContain('MARKET names no source that can be polled');
    expect((await aggregator.aggregate('schedule')).message).toContain('MARKET names no source that can be polled');
    expect(runs.latest()).toEqual([]);
    expect(aggregator.scanner()).toMatchObject({ state: 'off', nextRunAt: null });
  });
});

test('leaves out a source that waits for its monthly allowance, and says so', async () => {
  const state = { paced: true };
  const asked: string[] = [];
  const { aggregator, runs, end } = setUp(
    [
      polling('solana-tracker', {
        isPaced: () => state.paced,
        async fetchListings() {
          asked.push('new');
          // The credits of a complete run were there at its start.
          state.paced = true;
          return 1;
        },
        async fetchQuotes() {
          asked.push('known');
          return 1;
        },
      }),
    ],
    ['a'],
  );
  await aggregator.aggregate('schedule');
  await end();
  expect(asked).toEqual([]);
  expect(runs.latest()).toMatchObject([
    {
      state: 'done',
      message: '0 sources responded with 0 tokens, 0 of them new. Waiting for the monthly allowance: Solana Tracker.',
    },
  ]);
  state.paced = false;
  await aggregator.aggregate('schedule');
  await end();
  expect(asked).toEqual(['new', 'known']);
});

test('polls all sources in parallel, and a failed one stops no other [S2.13-15]', async () => {
  let resolve: (count: number) => void = () => {};
  // Resolved only once another source is polled.
  const promise = new Promise<number>((resolveCount) => {
    resolve = resolveCount;
  });
  const { aggregator, runs, first, end } = setUp([
    polling('jupiter', { fetchListings: () => promise }),
    polling('solscan', { fetchListings: () => Promise.reject(new RequestError('no-key')) }),
    polling('solanafm', { fetchListings: () => Promise.reject(new Error('secret inner trouble')) }),
    polling('dexscreener', {
      async fetchListings() {
        first.set('dexscreener', 3);
        resolve(4);
        return 5;
      },
    }),
  ]);
  const { message } = await aggregator.aggregate('schedule');
  expect(message).toBe('Requesting new and known tokens from 4 sources.');
  await end();
  const result =
    '2 sources responded with 9 tokens, 3 of them new. ' +
    'Failed: Solscan (The service needs a key, and none is set), SolanaFM (The request failed).';
  expect(runs.latest()).toMatchObject([
    { action: 'run-multi-source-aggregator', state: 'done', by: 'schedule', done: 4, total: 4, message: result },
  ]);
  expect(aggregator.status()).toMatchObject({
    running: false,
    lastResult: result,
    lastRunAt: expect.any(String),
  });
  expect(aggregator.scanner()).toMatchObject({ state: 'idle', found: 3 });
});

test('a scan requests new tokens only, the aggregator known ones as well', async () => {
  const fetchListings = vi.fn(async () => 1);
  const fetchQuotes = vi.fn(async () => 1);
  const { aggregator, end } = setUp([polling('jupiter', { fetchListings, fetchQuotes })], ['a', 'b', 'c']);
  await aggregator.scan('schedule');
  await end();
  expect([fetchListings.mock.calls.length, fetchQuotes.mock.calls.length]).toEqual([1, 0]);
  await aggregator.aggregate('schedule');
  await end();
  expect(fetchListings).toHaveBeenCalledTimes(2);
  expect(fetchQuotes.mock.calls).toEqual([[['a', 'b']]]);
});

test('polls about a token once in twenty minutes, so that all get their turn', async () => {
  const fetchQuotes = vi.fn(async () => 1);
  const { aggregator, end } = setUp([polling('rugcheck', { fetchQuotes })], ['a', 'b', 'c']);
  for (let runs = 0; runs < 3; runs += 1) {
    await aggregator.aggregate('schedule');
    await end();
  }
  expect(fetchQuotes.mock.calls).toEqual([[['a', 'b']], [['c']]]);
  await vi.advanceTimersByTimeAsync(20 * 60_000);
  await aggregator.aggregate('schedule');
  await end();
  expect(fetchQuotes.mock.calls.at(-1)).toEqual([['a', 'b']]);
});

test('polls about the same tokens again after a request that was not sent', async () => {
  const fetchQuotes = vi
    .fn<() => Promise<number>>()
    .mockRejectedValueOnce(new RequestError('circuit-open'))
    .mockResolvedValue(1);
  const { aggregator, end } = setUp([polling('rugcheck', { fetchQuotes })], ['a', 'b', 'c']);
  for (let runs = 0; runs < 2; runs += 1) {
    await aggregator.aggregate('schedule');
    await end();
  }
  expect(fetchQuotes.mock.calls).toEqual([[['a', 'b']], [['a', 'b']]]);
});

test('runs at the start and every five minutes, one run at a time, until the stop', async () => {
  const gates: (() => void)[] = [];
  const fetchListings = vi.fn(() => new Promise<number>((resolve) => gates.push(() => resolve(0))));
  const { aggregator, end } = setUp([polling('jupiter', { fetchListings })]);
  aggregator.start();
  await vi.advanceTimersByTimeAsync(1);
  expect(aggregator.status()).toMatchObject({ running: true });
  expect(aggregator.scanner().state).toBe('running');
  await expect(aggregator.aggregate('schedule')).rejects.toMatchObject({ code: 'already-running' });
  // Still running at the time of the next run, which is skipped.
  await vi.advanceTimersByTimeAsync(AGGREGATOR_INTERVAL);
  expect(fetchListings).toHaveBeenCalledTimes(1);
  gates[0]?.();
  await end();
  await vi.advanceTimersByTimeAsync(AGGREGATOR_INTERVAL);
  expect(fetchListings).toHaveBeenCalledTimes(2);
  aggregator.stop();
  gates[1]?.();
  await end();
  await vi.advanceTimersByTimeAsync(3 * AGGREGATOR_INTERVAL);
  expect(fetchListings).toHaveBeenCalledTimes(2);
  expect(aggregator.status()).toMatchObject({ running: false, nextRunAt: null });
});

test('ends at once when the server stops', async () => {
  const { aggregator, runs } = setUp([polling('jupiter', { fetchListings: () => new Promise(() => {}) })]);
  await aggregator.scan('schedule');
  await runs.stop();
  expect(runs.latest()).toMatchObject([{ state: 'done', message: 'The server stopped.' }]);
});
