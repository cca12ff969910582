import { expect, test } from 'vitest';
import { createLatencyMeter } from './latency.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');

test('returns percentiles of the last minute, accurate to a fifth', () => {
  const meter = createLatencyMeter();
  expect(meter.read(NOW)).toEqual({ p50: null, p99: null });
  meter.record(
    Array.from({ length: 1000 }, (_, number) => NOW - 1 - number),
    NOW,
  );
  const { p50, p99 } = meter.read(NOW);
  expect(p50).toBeGreaterThanOrEqual(500);
  expect(p50).toBeLessThanOrEqual(600);
  expect(p99).toBeGreaterThanOrEqual(990);
  expect(p99).toBeLessThanOrEqual(1190);
});

test('leaves out loaded history and latencies older than a minute', () => {
  const meter = createLatencyMeter();
  meter.record([NOW - 3_600_000], NOW);
  expect(meter.read(NOW).p99).toBeNull();
  meter.record([NOW - 5], NOW);
  expect(meter.read(NOW + 30_000).p99).toBe(5);
  expect(meter.read(NOW + 66_000).p99).toBeNull();
  // The slot of a minute ago is used again.
  meter.record([NOW + 59_990], NOW + 60_000);
  expect(meter.read(NOW + 60_000).p99).toBeGreaterThanOrEqual(10);
});
