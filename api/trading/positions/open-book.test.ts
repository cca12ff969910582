import { Types } from 'mongoose';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createEventBus } from '../../events/bus.ts';
import { MINT } from '../testing/coin.ts';
import type { PositionRecord } from './model.ts';
import { createOpenBook, keepLastFigures } from './open-book.ts';
import { presentPosition } from './present.ts';
import { createPositionUpdates } from './service.ts';
import { createTestMarket } from './testing/market.ts';
import { AT } from './testing/orders.ts';
import { openPosition } from './testing/position.ts';

/** Positions in memory with a market that removes their token, and a database that can be away. */
function scene(count: number) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stored = new Map<string, PositionRecord>();
  const database = { isAway: false, reads: 0 };
  const lost: unknown[] = [];
  const bus = createEventBus((error) => lost.push(error));
  const market = createTestMarket(() => AT);
  const book = createOpenBook(market);
  function onStored(position: PositionRecord): void {
    stored.set(position._id.toHexString(), position);
    book.set(position);
    bus.emit('position-changed', { userId: '', position: presentPosition(position, null), stuckId: null });
  }
  const { updateAll } = createPositionUpdates({
    store: {
      async findAll(ids) {
        if (database.isAway) throw new Error('the database is away');
        database.reads += ids.length;
        return ids.flatMap((id) => stored.get(id.toHexString()) ?? []);
      },
      swapAll: async (changes) => changes.map(({ after }) => ({ ...after, version: after.version + 1 })),
    },
    onStored,
  });
  const open = () => onStored(openPosition(new Types.ObjectId()));
  for (let number = 0; number < count; number += 1) open();
  onTestFinished(keepLastFigures({ book, market, updateAll, bus, log: pino({ level: 'silent' }) }));
  return {
    ...{ database, lost, market, bus, open },
    figures: () => [...stored.values()].map((position) => position.figures?.price ?? null),
    /** Has the time of a retry pass. */
    async retry() {
      await vi.advanceTimersByTimeAsync(10_000);
      await bus.settled();
    },
  };
}

test('the figures of a removed token are stored with one read a position, however many hold it', async () => {
  const { market, database, bus, figures } = scene(100);
  market.move([2]);
  await market.remove(MINT);
  await bus.settled();
  expect(figures()).toEqual(Array.from({ length: 100 }, () => 2));
  expect(database.reads).toBe(100);
});

test('figures that were not stored at the removal are stored later [T-13]', async () => {
  const { market, database, figures, retry } = scene(1);
  market.move([2]);
  database.isAway = true;
  await expect(market.remove(MINT)).rejects.toThrow('away');
  await retry();
  expect(figures()).toEqual([null]);
  database.isAway = false;
  await retry();
  expect(figures()).toEqual([2]);
});

test('a position that is opened after the removal gets the figures, also when the database is away then [T-13]', async () => {
  const { market, database, bus, open, figures, lost, retry } = scene(1);
  market.move([2]);
  await market.remove(MINT);
  open();
  await bus.settled();
  expect(figures()).toEqual([2, 2]);
  database.isAway = true;
  open();
  await bus.settled();
  expect([figures(), lost.length]).toEqual([[2, 2, null], 1]);
  database.isAway = false;
  await retry();
  expect(figures()).toEqual([2, 2, 2]);
});
