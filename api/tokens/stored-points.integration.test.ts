import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../common/time.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import { addressNumber, sampleRecord } from '../testing/tokens.ts';
import { tokenModels } from './model.ts';
import type { SampleRecord, StampedSample } from './record.ts';
import { readStoredPoints } from './stored-points.ts';

const now = Date.now();
const connection = await testConnection();
const { samples } = tokenModels(connection);
beforeAll(() => ensureIndexes(samples));

function sampleOf(number: number, grain: SampleRecord['grain'], age: number, price: number): StampedSample {
  return { ...sampleRecord(addressNumber(number), grain, new Date(now - age)), _id: new Types.ObjectId(), price };
}

test('points that wait for MongoDB are among the stored ones, once and in order', async () => {
  const both = sampleOf(1, 'full', 20 * SECOND, 4);
  await samples.insertMany([
    sampleOf(1, 'hour', 9 * HOUR, 1),
    sampleOf(1, 'minute', 2 * MINUTE, 2),
    sampleOf(1, 'minute', MINUTE, 3),
    both,
  ]);
  const waiting = [
    sampleOf(1, 'minute', MINUTE, 30),
    both,
    sampleOf(1, 'full', 20 * SECOND, 5),
    sampleOf(1, 'full', 10 * SECOND, 6),
    sampleOf(1, 'full', 11 * MINUTE, 100),
    sampleOf(2, 'hour', HOUR, 7),
  ];
  const addresses = [addressNumber(1), addressNumber(2)];
  const points = await readStoredPoints(connection.collection<SampleRecord>(samples.collection.name), {
    ...{ addresses, busy: addresses, now, span: 8 * HOUR, hourSpan: 24 * HOUR, fullStep: 0, timeout: 10 * SECOND },
    unstored: (address) => waiting.filter((sample) => sample.address === address),
  });
  const seen = addresses.map((address) => points.get(address)?.map(({ at, price }) => [now - at, price]));
  expect(seen).toEqual([
    [
      [9 * HOUR, 1],
      [2 * MINUTE, 2],
      [MINUTE, 30],
      [20 * SECOND, 4],
      [20 * SECOND, 5],
      [10 * SECOND, 6],
    ],
    [[HOUR, 7]],
  ]);
});
