import { beforeEach, expect, test } from 'vitest';
import { addressOf } from '../../realtime/testing/events.ts';
import type { ListedObservation } from '../market/sources/observation.ts';
import { Sightings, type Watched } from './sightings.ts';

const START = 1_800_000_000_000;
const MINUTE = 60_000;
let now: number;
let streams: Watched[];
let sightings: Sightings;

beforeEach(() => {
  now = START;
  streams = [
    { name: 'solana', kind: 'stream', cluster: 'mainnet', live: true, slotsMissed: 0, decodeErrors: 0 },
    { name: 'pumpportal', kind: 'stream', cluster: 'mainnet', live: true, slotsMissed: null, decodeErrors: 0 },
    { name: 'jupiter', kind: 'poll', cluster: 'mainnet', live: true, slotsMissed: null, decodeErrors: 0 },
  ];
  sightings = new Sightings({ now: () => now }, () => streams);
});

function news(number: number, fields: Partial<ListedObservation['listing']> = {}, mayBegin = true): ListedObservation {
  return {
    kind: 'listed',
    source: 'solana',
    address: addressOf(number),
    mayBegin,
    at: now,
    receivedAt: now,
    listing: { symbol: `T${number}`, launchpad: 'pump.fun', ...fields },
  };
}
const saw = (source: string, number: number, fields = {}, backfilled = false) =>
  sightings.observed(source, [news(number, fields)], backfilled);
/** So many seconds pass, each with its look. */
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    now += 1000;
    sightings.tick();
  }
}
const source = (name: string) => sightings.coverage().bySource.find((one) => one.source === name);

test('by minute: seen by two sources or more, by one alone, or only when read afterwards', () => {
  saw('solana', 1);
  saw('pumpportal', 1);
  saw('solana', 2);
  saw('jupiter', 3);
  saw('solana', 4, {}, true);
  // Told live after all: what was read afterwards counts no longer.
  saw('solana', 5, {}, true);
  saw('solana', 5);
  const { minutes } = sightings.coverage();
  expect(minutes).toHaveLength(60);
  expect(minutes.at(-1)).toEqual({
    at: new Date(START).toISOString(),
    both: 1,
    only: { solana: 2, jupiter: 1 },
    backfill: 1,
  });
  pass(61);
  expect(sightings.coverage().minutes.at(-2)).toMatchObject({ both: 1, backfill: 1 });
});

test('answers about known tokens are no sightings', () => {
  sightings.observed('jupiter', [news(1, {}, false)], false);
  expect(source('jupiter')?.seen).toBe(0);
});

test('an old coin that a list names is no detection, and a time that is only that of hearing is no latency', () => {
  saw('jupiter', 1, { createdAt: START - 900 * 24 * 60 * MINUTE });
  expect(source('jupiter')).toMatchObject({ seen: 0, latencyP99: null });
  saw('pumpportal', 2, { createdAt: START });
  expect(source('pumpportal')).toMatchObject({ seen: 1, latencyP50: null });
  pass(5);
  saw('jupiter', 3, { createdAt: START + 1_000 });
  expect(source('jupiter')).toMatchObject({ seen: 1, latencyP50: 4_000 });
});

test('a stream that did not tell what another stream told has missed it, after a minute', () => {
  saw('solana', 1);
  pass(59);
  expect(sightings.coverage().missed).toEqual([]);
  pass(2);
  expect(sightings.coverage().missed).toEqual([
    {
      address: addressOf(1),
      symbol: 'T1',
      source: 'pumpportal',
      seenBy: 'solana',
      at: new Date(START).toISOString(),
      why: 'not connected at the time',
    },
  ]);
  expect(source('pumpportal')).toMatchObject({ missed: 1, seen: 0 });
  expect(source('jupiter')?.missed).toBe(0);
});

test('why is said when it is known, and only then', () => {
  pass(5);
  saw('solana', 1);
  pass(90);
  saw('solana', 2);
  pass(3);
  streams = streams.map((one) => (one.name === 'pumpportal' ? { ...one, decodeErrors: 1 } : one));
  pass(90);
  streams = streams.map((one) => (one.name === 'pumpportal' ? { ...one, live: false } : one));
  pass(5);
  saw('solana', 3);
  pass(61);
  expect(sightings.coverage().missed.map(({ symbol, why }) => [symbol, why])).toEqual([
    ['T3', 'not connected at the time'],
    ['T2', 'something it sent then could not be decoded'],
    ['T1', null],
  ]);
});

test('what a stream could not have told, or what only a poll or a backfill told, is not missed', () => {
  pass(5);
  saw('pumpportal', 1, { launchpad: 'letsbonk.fun' });
  saw('jupiter', 2);
  saw('solana', 3, {}, true);
  saw('solana', 4);
  saw('pumpportal', 4, {}, true);
  pass(70);
  expect(sightings.coverage().missed).toEqual([]);
});

test('latency is from the creation on chain, or from the first word of another source', () => {
  pass(1);
  saw('solana', 1, { createdAt: now - 400 });
  now += 600;
  saw('pumpportal', 1);
  saw('pumpportal', 2);
  now += 100;
  saw('jupiter', 2);
  saw('solana', 3);
  expect(source('solana')).toMatchObject({ latencyP50: 400, latencyP99: 400 });
  expect(source('pumpportal')).toMatchObject({ latencyP50: 0, latencyP99: 1000 });
  expect(source('jupiter')).toMatchObject({ latencyP50: 100, seen: 1 });
});

test('what was there before this server began says nothing of how quick detection is', () => {
  pass(2);
  saw('jupiter', 1, { createdAt: START - 30 * MINUTE });
  expect(source('jupiter')).toMatchObject({ seen: 1, latencyP99: null });
});

test('a stream that is late, or reads it afterwards, has not missed it in the end', () => {
  pass(5);
  saw('solana', 1);
  saw('solana', 2);
  saw('solana', 3);
  pass(61);
  expect(source('pumpportal')?.missed).toBe(3);
  saw('pumpportal', 1);
  saw('pumpportal', 2, {}, true);
  saw('pumpportal', 2);
  expect(source('pumpportal')?.missed).toBe(1);
  pass(70);
  expect(sightings.coverage().missed.map(({ symbol }) => symbol)).toEqual(['T3']);
});

test('a poll that is first gives the streams no less time, and hides none that missed it', () => {
  pass(5);
  saw('jupiter', 1);
  saw('jupiter', 2);
  pass(59);
  saw('solana', 1);
  pass(2);
  expect(sightings.coverage().missed).toEqual([]);
  saw('pumpportal', 1);
  pass(10);
  saw('solana', 2);
  const at = new Date(now).toISOString();
  pass(61);
  expect(sightings.coverage().missed).toMatchObject([{ symbol: 'T2', source: 'pumpportal', seenBy: 'solana', at }]);
});

test('a stream of one cluster has not missed the tokens of another', () => {
  streams = streams.map((one) => (one.name === 'solana' ? { ...one, cluster: 'devnet' } : one));
  pass(5);
  saw('solana', 1);
  saw('pumpportal', 2);
  pass(70);
  expect(sightings.coverage().missed).toEqual([]);
});

test('a connection that was lost only afterwards is no reason for what was missed before', () => {
  pass(5);
  saw('solana', 1);
  pass(30);
  streams = streams.map((one) => (one.name === 'pumpportal' ? { ...one, live: false } : one));
  pass(5);
  streams = streams.map((one) => (one.name === 'pumpportal' ? { ...one, live: true } : one));
  pass(40);
  expect(sightings.coverage().missed).toMatchObject([{ symbol: 'T1', why: null }]);
});

test('what is read after a gap fills the gap, not the minute of reading it', () => {
  pass(600);
  const createdAt = now - 5 * MINUTE;
  saw('solana', 1, { createdAt }, true);
  const { minutes } = sightings.coverage();
  expect(minutes.at(-1)?.backfill).toBe(0);
  expect(minutes.at(-6)?.backfill).toBe(1);
});

test('a symbol without end, or without a letter, is not kept', () => {
  pass(5);
  saw('solana', 1, { symbol: 'LONG'.repeat(1_000) });
  saw('solana', 2, { symbol: '  ' });
  pass(61);
  expect(sightings.coverage().missed.map(({ symbol }) => symbol?.length ?? null)).toEqual([null, 32]);
});

test('slots missed and decode errors are the source’s own', () => {
  streams = [{ name: 'solana', kind: 'stream', cluster: 'mainnet', live: true, slotsMissed: 7, decodeErrors: 3 }];
  expect(source('solana')).toMatchObject({ slotsMissed: 7, decodeErrors: 3 });
});

test('memory is bounded: an hour, so many tokens, so many missed ones', () => {
  pass(2);
  for (let number = 0; number < 21_000; number += 1) saw('solana', number);
  expect(source('solana')?.seen).toBe(20_000);
  pass(61);
  // Not all at one look.
  expect(source('pumpportal')?.missed).toBeLessThan(10_000);
  pass(9);
  expect(sightings.coverage().missed).toHaveLength(100);
  expect(source('pumpportal')?.missed).toBe(20_000);
  now += 60 * MINUTE;
  sightings.tick();
  expect(source('solana')?.seen).toBe(0);
});

test('an hour of 20,000 tokens that three sources told of takes little time', () => {
  for (let number = 0; number < 20_000; number += 1) {
    now = START + Math.floor(number * 0.17 * 1000);
    const told = [news(number, { createdAt: now - (number % 3_000) - 1 })];
    for (const name of ['solana', 'pumpportal', 'jupiter']) sightings.observed(name, told, false);
  }
  const took = Array.from({ length: 40 }, () => {
    const begun = performance.now();
    sightings.coverage();
    return performance.now() - begun;
  });
  // The best of some: others may be using the machine meanwhile. Counting the tokens takes its share of 50 ms as well.
  expect(Math.min(...took)).toBeLessThan(40);
});
