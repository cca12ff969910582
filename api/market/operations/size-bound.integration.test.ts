import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, SECOND } from '../../../common/time.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { connectTestDatabase } from '../../testing/database.ts';
import { expectIndexed, explainer } from '../../testing/explain.ts';
import { tokenModels } from '../../tokens/model.ts';
import type { SampleRecord, TradeRecord } from '../../tokens/record.ts';
import { createSizeBound } from './size-bound.ts';

const log = pino({ level: 'silent' });
const HELD = 'held';
const COUNT = 600;
/** Makes a document so large that its index entries hardly count, bytes. */
const WIDE = 2_000;
const MEGABYTE = 1_000_000;

/** A database with trades and points of a minute, one a second; every tenth is of the held coin. About 2.5 MB. */
async function filled() {
  const connection = await connectTestDatabase({ monitorCommands: true });
  onTestFinished(() => connection.close());
  const { trades, samples } = tokenModels(connection);
  await ensureIndexes(trades);
  await ensureIndexes(samples);
  const begin = Date.now() - HOUR;
  const numbers = Array.from({ length: COUNT }, (_, number) => number);
  const addressOf = (number: number) => (number % 10 === 0 ? HELD : 'other');
  const timeOf = (number: number) => new Date(begin + number * SECOND);
  const money = { lamports: 1, amount: 1, price: 1, signature: null, slot: null };
  await trades.insertMany(
    numbers.map(
      (number): TradeRecord => ({
        ...{ _id: `trade:${number}`, address: addressOf(number), at: timeOf(number), side: 'buy' },
        ...{ wallet: 'w'.repeat(WIDE), ...money },
      }),
    ),
  );
  await samples.insertMany(
    numbers.map((number): SampleRecord & { wide: string } => ({
      ...{ address: addressOf(number), at: timeOf(number), grain: number === 1 ? 'full' : 'minute', price: 1 },
      ...{ open: 1, high: 1, low: 1 },
      ...{ liquidityLamports: null, volumeLamports: 0, holders: null, wide: 'w'.repeat(WIDE) },
      expiresAt: new Date(timeOf(number).getTime() + DAY),
    })),
  );
  const times = async () => ({
    trades: (await trades.find().sort({ at: 1 }).lean<TradeRecord[]>()).map(({ address, at }) => ({ address, at })),
    samples: (await samples.find().sort({ at: 1 }).lean<SampleRecord[]>()).map(({ address, at, grain }) => ({
      ...{ address, at, grain },
    })),
  });
  const bound = (bytes: number) => createSizeBound({ connection, bytes, held: () => [HELD], log });
  return { connection, bound, times, numbers, addressOf, timeOf };
}

test('beyond its size the oldest trades and samples go first, never those of a held coin', async () => {
  const { bound, times, numbers, addressOf, timeOf, connection } = await filled();
  expect(await bound(10 * MEGABYTE).cut()).toBe(0);
  const explained = explainer(connection);
  let deleted = 0;
  const plans = await explained.plans(async () => {
    deleted = await bound(MEGABYTE).cut();
  });
  // The statistics of a collection have no plan.
  expectIndexed(plans.filter((plan) => plan.length > 0));
  expect(deleted).toBeGreaterThan(COUNT);
  const left = await times();
  const isHeld = ({ address }: { address: string }) => address === HELD;
  const newest = (count: number) =>
    numbers
      .filter((number) => addressOf(number) !== HELD)
      .slice(-count)
      .map(timeOf);
  for (const rows of [left.trades, left.samples.filter(({ grain }) => grain !== 'full')]) {
    expect(rows.filter(isHeld)).toHaveLength(COUNT / 10);
    const others = rows.filter((row) => !isHeld(row)).map(({ at }) => at);
    expect(others.length).toBeGreaterThan(0);
    expect(others).toEqual(newest(others.length));
  }
  expect(left.samples.filter(({ grain }) => grain === 'full')).toHaveLength(1);
  expect(left.trades.length + left.samples.length).toBe(2 * COUNT - deleted);
});
