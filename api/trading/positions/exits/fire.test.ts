import { Types } from 'mongoose';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { noExits } from '../../../../common/trading/account.ts';
import type { PositionRecord } from '../model.ts';
import { openPosition } from '../testing/position.ts';
import { createFireExits } from './fire.ts';

const NOW = Date.UTC(2026, 10, 23);

/** Judges prices of a position that is stored with other figures than those that are known of it. */
async function judged(
  known: PositionRecord,
  stored: PositionRecord,
  prices: readonly number[],
): Promise<PositionRecord> {
  let present = stored;
  const fire = createFireExits({
    async updateAll(changes) {
      for (const { change } of changes) present = change(present) ?? present;
      return [present];
    },
    onFired() {},
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
  });
  for (const price of prices) fire.judge(known, { price, at: NOW, peak: 1 });
  await fire.settled();
  return present;
}

const position = openPosition(new Types.ObjectId());
const limited = { ...position, exits: { ...noExits, stopLossPercent: 20 } };

test('an exit that the user removes in the same moment does not fire', async () => {
  expect((await judged(limited, limited, [0.5])).exit).toMatchObject({ kind: 'stop loss' });
  const removed = { ...limited, exits: noExits, version: 2 };
  expect(await judged(limited, removed, [0.5])).toEqual(removed);
  const lowered = { ...limited, exits: { ...noExits, stopLossPercent: 60 }, version: 2 };
  expect(await judged(limited, lowered, [0.5])).toEqual(lowered);
});

test('several prices before the first one is stored fire each exit once, in their order', async () => {
  const steps = [
    { atPercent: 50, sellPercent: 50 },
    { atPercent: 100, sellPercent: 50 },
  ];
  const stepped = { ...position, exits: { ...noExits, steps, stopLossPercent: 20, takeProfitPercent: 400 } };
  const up = await judged(stepped, stepped, [1.5, 1.6, 2, 2.5]);
  expect(up.exit).toMatchObject({ kind: 'step', sharePercent: 50, steps: [50], next: { steps: [100] } });
  const down = await judged(stepped, stepped, [1.5, 0.8, 5]);
  expect(down.exit).toMatchObject({ kind: 'step', steps: [50], next: { kind: 'stop loss', sharePercent: 100 } });
  expect(down.status).toBe('open');
  const whole = await judged(stepped, stepped, [0.8, 5, 1.5]);
  expect(whole).toMatchObject({ status: 'closing', exitSeq: 1, exit: { kind: 'stop loss', next: null } });
});

test('exits of many positions that fire before a stop are all stored, by few writes', async () => {
  const stop = new AbortController();
  const stored: string[] = [];
  let writes = 0;
  const fire = createFireExits({
    async updateAll(changes) {
      writes += 1;
      stored.push(...changes.map(({ id }) => id.toHexString()));
      return changes.flatMap(({ id, change }) => change({ ...limited, _id: id }) ?? []);
    },
    onFired({ exit }) {
      expect(exit?.kind).toBe('stop loss');
    },
    signal: stop.signal,
    log: pino({ level: 'silent' }),
  });
  const fallen = Array.from({ length: 1_200 }, () => ({ ...limited, _id: new Types.ObjectId() }));
  for (const one of fallen) fire.judge(one, { price: 0.5, at: NOW, peak: 1 });
  stop.abort();
  await fire.settled();
  expect(stored).toEqual(fallen.map(({ _id }) => _id.toHexString()));
  expect(writes).toBeLessThanOrEqual(4);
});
