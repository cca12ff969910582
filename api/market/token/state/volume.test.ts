import { describe, expect, test } from 'vitest';
import type { TokenRecord } from '../../../tokens/record.ts';
import { addVolume, dropOldHours, hourOf, volumeUsd } from './volume.ts';

const HOUR = 3_600_000;
const NOW = 500_000 * HOUR;

describe('volume', () => {
  test('adds trades of one hour to one bucket, ordered by hour [S3-04]', () => {
    const hours: TokenRecord['volumeByHour'] = [];
    addVolume(hours, NOW, 5);
    addVolume(hours, NOW - HOUR, 1);
    addVolume(hours, NOW + 1, 7);
    expect(hours).toEqual([
      { hour: hourOf(NOW) - 1, lamports: 1 },
      { hour: hourOf(NOW), lamports: 12 },
    ]);
  });

  test('covers the last 24 hours only [S3-04]', () => {
    const hours: TokenRecord['volumeByHour'] = [];
    addVolume(hours, NOW - 24 * HOUR, 1);
    addVolume(hours, NOW - 23 * HOUR, 2e9);
    expect(dropOldHours(hours, NOW)).toBe(true);
    expect(volumeUsd(hours, 100)).toBe(200);
    expect(dropOldHours(hours, NOW)).toBe(false);
  });

  test('the volume without a rate is unknown, never 0 [S3-05]', () => {
    expect(volumeUsd([], null)).toBeNull();
    expect(volumeUsd([], 100)).toBe(0);
  });

  test('a trade without a SOL value makes its hour unknown [S3-05]', () => {
    const hours: TokenRecord['volumeByHour'] = [];
    addVolume(hours, NOW, 5);
    addVolume(hours, NOW, null);
    addVolume(hours, NOW, 5);
    expect(volumeUsd(hours, 100)).toBeNull();
  });
});
