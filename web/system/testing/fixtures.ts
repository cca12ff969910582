import type { SystemMinute, SystemStatus } from '../../../common/admin/model.ts';
import type { SourceHealth } from '../../../common/sources/model.ts';

/** A time long ago, so that the history misses no minute of the test's own time. */
export const AT = '2026-02-03T04:05:06.000Z';

export function source(name: string, fields: Partial<SourceHealth> = {}): SourceHealth {
  return {
    source: name,
    label: name,
    kind: 'poll',
    state: 'live',
    reason: null,
    lastEventAt: AT,
    eventsPerMinute: 12,
    errors: 0,
    lastErrorAt: null,
    malformed: 0,
    circuit: 'closed',
    retryAt: null,
    budget: { limit: 60, left: 41, resetsAt: null },
    allowance: null,
    key: 'none',
    ...fields,
  };
}

export function systemStatus(fields: Partial<SystemStatus> = {}): SystemStatus {
  return {
    at: AT,
    version: '0.3.0',
    uptime: 30,
    bot: { configured: true, connected: true, error: null, chats: 7, queued: 2 },
    chainScanner: { state: 'idle', intervalMs: 300_000, lastRunAt: AT, nextRunAt: AT, found: 1_234 },
    social: {
      state: 'off',
      reason: 'X_BEARER_TOKEN is not set.',
      accounts: ['one', 'two', 'three', 'four', 'five'],
      lastScanAt: null,
      posts: 0,
      mentions: 0,
    },
    autoBuy: { activeRules: 3, activeStrategies: 4, transactionsToday: 9 },
    aggregator: { running: false, intervalMs: 300_000, lastRunAt: AT, nextRunAt: AT, lastResult: null },
    sources: [
      source('simulator', { label: 'Simulator', kind: 'stream', budget: null }),
      source('jupiter', { label: 'Jupiter' }),
      source('solscan', {
        label: 'Solscan',
        state: 'off',
        reason: 'The service needs a key.',
        key: 'required-missing',
      }),
      source('solana-tracker', { label: 'Solana Tracker', key: 'set' }),
    ],
    network: {
      slotMs: { value: 200, at: AT },
      rentPerByteLamports: { value: 5_080, at: AT },
      isAlpenglow: { value: false, at: AT },
      versions: { value: ['legacy', 0, 1], at: AT },
    },
    feed: {
      clients: 5,
      stalled: 1,
      queuedBytes: 12_000,
      closedSlow: 0,
      eventsPerSecond: 4.25,
      lagP50: 3.21,
      lagP99: 41.6,
    },
    mongo: { up: true, pingMs: 0.8 },
    process: { rssBytes: 412_000_000, heapBytes: 120_000_000, eventLoopMaxMs: 18 },
    ...fields,
  };
}

/** The minute that starts `number` minutes after `AT`. */
export function minute(number: number, fields: Partial<SystemMinute> = {}): SystemMinute {
  return {
    at: new Date(Date.parse(AT) + number * 60_000).toISOString(),
    clients: number,
    eventsPerSecond: 4,
    lagP99: 40,
    mongoPingMs: 1,
    rssBytes: 400_000_000,
    eventLoopMaxMs: 10,
    sources: {},
    ...fields,
  };
}
