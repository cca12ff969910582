import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE, SECOND } from '../../../../common/time.ts';
import type { Observation } from '../observation.ts';
import type { Source, StoredToken } from '../source.ts';
import { type TestContext, testContext } from '../testing/source-context.ts';
import { storedToken } from '../testing/stored-token.ts';
import { createSimulator, type SimulatorOptions } from './simulator.ts';

const START = Date.UTC(2026, 6, 4, 12);
/** Reserves of a curve of which every coin has been sold. */
const soldOut = {
  virtualQuote: 115_005_359_057,
  virtualToken: 279_900_000_000_000,
  realQuote: 85_005_359_057,
  realToken: 0,
};

interface Recorder {
  context: TestContext;
  observations: Observation[];
  chunks: number[];
}

/** Creates a context that records observations and the sizes of their chunks. */
function recorder(options: { stored?: StoredToken[]; backlog?: () => number } = {}): Recorder {
  const context = testContext(options.stored, options.backlog);
  const { observe, observations } = context;
  const chunks: number[] = [];
  context.observe = (batch) => {
    observe(batch);
    chunks.push(batch.length);
  };
  return { context, observations, chunks };
}

let started: Source[] = [];

async function run(market: Recorder, options: Partial<SimulatorOptions> = {}): Promise<Source> {
  const source = createSimulator({ rate: 20, seed: 7, clock: { now: () => Date.now() }, solUsd: null, ...options });
  started.push(source);
  await source.start(market.context);
  return source;
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});

afterEach(async () => {
  await Promise.all(started.map((source) => source.stop()));
  started = [];
  vi.useRealTimers();
});

describe('a first start', () => {
  test('observes the past in chunks and in time order, then launches within ten seconds', async () => {
    const market = recorder();
    const source = await run(market);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    const past = market.observations.filter((one) => one.at < START);
    expect(past.length).toBeGreaterThan(15_000);
    expect(Math.max(...market.chunks)).toBeLessThan(2_000);
    expect(market.observations.every((one, i) => one.at >= (market.observations[i - 1]?.at ?? 0))).toBe(true);
    expect(market.observations.some((one) => one.kind === 'created' && one.at > START)).toBe(true);
    expect(source.status()).toMatchObject({ state: 'live' });
    expect(source.status().lastEventAt).toBeGreaterThan(START);
  });

  test('receives live events after they happen, history as it happened', async () => {
    const market = recorder();
    await run(market);
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    for (const one of market.observations) {
      if (one.at <= START) expect(one.receivedAt).toBe(one.at);
      else if (one.receivedAt - one.at > SECOND) expect.fail(`received ${one.receivedAt - one.at} ms late`);
    }
  });

  test('pauses the history while the ingest queue is long', async () => {
    let waiting = 10_000;
    const market = recorder({ backlog: () => waiting });
    await run(market);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(market.chunks).toHaveLength(1);
    waiting = 0;
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(market.chunks.length).toBeGreaterThan(10);
  });

  test('is the same for the same seed and clock', async () => {
    const observe = async (): Promise<Observation[]> => {
      vi.setSystemTime(START);
      const market = recorder();
      const source = await run(market);
      await vi.advanceTimersByTimeAsync(5 * SECOND);
      await source.stop();
      return market.observations;
    };
    const once = await observe();
    const repeated = await observe();
    expect(repeated.length).toBe(once.length);
    expect(repeated.at(-1)).toEqual(once.at(-1));
  });
});

describe('clear', () => {
  const addressesIn = (observations: readonly Observation[]) =>
    observations.flatMap((one) => ('address' in one ? [one.address] : []));

  test('ends all events of earlier coins and launches others', async () => {
    const token = storedToken(START, { stage: 'complete' });
    const market = recorder({ stored: [token] });
    const source = await run(market, { rate: 120 });
    await vi.advanceTimersByTimeAsync(MINUTE);
    const before = new Set([token.address, ...addressesIn(market.observations)]);
    market.observations.length = 0;
    source.clear?.();
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(addressesIn(market.observations).filter((address) => before.has(address))).toEqual([]);
    const created = market.observations.filter((one) => one.kind === 'created');
    expect(created.length).toBeGreaterThan(600);
    expect(market.observations.filter((one) => one.kind === 'trade').length).toBeGreaterThan(created.length);
  });

  test('works during the history and with coins to resume', async () => {
    let waiting = 10_000;
    const token = storedToken(START, { createdAt: START - 5 * 60 * MINUTE, lastTradeAt: START - 20 * MINUTE });
    const market = recorder({ stored: [token], backlog: () => waiting });
    const source = await run(market);
    await vi.advanceTimersByTimeAsync(SECOND);
    const before = new Set([token.address, ...addressesIn(market.observations)]);
    expect(before.size).toBeGreaterThan(5);
    market.observations.length = 0;
    source.clear?.();
    waiting = 0;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(addressesIn(market.observations).filter((address) => before.has(address))).toEqual([]);
    expect(market.observations.some((one) => one.kind === 'created' && one.at > START)).toBe(true);
  });
});

describe('a restart', () => {
  test('does not resume coins that were removed while storage was read', async () => {
    const token = storedToken(START);
    const market = recorder();
    const responses: ((stored: StoredToken[]) => void)[] = [];
    market.context.storedTokens = () => new Promise((resolve) => responses.push(resolve));
    const source = await run(market);
    source.clear?.();
    responses[0]?.([token]);
    await vi.advanceTimersByTimeAsync(0);
    responses[1]?.([]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(source.status().state).toBe('live');
    expect(market.observations.some((one) => 'address' in one && one.address === token.address)).toBe(false);
  });

  test('repeats no history and resumes stored coins', async () => {
    const token = storedToken(START);
    const market = recorder({ stored: [token] });
    await run(market);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(market.observations.every((one) => one.at >= START)).toBe(true);
    const trades = market.observations.filter((one) => one.kind === 'trade' && one.address === token.address);
    expect(trades.length).toBeGreaterThan(0);
    expect(trades[0]).toMatchObject({ side: 'buy', quote: 'SOL', venue: 'curve', creator: token.creator });
    expect(market.observations.some((one) => one.kind === 'created' && one.at < START + 10 * SECOND)).toBe(true);
  });

  test('uses other addresses with the same seed', async () => {
    const addresses = async (): Promise<string[]> => {
      const market = recorder({ stored: [storedToken(START)] });
      const source = await run(market);
      await vi.advanceTimersByTimeAsync(30 * SECOND);
      await source.stop();
      return market.observations.flatMap((one) => (one.kind === 'created' ? [one.address] : []));
    };
    const before = await addresses();
    const after = await addresses();
    expect(before.length).toBeGreaterThan(0);
    expect(after.filter((address) => before.includes(address))).toEqual([]);
  });

  test('opens the pool of a curve that had completed', async () => {
    const market = recorder({ stored: [storedToken(START, { stage: 'complete', reserves: soldOut })] });
    await run(market);
    await vi.advanceTimersByTimeAsync(30 * SECOND);
    const migrated = market.observations.filter((one) => one.kind === 'migrated');
    expect(migrated).toMatchObject([{ address: storedToken(START).address, quoteAmount: 84_990_359_056 }]);
  });

  test('opens a pool that had no trade yet with what the curve collected', async () => {
    const market = recorder({ stored: [storedToken(START, { stage: 'pool', reserves: soldOut })] });
    await run(market, { rate: 0 });
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    const trades = market.observations.filter((one) => one.kind === 'trade');
    expect(trades[0]).toMatchObject({ side: 'buy', quote: 'SOL', venue: 'pool' });
    expect(trades[0]?.reserves.realToken).toBeLessThan(206_900_000_000_000);
    expect(trades[0]?.reserves.realToken).toBeGreaterThan(150_000_000_000_000);
  });

  test('resumes a silent coin that is pinned', async () => {
    const token = storedToken(START, { lastTradeAt: START - 50 * MINUTE, isPinned: true });
    const market = recorder({ stored: [token] });
    await run(market, { rate: 0 });
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(market.observations.some((one) => one.kind === 'trade' && one.address === token.address)).toBe(true);
  });

  test('does not resume silent coins or ones with unknown reserves', async () => {
    const market = recorder({
      stored: [
        storedToken(START, { lastTradeAt: START - 50 * MINUTE }),
        storedToken(START, { address: 'SysvarRent111111111111111111111111111111111', reserves: null }),
      ],
    });
    await run(market, { rate: 0 });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    // The newest was created 20 minutes ago: these minutes have rates only, without launches.
    expect(market.observations.every((one) => one.kind === 'rate')).toBe(true);
  });

  test('fills only the hours since the last event', async () => {
    const lastTradeAt = START - 180 * MINUTE;
    const market = recorder({ stored: [storedToken(START, { createdAt: lastTradeAt - MINUTE, lastTradeAt })] });
    await run(market);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    expect(Math.min(...market.observations.map((one) => one.at))).toBeGreaterThan(lastTradeAt);
    expect(market.observations.filter((one) => one.kind === 'created' && one.at < START).length).toBeGreaterThan(100);
  });

  test('waits for storage instead of repeating the history', async () => {
    const market = recorder();
    let requests = 0;
    market.context.storedTokens = async () => {
      requests += 1;
      if (requests < 3) throw new Error('storage is away');
      return [storedToken(START)];
    };
    const source = await run(market);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(market.observations).toEqual([]);
    expect(source.status().state).toBe('connecting');
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(source.status().state).toBe('live');
    expect(market.observations.every((one) => one.at >= START)).toBe(true);
  });
});

describe('stop', () => {
  test('ends the live market at once', async () => {
    const market = recorder({ stored: [storedToken(START)] });
    const source = await run(market);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    await source.stop();
    const count = market.observations.length;
    expect(count).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(market.observations).toHaveLength(count);
    expect(source.status().state).toBe('stopped');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends the history', async () => {
    const market = recorder({ backlog: () => 10_000 });
    const source = await run(market);
    await vi.advanceTimersByTimeAsync(SECOND);
    await source.stop();
    expect(market.chunks).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does nothing before a start', async () => {
    const source = createSimulator({ rate: 20, seed: 'x', clock: { now: () => START }, solUsd: 100 });
    await expect(source.stop()).resolves.toBeUndefined();
    expect(source.status()).toEqual({ state: 'stopped', lastEventAt: null });
  });
});

test('skips a sleep of the machine instead of catching up', async () => {
  const market = recorder({ stored: [storedToken(START)] });
  await run(market);
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  const before = market.observations.length;
  vi.setSystemTime(START + 600 * MINUTE);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  const since = market.observations.slice(before);
  expect(since.length).toBeGreaterThan(0);
  expect(since.length).toBeLessThan(500);
  expect(since.every((one) => one.at >= START + 599 * MINUTE)).toBe(true);
});
