import { expect, test } from 'vitest';
import { type Exits, noExits } from '../../../common/trading/account.ts';
import { DETECTED } from '../plans/core/testing/any-conditions.ts';
import { DELAY, launch, price, run, scaled, taskOf, tick } from './testing/run-scene.ts';

/** Runs a plan that buys at the launch, with prices at times since then (ms). Returns its orders and its position. */
function sold(exits: Partial<Exits>, prices: readonly [after: number, times: number][]) {
  const pricesAt = new Map(prices);
  const { desk } = run(
    taskOf({ exits: { ...noExits, ...exits } }),
    Array.from({ length: 101 }, (_, index) => {
      const times = pricesAt.get(100 * index);
      if (index === 0) return tick(0, launch('one', 0));
      return tick(100 * index, times === undefined ? [] : [scaled(price('one', 100 * index, times))]);
    }),
  );
  const [buy, ...sales] = desk.orders();
  const [position] = desk.positions.all();
  if (!buy?.fill || !position) return expect.fail();
  return { bought: BigInt(buy.fill.tokens), sales, record: position.record };
}

test('a sale of several steps that fails goes on with all of them and more slippage [T-38]', () => {
  const steps = [10, 20].map((atPercent) => ({ atPercent, sellPercent: 50 }));
  // Each attempt falls due at a price below its bound.
  const falling: [number, number][] = [
    [2_000, 1.25],
    [2_500, 0.9],
    [3_600, 0.5],
    [5_000, 0.2],
  ];
  const again: [number, number][] = [
    [6_000, 0.21],
    [7_200, 0.22],
  ];
  const { bought, sales, record } = sold({ steps }, [...falling, ...again]);
  const tokens = String((bought * 3n) / 4n);
  expect(sales).toMatchObject([
    {
      status: 'failed',
      tokens,
      times: { created: DETECTED + 2_000 },
      slippageBps: 1_500,
      attempts: Array(3).fill({ outcome: 'reverted' }),
    },
    // A second after the last failure at the earliest, as live.
    { status: 'confirmed', tokens, slippageBps: 5_000, fill: { at: DETECTED + 7_200 + DELAY } },
  ]);
  expect(record).toMatchObject({ status: 'open', tokens: String(bought - BigInt(tokens)), stepsDone: [10, 20] });
});

const exits = { stopLossPercent: 20, steps: [{ atPercent: 20, sellPercent: 50 }] };

test('a stop loss that fires during the sale of a step follows it, also when the price recovers [T-38]', () => {
  const replay = sold(exits, [
    [2_000, 1.3],
    [2_100, 0.7],
    [2_200, 1.3],
  ]);
  const filledAt = DETECTED + 2_000 + DELAY;
  // Made with the tick after that, in which the fill is known.
  const nextAt = filledAt + 100;
  expect(replay.sales).toMatchObject([
    { cause: { name: 'step' }, fill: { at: filledAt } },
    { cause: { name: 'stop loss' }, isWholePosition: true, fill: { at: nextAt + DELAY } },
  ]);
  expect(replay.record).toMatchObject({ status: 'closed', tokens: '0' });
});

test('a step whose sale fails gives way to the stop loss that has fired since [T-38]', () => {
  const { bought, sales, record } = sold(exits, [
    [2_000, 1.3],
    [2_500, 1],
    [3_600, 0.6],
    [5_000, 0.2],
  ]);
  expect(sales).toMatchObject([
    { cause: { name: 'step' }, status: 'failed' },
    { cause: { name: 'stop loss' }, status: 'confirmed', tokens: String(bought) },
  ]);
  expect(record).toMatchObject({ status: 'closed', tokens: '0' });
});
