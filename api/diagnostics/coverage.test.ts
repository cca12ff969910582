import { beforeEach, expect, test } from 'vitest';
import { MINUTE } from '../../common/time.ts';
import { addressOf } from '../../realtime/testing/events.ts';
import type { ListedObservation } from '../market/sources/observation.ts';
import { listed } from '../market/testing/observations.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import type { MonitoredSource } from './sightings.ts';

const START = 1_800_000_000_000;
const noLosses = {
  ...{ slotsMissed: null, transactionsLost: null, transactionsUnreadable: null },
  ...{ tradesMissed: 0, decodeErrors: 0, refused: 0 },
};
const onMainnet = { cluster: 'mainnet', live: true, unreadableVersions: [] };
let now: number;
let sources: MonitoredSource[];
let coverage: Coverage;

beforeEach(() => {
  now = START;
  sources = [
    { ...onMainnet, name: 'solana', kind: 'stream', losses: { ...noLosses, slotsMissed: 0 } },
    { ...onMainnet, name: 'pumpportal', kind: 'stream', losses: noLosses },
    { ...onMainnet, name: 'jupiter', kind: 'poll', losses: noLosses },
  ];
  coverage = createCoverage({ now: () => now }, () => sources);
});

const listing = (number: number, fields: Partial<ListedObservation['listing']> = {}, mayBegin = true) =>
  listed(
    { symbol: `T${number}`, launchpad: 'pump.fun', ...fields },
    { source: 'solana', address: addressOf(number), mayBegin, at: now },
  );
const report = (source: string, number: number, fields = {}, backfilled = false) =>
  coverage.observed(source, [listing(number, fields)], backfilled);
/** Advances time second by second, with a tick each. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    now += 1000;
    coverage.tick();
  }
}
const figuresOf = (name: string) => coverage.figures().bySource.find((one) => one.source === name);

test('counts tokens by minute: seen by several sources, by one, or only by a backfill', () => {
  report('solana', 1);
  report('pumpportal', 1);
  report('solana', 2);
  report('jupiter', 3);
  report('solana', 4, {}, true);
  // A live report replaces the backfill.
  report('solana', 5, {}, true);
  report('solana', 5);
  const { minutes } = coverage.figures();
  expect(minutes).toHaveLength(60);
  expect(minutes.at(-1)).toEqual({
    at: new Date(START).toISOString(),
    both: 1,
    only: { solana: 2, jupiter: 1 },
    backfill: 1,
  });
  pass(61);
  expect(coverage.figures().minutes.at(-2)).toMatchObject({ both: 1, backfill: 1 });
});

test('ignores reports about known tokens', () => {
  coverage.observed('jupiter', [listing(1, {}, false)], false);
  expect(figuresOf('jupiter')?.seen).toBe(0);
});

test('ignores old coins in lists, and has no latency without a creation time', () => {
  report('jupiter', 1, { createdAt: START - 900 * 24 * 60 * MINUTE });
  expect(figuresOf('jupiter')).toMatchObject({ seen: 0, latencyP99: null });
  report('pumpportal', 2, { createdAt: START });
  expect(figuresOf('pumpportal')).toMatchObject({ seen: 1, latencyP50: null });
  pass(5);
  report('jupiter', 3, { createdAt: START + 1_000 });
  expect(figuresOf('jupiter')).toMatchObject({ seen: 1, latencyP50: 4_000 });
});

test('reports a token as missed when another stream reported it a minute ago', () => {
  report('solana', 1);
  pass(59);
  expect(coverage.figures().missed).toEqual([]);
  pass(2);
  expect(coverage.figures().missed).toEqual([
    {
      address: addressOf(1),
      symbol: 'T1',
      source: 'pumpportal',
      seenBy: 'solana',
      at: new Date(START).toISOString(),
      why: 'not connected at the time',
    },
  ]);
  expect(figuresOf('pumpportal')).toMatchObject({ missed: 1, seen: 0 });
  expect(figuresOf('jupiter')?.missed).toBe(0);
});

test('gives the reason for a miss only when it is known', () => {
  pass(5);
  report('solana', 1);
  pass(90);
  report('solana', 2);
  pass(3);
  sources = sources.map((one) =>
    one.name === 'pumpportal' ? { ...one, losses: { ...noLosses, decodeErrors: 1 } } : one,
  );
  pass(90);
  sources = sources.map((one) => (one.name === 'pumpportal' ? { ...one, live: false } : one));
  pass(5);
  report('solana', 3);
  pass(61);
  expect(coverage.figures().missed.map(({ symbol, why }) => [symbol, why])).toEqual([
    ['T3', 'not connected at the time'],
    ['T2', 'an event at the time could not be decoded'],
    ['T1', null],
  ]);
});

test('does not report a miss without a live report of another stream of a comparable token', () => {
  pass(5);
  report('pumpportal', 1, { launchpad: 'letsbonk.fun' });
  report('jupiter', 2);
  report('solana', 3, {}, true);
  report('solana', 4);
  report('pumpportal', 4, {}, true);
  pass(70);
  expect(coverage.figures().missed).toEqual([]);
});

test('measures latency from the creation on chain, or from the first report', () => {
  pass(1);
  report('solana', 1, { createdAt: now - 400 });
  now += 600;
  report('pumpportal', 1);
  report('pumpportal', 2);
  now += 100;
  report('jupiter', 2);
  report('solana', 3);
  expect(figuresOf('solana')).toMatchObject({ latencyP50: 400, latencyP99: 400 });
  expect(figuresOf('pumpportal')).toMatchObject({ latencyP50: 0, latencyP99: 1000 });
  expect(figuresOf('jupiter')).toMatchObject({ latencyP50: 100, seen: 1 });
});

test('measures no latency for tokens created before the server started', () => {
  pass(2);
  report('jupiter', 1, { createdAt: START - 30 * MINUTE });
  expect(figuresOf('jupiter')).toMatchObject({ seen: 1, latencyP99: null });
});

test('retracts a miss after a late report or a backfill', () => {
  pass(5);
  report('solana', 1);
  report('solana', 2);
  report('solana', 3);
  pass(61);
  expect(figuresOf('pumpportal')?.missed).toBe(3);
  report('pumpportal', 1);
  report('pumpportal', 2, {}, true);
  report('pumpportal', 2);
  expect(figuresOf('pumpportal')?.missed).toBe(1);
  pass(70);
  expect(coverage.figures().missed.map(({ symbol }) => symbol)).toEqual(['T3']);
});

test('gives streams their full grace after an earlier poll', () => {
  pass(5);
  report('jupiter', 1);
  report('jupiter', 2);
  pass(59);
  report('solana', 1);
  pass(2);
  expect(coverage.figures().missed).toEqual([]);
  report('pumpportal', 1);
  pass(10);
  report('solana', 2);
  const at = new Date(now).toISOString();
  pass(61);
  expect(coverage.figures().missed).toMatchObject([{ symbol: 'T2', source: 'pumpportal', seenBy: 'solana', at }]);
});

test('does not compare streams of different clusters', () => {
  sources = sources.map((one) => (one.name === 'solana' ? { ...one, cluster: 'devnet' } : one));
  pass(5);
  report('solana', 1);
  report('pumpportal', 2);
  pass(70);
  expect(coverage.figures().missed).toEqual([]);
});

test('does not blame a later disconnect for a miss', () => {
  pass(5);
  report('solana', 1);
  pass(30);
  sources = sources.map((one) => (one.name === 'pumpportal' ? { ...one, live: false } : one));
  pass(5);
  sources = sources.map((one) => (one.name === 'pumpportal' ? { ...one, live: true } : one));
  pass(40);
  expect(coverage.figures().missed).toMatchObject([{ symbol: 'T1', why: null }]);
});

test('counts a backfilled token in the minute of its creation', () => {
  pass(600);
  const createdAt = now - 5 * MINUTE;
  report('solana', 1, { createdAt }, true);
  const { minutes } = coverage.figures();
  expect(minutes.at(-1)?.backfill).toBe(0);
  expect(minutes.at(-6)?.backfill).toBe(1);
});

test('cuts off a long symbol and ignores an empty one', () => {
  pass(5);
  report('solana', 1, { symbol: 'LONG'.repeat(1_000) });
  report('solana', 2, { symbol: '  ' });
  pass(61);
  expect(coverage.figures().missed.map(({ symbol }) => symbol?.length ?? null)).toEqual([null, 32]);
});

test('counts every loss over the same hour as the detections', () => {
  const losses = {
    slotsMissed: 7,
    transactionsLost: 1,
    transactionsUnreadable: 6,
    tradesMissed: 4,
    decodeErrors: 3,
    refused: 2,
  };
  const lose = (counted: MonitoredSource['losses']) => {
    sources = sources.map((one) => (one.name === 'solana' ? { ...one, losses: counted } : one));
  };
  report('solana', 1);
  lose(losses);
  pass(61);
  expect(figuresOf('solana')).toMatchObject({ seen: 1, ...losses });
  expect(figuresOf('pumpportal')).toMatchObject({ missed: 1, slotsMissed: null, refused: 0 });
  // A trade that was fetched afterwards is no longer missed.
  lose({ ...losses, tradesMissed: 3, slotsMissed: 9 });
  pass(60);
  expect(figuresOf('solana')).toMatchObject({ tradesMissed: 3, slotsMissed: 9 });
  pass(3_489);
  expect(figuresOf('solana')).toMatchObject({ seen: 0, slotsMissed: 2, decodeErrors: 0, tradesMissed: 0, refused: 0 });
  expect(figuresOf('pumpportal')?.missed).toBe(0);
  expect(coverage.figures().missed).toEqual([]);
});

test('marks latencies that begin at block times', () => {
  pass(1);
  report('solana', 1, { createdAt: now - 400 });
  report('pumpportal', 2);
  expect(figuresOf('solana')?.fromBlockTime).toBe(true);
  expect(figuresOf('pumpportal')?.fromBlockTime).toBe(false);
});

test('bounds memory by an hour, by tokens and by misses', () => {
  pass(2);
  for (let number = 0; number < 21_000; number += 1) report('solana', number);
  expect(figuresOf('solana')?.seen).toBe(20_000);
  pass(61);
  // One tick does not check all of them.
  expect(figuresOf('pumpportal')?.missed).toBeLessThan(10_000);
  pass(9);
  expect(coverage.figures().missed).toHaveLength(100);
  expect(figuresOf('pumpportal')?.missed).toBe(20_000);
  now += 60 * MINUTE;
  coverage.tick();
  expect(figuresOf('solana')?.seen).toBe(0);
});
