import { expect, test } from 'vitest';
import { SECOND } from '../../../common/time.ts';
import { noExits } from '../../../common/trading/account.ts';
import { DETECTED } from '../plans/core/testing/any-conditions.ts';
import { DELAY, launch, price, run, SOL, scaled, taskOf, tick } from './testing/run-scene.ts';

test('buys at the reserves in force after the delay, and counts every fee [T-38]', () => {
  const { desk } = run(taskOf(), [
    tick(0, launch('one', 0)),
    tick(DELAY - 1, [price('one', 800, 1.01)]),
    tick(DELAY + 100, [price('one', DELAY + 50, 4)]),
    tick(2_000),
  ]);
  const [order] = desk.orders();
  expect(order).toMatchObject({ status: 'confirmed', fill: { at: DETECTED + DELAY, lamports: SOL / 10 } });
  expect(order?.fill?.price).toBeCloseTo(priceAt(1.01), 9);
  expect(order?.fill?.costs).toMatchObject({ launchpadFeeLamports: expect.any(Number), networkFeeLamports: 5_000 });
  const money = desk.account();
  expect(money?.moneyLamports).toBeLessThan(10 * SOL - SOL / 10);
  expect(money?.book).toMatchObject({ heldLamports: 0, reservedLamports: 0, places: ['one'], usedLamports: SOL / 10 });
});

/** SOL for one whole token at a price `times` as high as at the launch. */
function priceAt(times: number): number {
  const change = price('one', 0, times);
  if (change.type !== 'price' || !change.price.reserves) return Number.NaN;
  return change.price.reserves.virtualQuote / 1e9 / (change.price.reserves.virtualToken / 1e6);
}

test('sells at the first price beyond an exit, also within one tick [T-38]', () => {
  const exits = { ...noExits, stopLossPercent: 20, takeProfitPercent: 50 };
  const replay = run(taskOf({ exits }), [
    tick(0, launch('one', 0)),
    tick(1_000),
    tick(
      2_000,
      [price('one', 1_500, 0.7), price('one', 1_600, 1.1)].map((change) => scaled(change)),
    ),
    tick(4_000),
  ]);
  const [buy, sale] = replay.desk.orders();
  expect(sale).toMatchObject({ side: 'sell', cause: { kind: 'exit', name: 'stop loss' }, status: 'confirmed' });
  // Made with the tick, in which live trading learns of its prices.
  expect(sale?.times.created).toBe(DETECTED + 2_000);
  expect(sale?.fill?.at).toBe(DETECTED + 2_000 + DELAY);
  expect(buy?.fill?.tokens).toBe(sale?.fill?.tokens);
  expect(replay.desk.positions.all()[0]?.record).toMatchObject({ status: 'closed', tokens: '0' });
  expect(replay.desk.account()?.book).toMatchObject({ places: [], stopLossesAt: [DETECTED + 2_000 + DELAY] });
});

test('tries again when the price returns, and reports why it did not buy when it does not [T-38]', () => {
  const away = [tick(0, launch('one', 0)), tick(500, [price('one', 400, 2)])];
  const back = [tick(1_200, [price('one', 1_100, 1)]), tick(2_000), tick(8_000)];
  const returned = run(taskOf({ slippageBps: 100 }), [...away, ...back]).desk.orders();
  expect(returned).toMatchObject([{ status: 'confirmed', attempts: [{ outcome: 'reverted' }, { outcome: 'landed' }] }]);

  const later = [1_000, 2_000, 3_000, 4_000, 8_000].map((after) => tick(after));
  const { desk } = run(taskOf({ slippageBps: 100 }), [...away, ...later]);
  expect(desk.orders()).toMatchObject([{ status: 'failed', fill: null, failure: { code: 'slippage' } }]);
  const { book, moneyLamports } = desk.account() ?? expect.fail();
  expect(book).toMatchObject({ heldLamports: 0, reservedLamports: 0, places: [], usedLamports: 0 });
  // The reverted attempt has paid the network.
  expect(moneyLamports).toBe(10 * SOL - 105_000);
});

test('keeps to the limits of the account [T-38]', () => {
  const launches = Array.from({ length: 10 }, (_, index) => launch(`token-${index}`, index));
  const entries = [tick(10, launches.flat()), tick(2_000), tick(4_000)];
  expect(run(taskOf({}, { maxOpen: 3 }), entries).desk.orders()).toHaveLength(3);
  const budget = run(taskOf({}, { perDayLamports: SOL / 4 }), entries);
  expect(budget.desk.orders()).toHaveLength(2);
  expect([...budget.reasons.values()].filter((why) => why?.code === 'day-budget')).toHaveLength(8);
});

test('goes on after a gap with the state of its end, and buys no token twice', () => {
  const replay = run(taskOf(), [
    tick(0, launch('one', 0)),
    tick(2_000),
    { type: 'gap', from: DETECTED + 2_000, to: DETECTED + 60 * SECOND },
    {
      type: 'begin',
      at: DETECTED + 60 * SECOND,
      changes: [{ type: 'source', source: 'test', isLive: true }, ...launch('one', 0)],
    },
    tick(60_000, launch('two', 60_000)),
    tick(62_000),
  ]);
  expect(replay.desk.orders().map(({ token }) => token.address)).toEqual(['one', 'two']);
  expect(replay.gaps).toEqual([{ from: DETECTED + 2_000, to: DETECTED + 60 * SECOND }]);
  expect(replay.span()).toEqual({ from: DETECTED, to: DETECTED + 62_000 });
});

test('gives the same result each time', () => {
  const entries = Array.from({ length: 50 }, (_, index) =>
    tick(
      100 * index,
      index % 5 === 0
        ? launch(`token-${index}`, 100 * index)
        : [price(`token-${5 * Math.floor(index / 10)}`, 100 * index, 1 + index / 50)],
    ),
  );
  const results = [1, 2].map(() => {
    const { desk, reasons } = run(taskOf({ exits: { ...noExits, takeProfitPercent: 10 } }), entries);
    return JSON.stringify([desk.orders(), desk.positions.all(), [...reasons]]);
  });
  expect(results[0]).toBe(results[1]);
});
