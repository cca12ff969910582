import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { DAY, HOUR, MINUTE } from '../../../../common/time.ts';
import { type Volume, volumeUsd } from '../../../tokens/volume.ts';
import { addVolume, dropOldHours, hourOf, mergeVolume, nextVolumeDrop, valueVolume } from './volume.ts';

const NOW = 500_000 * HOUR;
const SOL = 1_000_000_000;
const volumeOf = (): Volume => ({ quote: 'SOL', volumeByHour: [], volumeMinutes: [] });
const copyOf = (all: Volume['volumeMinutes']) => all.map(({ hour, minutes }) => ({ hour, minutes: [...minutes] }));
/** Adds a trade in SOL. */
const add = (volume: Volume, at: number, lamports: number, solUsd: number | null = 100) =>
  addVolume(volume, { at, quote: 'SOL', quoteAmount: lamports, lamports }, solUsd);

describe('the volume of 24 hours', () => {
  test('adds trades of one hour to one bucket, ordered by hour [S3-04]', () => {
    const volume = volumeOf();
    add(volume, NOW, 5);
    add(volume, NOW - HOUR, 1);
    add(volume, NOW + 1, 7);
    expect(volume.volumeByHour).toMatchObject([
      { hour: hourOf(NOW) - 1, lamports: 1 },
      { hour: hourOf(NOW), lamports: 12 },
    ]);
  });

  test('covers exactly the last 24 hours, not the running hour and 23 others [S3-04]', () => {
    const volume = volumeOf();
    const at = NOW + 30 * MINUTE;
    add(volume, at - DAY - 10 * MINUTE, 3 * SOL);
    add(volume, at - DAY + 10 * MINUTE, 2 * SOL);
    add(volume, at, SOL);
    expect(volumeUsd(volume, at)).toBe(300);
    expect(dropOldHours(volume, at)).toBe(false);
    expect(volumeUsd(volume, at + 11 * MINUTE)).toBe(100);
    expect(dropOldHours(volume, at + 30 * MINUTE)).toBe(true);
    expect(volume.volumeByHour).toHaveLength(1);
    expect(volume.volumeMinutes).toEqual([]);
  });

  test('says when the minutes that are over changed', () => {
    const volume = volumeOf();
    expect(add(volume, NOW, 1)).toBe(false);
    expect(add(volume, NOW + 59_999, 1)).toBe(false);
    expect(add(volume, NOW + MINUTE, 1)).toBe(true);
    expect(add(volume, NOW + 1, 1)).toBe(true);
    expect(volume).toMatchObject({
      volumeMinutes: [{ hour: hourOf(NOW), minutes: [0, 3] }],
      runningMinute: { minute: NOW / MINUTE + 1, amount: 1 },
    });
  });

  test('equals a sum over all trades to 0.5 % at any moment, also after a restart at any other', () => {
    const trade = fc.record({
      // A day and a half, in which every minute has a trade or more.
      minute: fc.nat(36 * 60 - 1),
      within: fc.nat(MINUTE - 1),
      lamports: fc.integer({ min: 1_000_000, max: 2 * SOL }),
    });
    const busy = fc.array(trade, { minLength: 3_000, maxLength: 4_000 });
    fc.assert(
      fc.property(busy, fc.nat(6 * HOUR), fc.nat(2_999), (trades, later, restart) => {
        const begin = NOW - 36 * HOUR;
        const now = NOW - 6 * HOUR + later;
        const ordered = trades
          .map(({ minute, within, lamports }) => ({ at: begin + minute * MINUTE + within, lamports }))
          .filter(({ at }) => at <= now)
          .sort((a, b) => a.at - b.at);
        let volume = volumeOf();
        let storedMinutes: Volume['volumeMinutes'] = [];
        for (const [index, { at, lamports }] of ordered.entries()) {
          const isMinuteOver = add(volume, at, lamports);
          const isDropped = dropOldHours(volume, at);
          if (index > restart) continue;
          if (isMinuteOver || isDropped) storedMinutes = copyOf(volume.volumeMinutes);
          if (index === restart) volume = { ...volume, volumeMinutes: storedMinutes };
        }
        const exact = ordered.filter(({ at }) => at > now - DAY).reduce((sum, { lamports }) => sum + lamports, 0);
        const shown = volumeUsd(volume, now) ?? Number.NaN;
        expect(Math.abs(shown / ((exact / SOL) * 100) - 1)).toBeLessThanOrEqual(0.005);
        expect(volume.volumeByHour.length).toBeLessThanOrEqual(25);
      }),
      { numRuns: rounds(20) },
    );
  });

  test('shares an hour without minutes by time', () => {
    const volume: Volume = {
      quote: 'SOL',
      volumeByHour: [{ hour: hourOf(NOW), lamports: SOL, microUsd: 100_000_000, unvalued: 0 }],
      volumeMinutes: [],
    };
    expect(volumeUsd(volume, NOW + DAY + 15 * MINUTE)).toBe(75);
  });

  test.each([
    ['SOL', { lamports: 4 * SOL, microUsd: 400_000_000 }, SOL],
    ['USDC', { lamports: 2 * SOL, microUsd: 400_000_000 }, 100_000_000],
    ['USDC', { lamports: null, microUsd: 400_000_000 }, 100_000_000],
  ] as const)('shares by time what the minutes of an hour in %s miss', (quote, traded, amount) => {
    const hour = hourOf(NOW);
    const volume: Volume = {
      quote,
      volumeByHour: [{ hour, ...traded }],
      volumeMinutes: [{ hour, minutes: [0, amount] }],
    };
    expect(volumeUsd(volume, NOW + DAY)).toBe(400);
    expect(volumeUsd(volume, NOW + DAY + 15 * MINUTE)).toBe(225);
    expect(volumeUsd(volume, NOW + DAY + 30 * MINUTE)).toBe(150);
    expect(volumeUsd(volume, NOW + DAY + HOUR)).toBe(0);
  });

  test('falls next when its first hour is a day old, then every minute', () => {
    const volume = volumeOf();
    expect(nextVolumeDrop(volume, NOW)).toBe(Number.POSITIVE_INFINITY);
    add(volume, NOW, 1);
    expect(nextVolumeDrop(volume, NOW)).toBe(NOW + DAY + MINUTE);
    expect(nextVolumeDrop(volume, NOW + DAY + 5)).toBe(NOW + DAY + 5 + MINUTE);
  });
});

describe('dollars', () => {
  test('are fixed when the trade is made [S3-05]', () => {
    const volume = volumeOf();
    add(volume, NOW, SOL, 150);
    add(volume, NOW, SOL, 100);
    expect(valueVolume(volume, 50)).toBe(false);
    expect(volumeUsd(volume, NOW)).toBe(250);
  });

  test('of a USDC trade are its own, whatever the rate [S3-05]', () => {
    const volume = volumeOf();
    addVolume(volume, { at: NOW, quote: 'USDC', quoteAmount: 100_000_000, lamports: null }, null);
    addVolume(volume, { at: NOW, quote: 'USDC', quoteAmount: 50_000_000, lamports: SOL }, 50);
    expect(volumeUsd(volume, NOW)).toBe(150);
  });

  test('without a rate are unknown, never 0, until the first rate fixes them [S3-05]', () => {
    const volume = volumeOf();
    expect(volumeUsd(volume, NOW)).toBe(0);
    add(volume, NOW, 2 * SOL, null);
    expect(volumeUsd(volume, NOW)).toBeNull();
    expect(valueVolume(volume, null)).toBe(false);
    expect(valueVolume(volume, 100)).toBe(true);
    expect(volumeUsd(volume, NOW)).toBe(200);
    expect(valueVolume(volume, 300)).toBe(false);
    expect(volumeUsd(volume, NOW)).toBe(200);
  });

  test('a trade without a worth makes its hour unknown [S3-05]', () => {
    const volume = volumeOf();
    add(volume, NOW, 5);
    addVolume(volume, { at: NOW, quote: 'other', quoteAmount: 5, lamports: null }, 100);
    add(volume, NOW, 5);
    expect(volumeUsd(volume, NOW)).toBeNull();
  });
});

test('two records of one token add up', () => {
  const [one, other, both] = [volumeOf(), volumeOf(), volumeOf()];
  const from = NOW + 30 * MINUTE;
  for (const [volume, at, lamports] of [
    [one, NOW, SOL],
    [other, NOW + 40 * MINUTE, 2 * SOL],
    [other, NOW + HOUR, SOL],
  ] as const) {
    add(volume, at, lamports);
    add(both, at, lamports);
  }
  mergeVolume(one, other);
  expect(one).toEqual(both);
  expect(volumeUsd(one, from + DAY)).toBe(300);
});
