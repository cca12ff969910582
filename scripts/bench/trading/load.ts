import { seeded } from '../../../api/alerts/testing/tokens.ts';
import type { Buy, Change, Core, CorePlan } from '../../../api/trading/core/model.ts';
import { createCore } from '../../../api/trading/core/step.ts';
import { conditionsMet, windowOf } from '../../../common/strategies/conditions.ts';
import { type TokenHistory, withPoint } from '../../../common/strategies/history.ts';
import { HOUR, SECOND } from '../../../common/time.ts';
import { type BenchMarket, createBenchMarket } from './market.ts';
import { type BenchMoney, createBenchMoney } from './money.ts';
import { benchPlans } from './plans.ts';

export const TICK_MS = 100;
export const UPDATES_PER_SECOND = 5_000;
const LAUNCHES_PER_SECOND = 2;
const UPDATES = (UPDATES_PER_SECOND * TICK_MS) / SECOND;

/** A core with its market, plans and accounts. */
export interface BenchLoad {
  core: Core;
  plans: CorePlan[];
  market: BenchMarket;
  money: BenchMoney;
  /** Time of the last tick, epoch ms. */
  now(): number;
  /** Returns the changes of the next tick, which ends at `now` (epoch ms). */
  tick(now: number): Change[];
  /** Has the core take changes; its purchases are made at once unless `made` takes them. */
  step(now: number, changes: Change[], made?: (buy: Buy) => void): number;
}

/** Creates a core that has `tokens` tokens of the last hour, and `plans` plans that consider those of the last `activeMs`. */
export function createBenchLoad(settings: {
  tokens: number;
  plans: number;
  now: number;
  activeMs?: number;
}): BenchLoad {
  const random = seeded(7);
  let now = settings.now;
  const since = now - HOUR;
  const { activeMs = HOUR } = settings;
  const plans = benchPlans(random, { count: settings.plans, since: now - activeMs, now });
  const market = createBenchMarket(random);
  const money = createBenchMoney(plans, random);
  const core = createCore();
  let ticks = 0;

  const load: BenchLoad = {
    ...{ core, plans, market, money },
    now: () => now,
    tick(at) {
      ticks += 1;
      const isLaunch = ticks % (SECOND / TICK_MS / LAUNCHES_PER_SECOND) === 0;
      const changes = market.updates(UPDATES, now, at);
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
  // As after a start: all of them at once.
  const launches = Array.from({ length: settings.tokens }, (_, number) =>
    market.launch(since + Math.floor((HOUR * number) / settings.tokens)),
  );
  load.step(now, launches.flat());
  // Each step asks a part of the plans.
  for (let before = -1; before < core.size.candidates; ) {
    before = core.size.candidates;
    load.step(now, []);
  }
  return load;
}

/** Returns the time of the naive loop for one update, ms: every plan looks at the history of the token. */
export function naiveUpdateMs({ plans, market }: BenchLoad, updates: number): number {
  const window = Math.max(...plans.map(({ conditions }) => windowOf(conditions)));
  const histories = new Map<string, TokenHistory>();
  let now = Date.now();
  const changes = market
    .updates(2 * updates, now, now + SECOND)
    .flatMap((change) => (change.type === 'price' ? change.price : []));
  const from = performance.now();
  let met = 0;
  for (const { address, price, liquidity } of changes) {
    now += 1;
    const before = histories.get(address) ?? { detectedAt: now, points: [] };
    const history = withPoint(before, { at: now, price, liquidity, holders: null }, window);
    histories.set(address, history);
    for (const { conditions } of plans) if (conditionsMet(conditions, history, now) === 'met') met += 1;
  }
  if (met === 0) throw new Error('the naive loop met nothing');
  return (performance.now() - from) / changes.length;
}
