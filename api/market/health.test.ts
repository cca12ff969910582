import { expect, test } from 'vitest';
import { sourceHealthSchema, sourceNames } from '../../common/sources/model.ts';
import { HOUR, MINUTE } from '../../common/time.ts';
import { createEventMeter, healthOf, sourcesOff, statusOf } from './health.ts';
import { createPolledSource } from './sources/polled/polled-source.ts';
import { createJupiter } from './sources/services/jupiter.ts';
import { createSolanaTracker } from './sources/services/solana-tracker.ts';
import { fakeClock, fakeSource } from './testing/market.ts';

const polledDeps = (key: string | null) => ({ clock: { now: () => 0 }, random: () => 0, currentKey: () => key });

test('counts observations over the last sixty seconds', () => {
  const clock = fakeClock();
  const meter = createEventMeter(clock);
  meter.add('solana', 5);
  clock.pass(30_000);
  meter.add('solana', 2);
  expect([meter.lastMinute('solana'), meter.lastMinute('jupiter')]).toEqual([7, 0]);
  clock.pass(30_000);
  expect(meter.lastMinute('solana')).toBe(2);
  meter.add('solana', 1);
  expect(meter.lastMinute('solana')).toBe(3);
  clock.pass(3_600_000);
  expect(meter.lastMinute('solana')).toBe(0);
});

test('lists every supported source, and those missing from MARKET as off', () => {
  const sources = [
    fakeSource('replay:/tmp/july.jsonl').source,
    createPolledSource(createJupiter('free'), polledDeps(null)),
    createPolledSource(createSolanaTracker('free'), polledDeps('a-key')),
  ];
  const meter = createEventMeter(fakeClock());
  const all = [
    ...sources.map((source) => healthOf(source, meter, 0)),
    ...sourcesOff(sources, (name) => (name === 'solscan' ? 'set' : 'none')),
  ];
  for (const health of all) sourceHealthSchema.parse(health);
  const known = new Map(all.map((health) => [health.source, health]));
  expect(known.size).toBe(sourceNames.length);
  expect(known.get('replay:/tmp/july.jsonl')).toMatchObject({ label: 'Replay (july.jsonl)', kind: 'stream' });
  expect(known.get('jupiter')).toMatchObject({
    state: 'off',
    kind: 'poll',
    key: 'required-missing',
    reason: 'The service needs a key, and none is set.',
    allowance: null,
  });
  expect(known.get('solana-tracker')).toMatchObject({
    state: 'connecting',
    key: 'set',
    budget: { limit: 1, left: 1 },
    allowance: { limit: 2_500, left: 2_500, resetsAt: '1970-02-01T00:00:00.000Z' },
  });
  expect(known.get('solscan')).toMatchObject({ state: 'off', key: 'set', reason: 'Not named in MARKET.' });
});

test('a live stream without an event for two minutes is stalled, a poller is not', () => {
  const { source } = fakeSource();
  const lastEventAt = 1_000;
  const stream = { ...source, status: () => ({ state: 'live' as const, lastEventAt }) };
  const poller = { ...createPolledSource(createJupiter('free'), polledDeps('a-key')), status: stream.status };
  expect(statusOf(stream, lastEventAt + 2 * MINUTE).state).toBe('live');
  expect(statusOf(stream, lastEventAt + 2 * MINUTE + 1)).toEqual({ state: 'stalled', lastEventAt });
  expect(statusOf(poller, lastEventAt + HOUR).state).toBe('live');
  const ended = { ...stream, status: () => ({ state: 'ended' as const, lastEventAt }) };
  expect(statusOf(ended, lastEventAt + HOUR).state).toBe('ended');
  expect(statusOf(source, HOUR)).toEqual({ state: 'live', lastEventAt: null });
});
