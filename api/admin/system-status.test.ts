import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import { type AdminStats, systemMinuteSchema, systemStatusSchema } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import { MINUTE, SECOND } from '../../common/time.ts';
import type { DomainEventName } from '../events/events.ts';
import { createAdminLive } from './live.ts';
import { createFeedMeter } from './meters.ts';
import { createSystemMonitor, type SystemParts } from './system-status.ts';

const START = Date.parse('2026-11-21T08:00:00Z');
const log = pino({ level: 'silent' });
const network = {
  slotMs: { value: 200, at: '2026-11-21T07:00:00.000Z' },
  rentPerByteLamports: { value: 5_080, at: '2026-11-21T07:00:00.000Z' },
  isAlpenglow: null,
  versions: null,
};

const source: SourceHealth = {
  source: 'jupiter',
  label: 'Jupiter',
  kind: 'poll',
  state: 'live',
  reason: null,
  lastEventAt: null,
  eventsPerMinute: 12,
  errors: 3,
  lastErrorAt: null,
  malformed: 0,
  circuit: 'closed',
  retryAt: null,
  budget: null,
  allowance: null,
  key: 'none',
};

function setUp(overrides: Partial<SystemParts> = {}) {
  const clock = { at: START, now: () => clock.at };
  let published = 0;
  const feedMeter = createFeedMeter(() => published);
  const parts: SystemParts = {
    bot: async () => ({ configured: true, connected: true, error: null, chats: 2, queued: 5 }),
    chainScanner: () => ({ state: 'running', intervalMs: 300_000, lastRunAt: null, nextRunAt: null, found: 7 }),
    social: () => ({ state: 'live', reason: null, accounts: ['solana'], lastScanAt: null, posts: 1, mentions: 0 }),
    autoBuy: async () => ({ activeRules: 4, activeStrategies: 2, transactionsToday: 9 }),
    aggregator: () => ({ running: false, intervalMs: 300_000, lastRunAt: null, nextRunAt: null, lastResult: null }),
    sources: () => [source],
    clients: () => ({ connections: 3, stalled: 1, queuedBytes: 10, closedSlow: 0 }),
    lag: () => ({ p50: 40, p99: 120 }),
    network: () => network,
    ping: async () => 1.5,
    ...overrides,
  };
  const eventLoop = { rotate: () => {}, longest: () => 8, stop: () => {} };
  const monitor = createSystemMonitor({ parts, feedMeter, eventLoop, version: '1.2.3', clock, log });
  /** Passes seconds with this many feed events each. */
  const pass = (seconds: number, events: number) => {
    for (let second = 0; second < seconds; second += 1) {
      published += events;
      clock.at += SECOND;
      feedMeter.sample();
    }
  };
  return { monitor, parts, pass };
}

test('returns the figures of every part [S2.13-12, S2.13-14]', async () => {
  const { monitor, pass } = setUp();
  pass(1, 30);
  pass(1, 20);
  const status = systemStatusSchema.parse(await monitor.status());
  expect(status).toMatchObject({
    at: '2026-11-21T08:00:02.000Z',
    version: '1.2.3',
    bot: { connected: true, chats: 2, queued: 5 },
    chainScanner: { state: 'running', intervalMs: 300_000, found: 7 },
    autoBuy: { activeRules: 4, activeStrategies: 2, transactionsToday: 9 },
    sources: [source],
    feed: { clients: 3, stalled: 1, queuedBytes: 10, closedSlow: 0, eventsPerSecond: 5, lagP50: 40, lagP99: 120 },
    network,
    mongo: { up: true, pingMs: 1.5 },
    process: { eventLoopMaxMs: 8 },
  });
});

describe('a part that fails', () => {
  const fail = () => {
    throw new Error('broken');
  };

  test('keeps its last value and does not affect the others', async () => {
    let isBroken: boolean = false;
    const found = () => (isBroken ? fail() : [source]);
    const { monitor } = setUp({ sources: found, social: fail, lag: fail, bot: () => Promise.reject(new Error('no')) });
    expect(await monitor.status()).toMatchObject({
      sources: [source],
      social: { state: 'off' },
      feed: { lagP50: null },
    });
    isBroken = true;
    expect(await monitor.status()).toMatchObject({ sources: [source], autoBuy: { activeRules: 4 } });
  });

  test('returns the rest without delay while MongoDB is away', async () => {
    const autoBuy = vi.fn(async () => ({ activeRules: 1, activeStrategies: 0, transactionsToday: 0 }));
    const { monitor } = setUp({ autoBuy, ping: () => Promise.reject(new Error('away')) });
    expect(await monitor.status()).toMatchObject({ mongo: { up: false, pingMs: null }, feed: { clients: 3 } });
    expect(autoBuy).not.toHaveBeenCalled();
  });
});

test('keeps the minutes of the last hour', async () => {
  let errors = 3;
  const { monitor, pass } = setUp({ sources: () => [{ ...source, errors }] });
  for (let minute = 0; minute < 62; minute += 1) {
    pass(60, 1);
    await monitor.endMinute();
    errors += 2;
  }
  const history = monitor.history().map((minute) => systemMinuteSchema.parse(minute));
  expect(history).toHaveLength(60);
  expect(history[0]?.at).toBe(new Date(START + 3 * MINUTE).toISOString());
  expect(history.at(-1)).toMatchObject({
    at: new Date(START + 62 * MINUTE).toISOString(),
    clients: 3,
    eventsPerSecond: 1,
    lagP99: 120,
    mongoPingMs: 1.5,
    sources: { jupiter: { events: 12, errors: 2 } },
  });
  const day = monitor.day().map((span) => systemMinuteSchema.parse(span));
  expect(day).toHaveLength(6);
  expect(day.at(-1)).toMatchObject({
    at: new Date(START + 60 * MINUTE).toISOString(),
    eventsPerSecond: 1,
    lagP99: 120,
    sources: { jupiter: { events: 120, errors: 20 } },
  });
});

describe('live events for administrators', () => {
  function live() {
    const sent: string[] = [];
    const state: { isWatched: boolean; users: number; isAway: boolean } = { isWatched: true, users: 1, isAway: false };
    const { monitor } = setUp();
    const status = vi.fn(monitor.status);
    const endMinute = vi.fn(monitor.endMinute);
    const read = vi.fn(async (): Promise<AdminStats> => {
      if (state.isAway) throw new Error('broken');
      const { users } = state;
      const scanners = { lastTokenScan: new Date().toISOString(), lastXPostScan: null };
      return { users: { total: users, active: users }, tokens: { total: 0, last24h: 0 }, scanners };
    });
    const eventLoop = { rotate: vi.fn() };
    const adminLive = createAdminLive({
      stats: { read },
      system: { status, endMinute },
      eventLoop,
      feedMeter: { sample: () => {} },
      bus: { emit: (event: DomainEventName) => void sent.push(event) },
      isWatched: () => state.isWatched,
      log,
    });
    const ticks = async (count: number) => {
      for (let tick = 0; tick < count; tick += 1) await adminLive.tick();
    };
    return { ticks, sent, state, status, read, endMinute, eventLoop };
  }

  test('emits the status once a second, and the statistics when they changed', async () => {
    const { ticks, sent, state } = live();
    await ticks(3);
    expect(sent).toEqual([
      'system-status-changed',
      'admin-stats-changed',
      'system-status-changed',
      'system-status-changed',
    ]);
    state.users = 2;
    await ticks(1);
    expect(sent.slice(4)).toEqual(['system-status-changed', 'admin-stats-changed']);
    // A newer time of the last token scan causes at most one event in ten seconds.
    await ticks(20);
    expect(sent.slice(6).filter((event) => event === 'admin-stats-changed')).toHaveLength(2);
  });

  test('counts nothing while no administrator watches, but keeps the minutes', async () => {
    const { ticks, sent, state, status, read, endMinute, eventLoop } = live();
    state.isWatched = false;
    await ticks(120);
    expect([sent, status.mock.calls.length, read.mock.calls.length]).toEqual([[], 0, 0]);
    expect([endMinute.mock.calls.length, eventLoop.rotate.mock.calls.length]).toEqual([2, 12]);
  });

  test('skips only the second of a failed count', async () => {
    const { ticks, sent, state } = live();
    state.isAway = true;
    await ticks(1);
    state.isAway = false;
    await ticks(1);
    expect(sent).toEqual(['system-status-changed', 'system-status-changed', 'admin-stats-changed']);
  });
});
