import { expect, test } from 'vitest';
import { SECOND } from '../../../common/time.ts';
import { noExits } from '../../../common/trading/account.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { Change } from '../core/model.ts';
import { createCore } from '../core/step.ts';
import { DETECTED } from '../core/testing/any-conditions.ts';
import { accountOf, planOf } from '../core/testing/core-scene.ts';
import { planFill } from '../positions/fills/plan-fill.ts';
import { type TapeEntry, tapeOrderOf } from '../tape/format.ts';
import type { Desk } from './desk/desk.ts';
import { createReplay } from './run.ts';
import type { ReplayTask } from './run-task.ts';
import { begin, DELAY, launch, price, run, SOL, scaled, taskOf, tick, USER } from './testing/run-scene.ts';

test('judges positions of before the hour by the highest price and the steps until then [T-38]', () => {
  const [order] = run(taskOf(), [tick(0, launch('one', 0)), tick(2_000)]).desk.orders();
  if (!order?.fill) return expect.fail();
  const steps = [{ atPercent: 20, sellPercent: 50 }];
  const fill = { ...planFill(order, [], 0), exits: { ...noExits, trailingPercent: 10, steps } };
  const seen = { id: order._id.toHexString(), userId: USER, peakPrice: 2 * order.fill.price, isSelling: false };
  const from = DETECTED + 60 * SECOND;
  const replay = createReplay(
    {
      ...taskOf(),
      plans: { type: 'recorded', orders: [], from, ids: [] },
      opening: { fills: [fill], boughtBy: ['wallet'], resetAt: null },
    },
    createCore,
  );
  const changes = [...launch('one', 0), scaled(price('one', 59_000, 1.9))];
  replay.take({ type: 'begin', at: from, changes, positions: [{ ...seen, stepsDone: [20] }] });
  replay.take(tick(61_000, [scaled(price('one', 60_500, 1.85))]));
  replay.take(tick(63_000, [scaled(price('one', 62_500, 1.7))]));
  expect(replay.desk.exits()).toMatchObject([{ kind: 'trailing stop', at: DETECTED + 62_500 }]);
});

test('fills the plans of an hour on a chain on paper, with money of the run and limits as recorded [T-38]', () => {
  const plan = planOf({ userId: USER, exits: { ...noExits, takeProfitPercent: 50 } });
  const onChain = { ...accountOf({ userId: USER }), mode: 'local' as const, moneyLamports: null };
  const { moneyLamports, ...recorded } = { ...onChain, limits: { ...onChain.limits, maxOpen: 2 } };
  const key = `buy:${plan.id}:one`;
  const own: Change[] = [
    { type: 'account', account: { ...recorded, moneyLamports } },
    { type: 'plan', plan },
    { type: 'kept', kept: { of: 'refusal', key, planId: plan.id, address: 'one', tries: 3, until: DETECTED + 60_000 } },
  ];
  const order: Change = {
    type: 'order',
    order: { key, state: 'refused', hasBought: false, reason: reason('stopped') },
  };
  const stop: Change = { type: 'account', account: { ...recorded, moneyLamports, isStopped: true } };
  const task: ReplayTask = {
    ...taskOf(),
    plans: { type: 'filled', account: accountOf({ userId: USER, moneyLamports: SOL }), ids: [], delayOf: () => DELAY },
  };
  const replay = createReplay(task, createCore);
  replay.take({ ...begin, changes: [...begin.changes, ...own] });
  for (const entry of [
    tick(0, launch('one', 0)),
    tick(100, [order, ...launch('two', 100), ...launch('three', 100)]),
    tick(2_000, [scaled(price('one', 1_900, 3))]),
    tick(3_500),
    tick(4_000, [stop]),
    tick(5_000, launch('four', 5_000)),
    tick(7_000),
  ])
    replay.take(entry);
  const { desk, reasons } = replay;
  const made = desk.orders().map(({ side, token, mode, status }) => [side, token.address, mode, status]);
  expect(made).toEqual([
    ['buy', 'one', 'paper', 'confirmed'],
    ['buy', 'two', 'paper', 'confirmed'],
    ['sell', 'one', 'paper', 'confirmed'],
    ['buy', 'three', 'paper', 'confirmed'],
  ]);
  expect(desk.account()).toMatchObject({ mode: 'paper', isStopped: true, limits: { maxOpen: 2 } });
  expect(reasons.get('four')?.get(plan.id)).toEqual(reason('stopped'));
});

/** Runs a plan with money of its own, and returns what it did as a tape of it. */
function recordedRun() {
  const exits = {
    ...noExits,
    stopLossPercent: 10,
    takeProfitPercent: 30,
    trailingPercent: 15,
    maxHoldMs: 20_000,
    steps: [{ atPercent: 8, sellPercent: 40 }],
  };
  const entries = Array.from({ length: 600 }, (_, index) => {
    const after = 100 * index;
    const one = `token-${Math.floor(index / 40)}`;
    const moved = price(one, after - 20, 1 + Math.sin(index / 7) / 4 + (index % 5) / 50);
    return tick(after, index % 40 === 0 ? launch(one, after) : [scaled(moved)]);
  });
  const steps: TapeEntry[] = [{ type: 'begin', at: DETECTED, changes: [], positions: [] }];
  const task = taskOf({ exits, slippageBps: 300 });
  const live = createReplay(task, () => {
    const core = createCore();
    return {
      ...core,
      step(now, changes) {
        steps.push({ type: 'tick', now, changes: [...changes] });
        return core.step(now, changes);
      },
    };
  });
  for (const entry of [begin, ...entries]) live.take(entry);
  return { live, steps };
}

const textOf = ({ orders, positions }: Desk) =>
  JSON.stringify([
    orders()
      .map(({ _id, key, status, failure, fill, attempts, cause }) => {
        const outcomes = attempts.map(({ signature, least, outcome, feeLamports }) => [
          signature,
          least,
          outcome,
          feeLamports,
        ]);
        return [String(_id), key, cause, status, failure, fill, outcomes];
      })
      .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1)),
    // All but the state of its exits, whose orders are compared.
    positions.all().map(({ record }) => {
      const { exits, exit, exitSeq, stepsDone, status, version, ...fields } = record;
      return fields;
    }),
  ]);

function again({ live, steps }: ReturnType<typeof recordedRun>, entries = steps): Desk {
  const orders = live.desk
    .orders()
    .map(tapeOrderOf)
    .filter((order) => order !== null);
  const task: ReplayTask = { ...taskOf(), plans: { type: 'recorded', orders, from: DETECTED, ids: [] } };
  const replay = createReplay(task, createCore);
  for (const entry of entries) replay.take(entry);
  return replay.desk;
}

test('recorded orders get the same fills and positions again, to the byte [T-38]', () => {
  const recorded = recordedRun();
  const { desk } = recorded.live;
  const kinds = new Set(desk.exits().map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(2);
  expect(desk.orders().filter(({ side, fill }) => side === 'sell' && fill).length).toBeGreaterThan(10);
  expect(textOf(again(recorded))).toBe(textOf(desk));
  // What fires while a step is being sold is judged after that sale in a recorded run.
  const fired = ({ exits }: Desk) => exits().map(({ at, ...exit }) => exit);
  expect(fired(again(recorded))).toEqual(fired(desk));
});

test('a tape with other prices gives other fills', () => {
  const recorded = recordedRun();
  const broken = recorded.steps.map((entry) =>
    entry.type === 'tick'
      ? { ...entry, changes: entry.changes.filter((_, index) => entry.now % 1_000 !== 0 || index > 0) }
      : entry,
  );
  expect(textOf(again(recorded, broken))).not.toBe(textOf(recorded.live.desk));
});
