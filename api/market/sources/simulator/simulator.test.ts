// long because all these tests share one clock and one listening market
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Observation } from '../observation.ts';
import type { Source, SourceContext, StoredToken } from '../source.ts';
import { createSimulator, type SimulatorOptions } from './simulator.ts';

const START = Date.UTC(2026, 6, 4, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Heard {
  context: SourceContext;
  observations: Observation[];
  chunks: number[];
}

/** A market that only listens. */
function listener(options: { known?: StoredToken[]; backlog?: () => number } = {}): Heard {
  const observations: Observation[] = [];
  const chunks: number[] = [];
  const context: SourceContext = {
    observe: (heard) => {
      observations.push(...heard);
      chunks.push(heard.length);
    },
    backlog: options.backlog ?? (() => 0),
    storedTokens: async () => options.known ?? [],
    log: pino({ level: 'silent' }),
  };
  return { context, observations, chunks };
}

function knownToken(token: Partial<StoredToken> = {}): StoredToken {
  return {
    address: 'So11111111111111111111111111111111111111112',
    symbol: 'OLD',
    creator: 'Vote111111111111111111111111111111111111111',
    createdAt: START - 20 * MINUTE,
    lastTradeAt: START - MINUTE,
    stage: 'curve',
    reserves: {
      virtualQuote: 60_000_000_000,
      virtualToken: 536_500_000_000_000,
      realQuote: 30_000_000_000,
      realToken: 256_600_000_000_000,
    },
    lastSignature: null,
    ...token,
  };
}

let started: Source[] = [];

async function run(heard: Heard, options: Partial<SimulatorOptions> = {}): Promise<Source> {
  const source = createSimulator({ rate: 20, seed: 7, clock: { now: () => Date.now() }, solUsd: null, ...options });
  started.push(source);
  await source.start(heard.context);
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
  test('tells the past in chunks and in time order, then launches within ten seconds', async () => {
    const heard = listener();
    const source = await run(heard);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    const past = heard.observations.filter((one) => one.at < START);
    expect(past.length).toBeGreaterThan(15_000);
    expect(Math.max(...heard.chunks)).toBeLessThan(2_000);
    expect(heard.observations.every((one, i) => one.at >= (heard.observations[i - 1]?.at ?? 0))).toBe(true);
    expect(heard.observations.some((one) => one.kind === 'created' && one.at > START)).toBe(true);
    expect(source.status()).toMatchObject({ state: 'live' });
    expect(source.status().lastEventAt).toBeGreaterThan(START);
  });

  test('hears live events after they happen, history as it happened', async () => {
    const heard = listener();
    await run(heard);
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    for (const one of heard.observations) {
      if (one.at <= START) expect(one.receivedAt).toBe(one.at);
      else if (one.receivedAt - one.at > SECOND) expect.fail(`heard ${one.receivedAt - one.at} ms late`);
    }
  });

  test('waits with the past while the market has enough to do', async () => {
    let waiting = 10_000;
    const heard = listener({ backlog: () => waiting });
    await run(heard);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(heard.chunks).toHaveLength(1);
    waiting = 0;
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(heard.chunks.length).toBeGreaterThan(10);
  });

  test('the same seed and clock give the same market', async () => {
    const tell = async (): Promise<Observation[]> => {
      vi.setSystemTime(START);
      const heard = listener();
      const source = await run(heard);
      await vi.advanceTimersByTimeAsync(5 * SECOND);
      await source.stop();
      return heard.observations;
    };
    const once = await tell();
    const again = await tell();
    expect(again.length).toBe(once.length);
    expect(again.at(-1)).toEqual(once.at(-1));
  });
});

describe('letting go of all coins', () => {
  const addressesIn = (observations: readonly Observation[]) =>
    observations.flatMap((one) => ('address' in one ? [one.address] : []));

  test('tells nothing more of them, whatever was planned, and launches others', async () => {
    const token = knownToken({ stage: 'complete' });
    const heard = listener({ known: [token] });
    const source = await run(heard, { rate: 120 });
    await vi.advanceTimersByTimeAsync(MINUTE);
    const before = new Set([token.address, ...addressesIn(heard.observations)]);
    heard.observations.length = 0;
    source.clear?.();
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(addressesIn(heard.observations).filter((address) => before.has(address))).toEqual([]);
    const created = heard.observations.filter((one) => one.kind === 'created');
    expect(created.length).toBeGreaterThan(600);
    expect(heard.observations.filter((one) => one.kind === 'trade').length).toBeGreaterThan(created.length);
  });

  test('also in the middle of the history, and of coins that were to go on', async () => {
    let waiting = 10_000;
    const token = knownToken({ createdAt: START - 5 * 60 * MINUTE, lastTradeAt: START - 20 * MINUTE });
    const heard = listener({ known: [token], backlog: () => waiting });
    const source = await run(heard);
    await vi.advanceTimersByTimeAsync(SECOND);
    const before = new Set([token.address, ...addressesIn(heard.observations)]);
    expect(before.size).toBeGreaterThan(5);
    heard.observations.length = 0;
    source.clear?.();
    waiting = 0;
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(addressesIn(heard.observations).filter((address) => before.has(address))).toEqual([]);
    expect(heard.observations.some((one) => one.kind === 'created' && one.at > START)).toBe(true);
  });
});

describe('a restart', () => {
  test('does not go on with coins that were removed while storage was asked', async () => {
    const token = knownToken();
    const heard = listener();
    const answers: ((known: StoredToken[]) => void)[] = [];
    heard.context.storedTokens = () => new Promise((resolve) => answers.push(resolve));
    const source = await run(heard);
    source.clear?.();
    answers[0]?.([token]);
    await vi.advanceTimersByTimeAsync(0);
    answers[1]?.([]);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(source.status().state).toBe('live');
    expect(heard.observations.some((one) => 'address' in one && one.address === token.address)).toBe(false);
  });

  test('tells no history again and goes on with the coins it knows', async () => {
    const token = knownToken();
    const heard = listener({ known: [token] });
    await run(heard);
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(heard.observations.every((one) => one.at >= START)).toBe(true);
    const trades = heard.observations.filter((one) => one.kind === 'trade' && one.address === token.address);
    expect(trades.length).toBeGreaterThan(0);
    expect(trades[0]).toMatchObject({ side: 'buy', quote: 'SOL', venue: 'curve', creator: token.creator });
    expect(heard.observations.some((one) => one.kind === 'created' && one.at < START + 10 * SECOND)).toBe(true);
  });

  test('makes other addresses than before, with the same seed', async () => {
    const addresses = async (): Promise<string[]> => {
      const heard = listener({ known: [knownToken()] });
      const source = await run(heard);
      await vi.advanceTimersByTimeAsync(30 * SECOND);
      await source.stop();
      return heard.observations.flatMap((one) => (one.kind === 'created' ? [one.address] : []));
    };
    const before = await addresses();
    const after = await addresses();
    expect(before.length).toBeGreaterThan(0);
    expect(after.filter((address) => before.includes(address))).toEqual([]);
  });

  test('opens the pool of a curve that had completed', async () => {
    const reserves = {
      virtualQuote: 115_005_359_057,
      virtualToken: 279_900_000_000_000,
      realQuote: 85_005_359_057,
      realToken: 0,
    };
    const heard = listener({ known: [knownToken({ stage: 'complete', reserves })] });
    await run(heard);
    await vi.advanceTimersByTimeAsync(30 * SECOND);
    const migrated = heard.observations.filter((one) => one.kind === 'migrated');
    expect(migrated).toMatchObject([{ address: knownToken().address, quoteAmount: 84_990_359_056 }]);
  });

  test('opens a pool that had no trade yet with what the curve collected', async () => {
    const reserves = {
      virtualQuote: 115_005_359_057,
      virtualToken: 279_900_000_000_000,
      realQuote: 85_005_359_057,
      realToken: 0,
    };
    const heard = listener({ known: [knownToken({ stage: 'pool', reserves })] });
    await run(heard, { rate: 0 });
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    const trades = heard.observations.filter((one) => one.kind === 'trade');
    expect(trades[0]).toMatchObject({ side: 'buy', quote: 'SOL', venue: 'pool' });
    expect(trades[0]?.reserves.realToken).toBeLessThan(206_900_000_000_000);
    expect(trades[0]?.reserves.realToken).toBeGreaterThan(150_000_000_000_000);
  });

  test('leaves coins alone that are long silent or were never told in full', async () => {
    const heard = listener({
      known: [
        knownToken({ lastTradeAt: START - 50 * MINUTE }),
        knownToken({ address: 'SysvarRent111111111111111111111111111111111', reserves: null }),
      ],
    });
    await run(heard, { rate: 0 });
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    // The newest of them traded 20 minutes ago: those minutes are told as a rate alone, without launches.
    expect(heard.observations.every((one) => one.kind === 'rate')).toBe(true);
  });

  test('fills the hours it was away, and nothing before them', async () => {
    const lastTradeAt = START - 180 * MINUTE;
    const heard = listener({ known: [knownToken({ createdAt: lastTradeAt - MINUTE, lastTradeAt })] });
    await run(heard);
    await vi.advanceTimersByTimeAsync(10 * SECOND);
    expect(Math.min(...heard.observations.map((one) => one.at))).toBeGreaterThan(lastTradeAt);
    expect(heard.observations.filter((one) => one.kind === 'created' && one.at < START).length).toBeGreaterThan(100);
  });

  test('waits for storage instead of telling a second history', async () => {
    const heard = listener();
    let asked = 0;
    heard.context.storedTokens = async () => {
      asked += 1;
      if (asked < 3) throw new Error('storage is away');
      return [knownToken()];
    };
    const source = await run(heard);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(heard.observations).toEqual([]);
    expect(source.status().state).toBe('connecting');
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(source.status().state).toBe('live');
    expect(heard.observations.every((one) => one.at >= START)).toBe(true);
  });
});

describe('stop', () => {
  test('ends the live market at once', async () => {
    const heard = listener({ known: [knownToken()] });
    const source = await run(heard);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    await source.stop();
    const count = heard.observations.length;
    expect(count).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(heard.observations).toHaveLength(count);
    expect(source.status().state).toBe('stopped');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends the telling of the past', async () => {
    const heard = listener({ backlog: () => 10_000 });
    const source = await run(heard);
    await vi.advanceTimersByTimeAsync(SECOND);
    await source.stop();
    expect(heard.chunks).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does nothing before a start', async () => {
    const source = createSimulator({ rate: 20, seed: 'x', clock: { now: () => START }, solUsd: 100 });
    await expect(source.stop()).resolves.toBeUndefined();
    expect(source.status()).toEqual({ state: 'stopped', lastEventAt: null });
  });
});

test('a sleep of the machine is left out, not caught up with', async () => {
  const heard = listener({ known: [knownToken()] });
  await run(heard);
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  const before = heard.observations.length;
  vi.setSystemTime(START + 600 * MINUTE);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  const since = heard.observations.slice(before);
  expect(since.length).toBeGreaterThan(0);
  expect(since.length).toBeLessThan(500);
  expect(since.every((one) => one.at >= START + 599 * MINUTE)).toBe(true);
});
