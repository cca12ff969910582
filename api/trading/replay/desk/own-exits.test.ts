import { expect, test } from 'vitest';
import { type Exits, noExits } from '../../../../common/trading/account.ts';
import type { Change, CoreAccount } from '../../core/model.ts';
import { DETECTED } from '../../core/testing/any-conditions.ts';
import { DELAY, launch, price, run, scaled, taskOf, tick } from '../testing/run-scene.ts';

/** Runs a plan that buys at the launch, with prices at times since then (ms). Returns its orders, its position and what fired. */
function sold(exits: Partial<Exits>, prices: readonly [after: number, times: number][]) {
  const { desk } = run(taskOf({ exits: { ...noExits, ...exits } }), [
    tick(0, launch('one', 0)),
    tick(1_000),
    ...prices.map(([after, times]) => tick(after, [scaled(price('one', after, times))])),
    tick(10_000),
  ]);
  const [buy, ...sales] = desk.orders();
  const [position] = desk.positions.all();
  if (!buy?.fill || !position) return expect.fail();
  return { bought: BigInt(buy.fill.tokens), sales, record: position.record, exits: desk.exits() };
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
    [6_600, 0.22],
  ];
  const { bought, sales, record, exits } = sold({ steps }, [...falling, ...again]);
  expect(exits).toMatchObject([{ kind: 'step', steps: [10, 20], sharePercent: 75, at: DETECTED + 2_000 }]);
  const tokens = String((bought * 3n) / 4n);
  expect(sales).toMatchObject([
    { status: 'failed', tokens, slippageBps: 1_500, attempts: Array(3).fill({ outcome: 'reverted' }) },
    // A second after the last failure at the earliest, as live.
    { status: 'confirmed', tokens, slippageBps: 5_000, fill: { at: DETECTED + 6_600 + DELAY } },
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
  expect(replay.exits).toMatchObject([
    { kind: 'step', at: DETECTED + 2_000 },
    { kind: 'stop loss', at: DETECTED + 2_100 },
  ]);
  const filledAt = DETECTED + 2_000 + DELAY;
  expect(replay.sales).toMatchObject([
    { cause: { name: 'step' }, fill: { at: filledAt } },
    { cause: { name: 'stop loss' }, isWholePosition: true, fill: { at: filledAt + DELAY } },
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

test('exits wait for the end of a stop that pauses them, and no other stop holds them up [T-38]', () => {
  const fired = (areExitsPaused: boolean) => {
    const { plans, ...task } = taskOf();
    if (plans.type !== 'own') return expect.fail();
    const { account, delayOf } = plans;
    const plan = { ...plans.plan, exits: { ...noExits, stopLossPercent: 20 } };
    const recorded = (fields: Partial<CoreAccount>): Change => ({
      type: 'account',
      account: { ...account, ...fields },
    });
    const { desk } = run({ ...task, plans: { type: 'filled', account, ids: [], delayOf } }, [
      tick(0, [recorded({}), { type: 'plan', plan }, ...launch('one', 0)]),
      tick(1_500, [recorded({ isStopped: true, areExitsPaused })]),
      tick(2_000, [price('one', 2_000, 0.5)].map(scaled)),
      tick(6_000),
      tick(8_000, [recorded({})]),
      tick(10_000),
    ]);
    return desk.exits().map(({ kind, at }) => `${kind} ${at - DETECTED}`);
  };
  expect(fired(true)).toEqual(['stop loss 8000']);
  expect(fired(false)).toEqual(['stop loss 2000']);
});
