import { seeded } from '../../../api/alerts/testing/tokens.ts';
import { createCore } from '../../../api/trading/plans/core/core.ts';
import type { Buy, Change, Core, CorePlan } from '../../../api/trading/plans/core/model.ts';
import { HOUR, SECOND } from '../../../common/time.ts';
import { type BenchMarket, createBenchMarket } from './market.ts';
import { type BenchMoney, createBenchMoney } from './money.ts';
import { benchPlans } from './plans.ts';

export const TICK_MS = 100;
const LAUNCHES_PER_SECOND = 2;
const TOKENS_A_PART = 50;

/** A core with its market, plans and accounts. */
export interface BenchLoad {
  core: Core;
  plans: CorePlan[];
  market: BenchMarket;
  money: BenchMoney;
  /** Time of the last tick, epoch ms. */
  now(): number;
  /** Returns the changes of the next tick, which ends at `now` (epoch ms). */
  tick(now: number, updatesPerSecond: number): Change[];
  /** Has the core take changes; its purchases are made at once unless `made` takes them. */
  step(now: number, changes: Change[], made?: (buy: Buy) => void): number;
}

/** Creates a core that has `tokens` tokens of the last hour, and `plans` plans that consider all of them. */
export function createBenchLoad(settings: { tokens: number; plans: number; now: number }): BenchLoad {
  const random = seeded(7);
  let now = settings.now;
  const since = now - HOUR;
  const plans = benchPlans(random, { count: settings.plans, since, now });
  const market = createBenchMarket(random);
  const money = createBenchMoney(plans, random);
  const core = createCore();
  let ticks = 0;

  const load: BenchLoad = {
    ...{ core, plans, market, money },
    now: () => now,
    tick(at, updatesPerSecond) {
      ticks += 1;
      const isLaunch = ticks % (SECOND / TICK_MS / LAUNCHES_PER_SECOND) === 0;
      const changes = market.updates((updatesPerSecond * TICK_MS) / SECOND, now, at);
      now = at;
      return isLaunch ? [...changes, ...market.launch(at)] : changes;
    },
    step(at, changes, made = money.buy) {
      let bought = 0;
      for (const effect of core.step(at, [...money.changes(at), ...changes])) {
        if (effect.type !== 'buy') continue;
        bought += 1;
        made(effect.buy);
      }
      return bought;
    },
  };

  core.step(since, [
    { type: 'source', source: 'bench', isLive: true },
    ...money.begin(now),
    ...plans.map((plan): Change => ({ type: 'plan', plan })),
  ]);
  // As after a start: in the parts in which the past of tokens is read.
  for (let number = 0; number < settings.tokens; number += TOKENS_A_PART) {
    const part = Array.from({ length: Math.min(TOKENS_A_PART, settings.tokens - number) }, (_, index) =>
      market.launch(since + Math.floor((HOUR * (number + index)) / settings.tokens)),
    );
    load.step(now, part.flat());
  }
  return load;
}
