import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredPoint } from '../../../../common/strategies/history.ts';
import { rounds } from '../../../../common/testing/effort.ts';
import { createCore } from './core.ts';
import type { Change, CorePlan } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { anyEvents, anyMarket, anyPlans, timed } from './testing/any-market.ts';
import { boughtBy, launched, planOf, priceOf, scene } from './testing/core-scene.ts';

/** Markets per run. */
const RUNS = rounds(1_000);
const TIMEOUT = 30_000 + RUNS * 200;

/** A stored token: what a start receives of it. */
interface StoredToken {
  token: Change;
  price: Change | null;
  facts: Change | null;
  /** A point of each tick, as chart points are stored. */
  points: StoredPoint[];
}

/** What outlives a process: sources, accounts, lists and keys of orders, and tokens with their points. */
function createStore() {
  const others = new Map<string, Change>();
  const tokens = new Map<string, StoredToken>();
  const keys: string[] = [];

  /** Adds the present figures to the point of a tick. */
  function addPoint({ points }: StoredToken, at: number, figures: Partial<StoredPoint>): void {
    const before = points.at(-1) ?? { at: 0, price: null, high: null, low: null, liquidity: null, holders: null };
    const { price = before.price } = figures;
    const isSameTick = before.at === at;
    const known = [price, ...(isSameTick ? [before.high, before.low] : [])].filter((one) => one !== null);
    const range =
      known.length === 0 ? { high: null, low: null } : { high: Math.max(...known), low: Math.min(...known) };
    if (isSameTick) points.pop();
    points.push({ ...before, ...figures, ...range, at });
  }

  function takeFigures(now: number, address: string, change: Change, figures: Partial<StoredPoint>): void {
    const stored = tokens.get(address);
    if (!stored) return;
    stored[change.type === 'price' ? 'price' : 'facts'] = change;
    addPoint(stored, now, figures);
  }

  function takeOne(now: number, change: Change): void {
    if (change.type === 'token') {
      const { address } = change.token;
      if (!tokens.has(address)) tokens.set(address, { token: change, price: null, facts: null, points: [] });
    } else if (change.type === 'price') {
      const { address, price, liquidity } = change.price;
      takeFigures(now, address, change, { price, liquidity });
    } else if (change.type === 'facts') {
      takeFigures(now, change.facts.address, change, { holders: change.facts.holders });
    } else if (change.type === 'account') others.set(`account ${change.account.userId}`, change);
    else if (change.type === 'lists') others.set(`lists ${change.userId}`, change);
    else if (change.type === 'source') others.set('source', change);
  }

  return {
    keys,
    take(now: number, changes: readonly Change[]): void {
      for (const change of changes) takeOne(now, change);
    },
    /** Returns what a core receives at a start: accounts and keys of orders before plans, the past of tokens before their figures. */
    load(plans: readonly CorePlan[]): Change[] {
      const loaded = [...tokens].flatMap(([address, { token, price, facts, points }]): Change[] => {
        const present = [price, facts].filter((one) => one !== null);
        return [token, { type: 'history', address, points }, ...present];
      });
      const active = plans.map((plan): Change => ({ type: 'plan', plan }));
      return [...others.values(), { type: 'tried', keys }, ...active, ...loaded];
    },
  };
}

test('a core that is killed at a random step decides after its start as one that was not, except for the time away [T-32]', {
  timeout: TIMEOUT,
}, () => {
  let compared = 0;
  fc.assert(
    fc.property(anyPlans, anyEvents, fc.nat(60), fc.nat(8), (plans, events, kill, away) => {
      const core = createCore();
      const store = createStore();
      const first = [...anyMarket, ...plans.map((plan): Change => ({ type: 'plan', plan }))];
      core.step(DETECTED - 1, first);
      store.take(DETECTED - 1, first);
      const steps = [...timed(events, false), { now: DETECTED + 600_000, changes: [] }];
      for (const { now, changes } of steps.slice(0, kill)) {
        store.keys.push(...boughtBy(core.step(now, changes)));
        store.take(now, changes);
      }
      // What happens in the time away reaches neither core.
      const later = steps.slice(kill + away);
      const restarted = createCore();
      const startedAt = later[0]?.now ?? DETECTED + 600_000;
      const made = boughtBy(core.step(startedAt, []));
      expect(boughtBy(restarted.step(startedAt, store.load(plans))).sort()).toEqual(made.sort());
      compared += made.length;
      for (const { now, changes } of later) {
        const bought = boughtBy(core.step(now, changes));
        expect(boughtBy(restarted.step(now, changes))).toEqual(bought);
        compared += bought.length;
      }
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThan(RUNS / 10);
});

test('extremes of a token are rebuilt from the high and low of its stored points', () => {
  const priceConfig = { option: 'buy_at_percentage_from_low' as const, percentageFromLow: 100 };
  const plan = planOf({ conditions: { type: 'price_based', configuration: { priceConfig } } });
  const at = DETECTED + 60_000;
  const [token, ...figures] = launched('token', DETECTED);
  if (!token) return expect.fail();
  const boughtAfter = (points: StoredPoint[]) => {
    const core = createCore();
    core.step(at, [
      ...scene(),
      { type: 'plan', plan },
      token,
      { type: 'history', address: 'token', points },
      ...figures,
    ]);
    const price = priceOf({ price: 1.2, at: at + 1 });
    return boughtBy(core.step(at + 1, [{ type: 'price', price }]));
  };
  const point: StoredPoint = { at: DETECTED + 30_000, price: 1, high: 1, low: 1, liquidity: 10, holders: 5 };
  expect(boughtAfter([point])).toEqual([]);
  // It fell to 0.55 SOL between two points.
  expect(boughtAfter([{ ...point, low: 0.55 }])).toEqual(['buy:plan:token']);
});
