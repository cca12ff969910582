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
  const told: unknown[] = [];
  const first = new Map<string, number>();
  const runs = createRuns({
    bus: { emit: (_name, run) => void told.push(run) },
    audit: { record: async () => {} },
    clock,
    log: silentLog,
  });
  const market = {
    worthAsking: () => [...known],
    firstToldBy: (source: string) => first.get(source) ?? 0,
    merged: async () => {},
  };
  const aggregator = createAggregator({ sources, market, runs, clock, log: silentLog });
  const end = () => vi.waitFor(() => expect(runs.latest().every(({ state }) => state !== 'running')).toBe(true));
  return { aggregator, runs, told, first, end };
}

describe('without a polling source', () => {
  test('nothing runs, and that is said', async () => {
    const stream = { ...polling('solana', {}), poller: undefined };
    const { aggregator, runs } = setUp([
      { name: stream.name, start: stream.start, stop: stream.stop, status: stream.status },
    ]);
    aggregator.start();
    await vi.advanceTimersByTimeAsync(2 * AGGREGATOR_INTERVAL);
    expect((await aggregator.scan('schedule')).message).toContain('No polling source is in MARKET');
    expect((await aggregator.aggregate('schedule')).message).toContain('No polling source is in MARKET');
    expect(runs.latest()).toEqual([]);
    expect(aggregator.scanner()).toMatchObject({ state: 'off', nextRunAt: null });
  });
});

test('asks all sources side by side, and one that fails stops no other [S2.13-15]', async () => {
  let resolve: (told: number) => void = () => {};
  // Answered only once another source was asked.
  const promise = new Promise<number>((answer) => {
    resolve = answer;
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
  expect(message).toBe('Asking 4 sources for new tokens and about known ones.');
  await end();
  const result =
    '2 sources answered; 9 tokens told of, 3 of them new. ' +
    'Trouble with Solscan (The service needs a key, and none is set), SolanaFM (Asking failed).';
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

test('a scan asks for new tokens only, the aggregator about known ones as well', async () => {
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

test('asks about no token again for twenty minutes, so that all have their turn', async () => {
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

test('asks about them again once a source is asked at all that was left alone', async () => {
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

test('runs at the start and every five minutes, never twice at a time, and no more after the stop', async () => {
  const gates: (() => void)[] = [];
  const fetchListings = vi.fn(() => new Promise<number>((resolve) => gates.push(() => resolve(0))));
  const { aggregator, end } = setUp([polling('jupiter', { fetchListings })]);
  aggregator.start();
  await vi.advanceTimersByTimeAsync(1);
  expect(aggregator.status()).toMatchObject({ running: true });
  expect(aggregator.scanner().state).toBe('running');
  await expect(aggregator.aggregate('schedule')).rejects.toMatchObject({ code: 'already-running' });
  // Still under way when the next one would begin: that one is left out.
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

test('ends at once when the server stops, whatever a source does', async () => {
  const { aggregator, runs } = setUp([polling('jupiter', { fetchListings: () => new Promise(() => {}) })]);
  await aggregator.scan('schedule');
  await runs.stop();
  expect(runs.latest()).toMatchObject([{ state: 'done', message: 'The server stopped.' }]);
});
