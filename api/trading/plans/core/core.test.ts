import { expect, test } from 'vitest';
import type { Conditions } from '../../../../common/strategies/conditions.ts';
import { MINUTE, SECOND } from '../../../../common/time.ts';
import { reason } from '../../../../common/trading/reasons.ts';
import { createCore } from './core.ts';
import type { Change, CoreAccount, CorePlan, Detection, Effect } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import {
  accountOf,
  boughtBy,
  factsOf,
  fill,
  launched,
  planOf,
  priceOf,
  reasonsIn,
  scene,
  tokenOf,
} from './testing/core-scene.ts';

type Times = { startTime?: number; endTime?: number };
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
const within = ({ startTime, endTime }: Times): Conditions => ({
  type: 'time_based',
  configuration: {
    timeConfig: {
      option: 'buy_within_timeframe',
      startTime: iso(startTime),
      endTime: iso(endTime),
    },
  },
});
const after = (duration: number): Conditions => ({
  type: 'time_based',
  configuration: { timeConfig: { option: 'buy_after_duration', duration } },
});
const answersIn = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'decided' ? effect.decided : []));

test('switching on "buy immediately" buys none of 5,000 known tokens, and the next launch [R1]', () => {
  const core = createCore();
  core.step(DETECTED, scene());
  const known = Array.from({ length: 5_000 }, (_, index) => launched(`known-${index}`, DETECTED + index));
  core.step(DETECTED + 5_000, known.flat());
  const activeSince = DETECTED + 6_000;
  expect(core.step(activeSince, [{ type: 'plan', plan: planOf({ activeSince }) }])).toEqual([]);
  // More figures of the known ones change nothing.
  expect(
    core.step(activeSince + 1, [{ type: 'price', price: priceOf({ address: 'known-7', at: activeSince + 1 }) }]),
  ).toEqual([]);
  expect(boughtBy(core.step(activeSince + 2, launched('next', activeSince + 2)))).toEqual(['buy:plan:next']);
  expect(core.explain('plan', 'known-7', activeSince + 2)).toMatchObject({ code: 'not-new' });
});

test('a token that was created long before its detection is not considered [R1]', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf() }]);
  const old = { type: 'token' as const, token: tokenOf({ isNew: false }) };
  expect(
    core.step(DETECTED + 1, [old, { type: 'facts', facts: factsOf() }, { type: 'price', price: priceOf() }]),
  ).toEqual([]);
  expect(core.size.tokens).toBe(0);
});

test('a plan has one order for a token, whatever becomes of order, plan and token [R2]', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf() }]);
  expect(boughtBy(core.step(DETECTED + 1, launched('token', DETECTED + 1)))).toHaveLength(1);
  fill(core, DETECTED + 2, ['buy:plan:token'], false);
  core.step(DETECTED + 3, [
    { type: 'gone', address: 'token' },
    { type: 'plan-removed', planId: 'plan' },
  ]);
  core.step(DETECTED + 4, [{ type: 'plan', plan: planOf({ activeSince: DETECTED + 4, name: 'Renamed' }) }]);
  expect(boughtBy(core.step(DETECTED + 5, launched('token', DETECTED + 5)))).toEqual([]);
  expect(core.explain('plan', 'token', DETECTED + 5)).toMatchObject({ code: 'already-tried' });
});

test('a token that was bought before a start, and is on the blacklist for a while after it, is not bought again [R2]', () => {
  const core = createCore();
  const holderConfig = { option: 'buy_at_minimum_holders' as const, minHolders: 3 };
  const conditions: Conditions = { type: 'holder_based', configuration: { holderConfig } };
  core.step(DETECTED, [
    ...scene(),
    { type: 'tried', keys: ['buy:plan:token'] },
    { type: 'plan', plan: planOf({ conditions }) },
  ]);
  const holders = (count: number): Change => ({ type: 'facts', facts: factsOf({ holders: count }) });
  core.step(DETECTED + 1, [...launched('token', DETECTED + 1).slice(0, 1), holders(0)]);
  core.step(DETECTED + 2, [{ type: 'lists', userId: 'user', white: [], black: ['token'] }]);
  core.step(DETECTED + 3, [holders(5), ...launched('token', DETECTED + 1).slice(2)]);
  const taken = core.step(DETECTED + 4, [{ type: 'lists', userId: 'user', white: [], black: [] }]);
  expect(boughtBy(taken)).toEqual([]);
});

test('an order that was refused is asked for again later, and then only once', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf() }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  const refused = {
    key: 'buy:plan:token',
    state: 'refused' as const,
    hasBought: false,
    reason: { code: 'node-away' as const, numbers: {} },
  };
  expect(reasonsIn(core.step(DETECTED + 2, [{ type: 'order', order: refused }]))).toEqual(['node-away']);
  expect(core.step(DETECTED + 500, [{ type: 'price', price: priceOf({ at: DETECTED + 500 }) }])).toEqual([]);
  expect(boughtBy(core.step(DETECTED + 2 + SECOND, []))).toEqual(['buy:plan:token']);
  expect(core.step(DETECTED + 10 * SECOND, [])).toEqual([]);
});

test('an order is asked for again after each refusal, at most ten minutes later, without new figures or a change of the account [T12]', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf() }]);
  let now = DETECTED + SECOND;
  let bought = boughtBy(core.step(now, launched('token', now)));
  const waits: number[] = [];
  for (let refusal = 1; refusal <= 14; refusal += 1) {
    expect(bought).toEqual(['buy:plan:token']);
    const order = { key: 'buy:plan:token', state: 'refused' as const, hasBought: false, reason: reason('balance') };
    core.step(now, [{ type: 'order', order }]);
    const refusedAt = now;
    for (bought = []; bought.length === 0 && now - refusedAt < MINUTE * 15; ) {
      now += SECOND;
      bought = boughtBy(core.step(now, []));
    }
    waits.push((now - refusedAt) / SECOND);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600, 600]);
});

test('explains a refused order by its reason with all figures', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf() }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  const why = reason('balance', { hasLamports: 5, needsLamports: 9 });
  const order = { key: 'buy:plan:token', state: 'refused' as const, hasBought: false, reason: why };
  core.step(DETECTED + 2, [{ type: 'order', order }]);
  expect(core.explain('plan', 'token', DETECTED + 3)).toEqual(why);
});

test('a token that is not in memory is explained by its detection', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf({ minLiquidity: 50 }) }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  expect(core.explain('plan', 'token', DETECTED + 2)).toMatchObject({ code: 'low-liquidity' });
  core.step(DETECTED + 2, [{ type: 'gone', address: 'token' }]);
  const explained = (detection: Detection | null) => core.explain('plan', 'token', DETECTED + 3, detection);
  expect(explained({ detectedAt: DETECTED + 1, isNew: true })).toEqual(
    reason('not-followed', { detectedAt: DETECTED + 1 }),
  );
  expect(explained({ detectedAt: DETECTED - 1, isNew: true })).toEqual(reason('not-new'));
  expect(explained({ detectedAt: DETECTED + 1, isNew: false })).toEqual(reason('not-new'));
  expect(explained(null)).toEqual(reason('not-followed'));
});

test('a refused candidate is asked again when the input of its guard changes, and not before', () => {
  const core = createCore();
  const plan = planOf({ minLiquidity: 20, maxRisk: 30 });
  core.step(DETECTED, [...scene(), { type: 'plan', plan }]);
  expect(reasonsIn(core.step(DETECTED + 1, launched('token', DETECTED + 1)))).toContain('low-liquidity');
  const price = (liquidity: number, at: number) => ({ type: 'price' as const, price: priceOf({ liquidity, at }) });
  expect(core.step(DETECTED + 2, [price(19, DETECTED + 2)])).toEqual([]);
  core.step(DETECTED + 3, [{ type: 'facts', facts: factsOf({ risk: 40 }) }]);
  expect(reasonsIn(core.step(DETECTED + 4, [price(20, DETECTED + 4)]))).toEqual(['high-risk']);
  expect(boughtBy(core.step(DETECTED + 5, [{ type: 'facts', facts: factsOf({ risk: 30 }) }]))).toEqual([
    'buy:plan:token',
  ]);
});

test('a plan buys within its seconds since detection, also after a stop, and says why no later', () => {
  const core = createCore();
  core.step(DETECTED, [...scene({ isStopped: true }), { type: 'plan', plan: planOf({ buyWithinSeconds: 60 }) }]);
  expect(reasonsIn(core.step(DETECTED, launched('older', DETECTED)))).toContain('stopped');
  core.step(DETECTED + 1_000, launched('newer', DETECTED + 1_000));
  const resumed = core.step(DETECTED + 60_001, [{ type: 'account', account: accountOf() }]);
  expect(boughtBy(resumed)).toEqual(['buy:plan:newer']);
  const late = { code: 'too-late', numbers: { ageSeconds: 60.001, limitSeconds: 60 } };
  const answers = resumed.flatMap((effect) => (effect.type === 'decided' ? effect.decided : []));
  expect(answers.find(({ address }) => address === 'older')?.reason).toEqual(late);
  expect(core.explain('plan', 'older', DETECTED + 60_001)).toEqual(late);
  // Nothing asks again for it.
  const more = { type: 'price' as const, price: priceOf({ address: 'older', at: DETECTED + 60_002 }) };
  expect(core.step(DETECTED + 60_002, [more, { type: 'account', account: accountOf({ unknownOrders: 1 }) }])).toEqual(
    [],
  );
  expect(core.size.candidates).toBe(0);
});

test('the newest launch is bought first when a place is free again, in whatever order they were refused', () => {
  const core = createCore();
  const limits = { ...accountOf().limits, maxOpen: 1 };
  core.step(DETECTED, [...scene({ limits }), { type: 'plan', plan: planOf() }]);
  core.step(DETECTED + 1, launched('first', DETECTED + 1));
  // The newest has a market before the others.
  for (const [age, address] of [
    [4, 'newest'],
    [3, 'middle'],
    [2, 'oldest'],
  ] as const) {
    core.step(DETECTED + 9 - age, launched(address, DETECTED + age));
  }
  const freed = fill(core, DETECTED + 10, ['buy:plan:first'], false);
  expect(boughtBy(freed)).toEqual(['buy:plan:newest']);
});

test('several purchases of one step stay within places, budget and balance', () => {
  const core = createCore();
  const limits = { ...accountOf().limits, maxOpen: 3 };
  core.step(DETECTED, [...scene({ limits }), { type: 'plan', plan: planOf() }]);
  const tokens = Array.from({ length: 10 }, (_, index) => launched(`token-${index}`, DETECTED + 1));
  expect(boughtBy(core.step(DETECTED + 1, tokens.flat()))).toHaveLength(3);
});

test('a source that stops to be live stops purchases until it is back', () => {
  const core = createCore();
  core.step(DETECTED, [
    ...scene(),
    { type: 'plan', plan: planOf() },
    { type: 'source', source: 'test', isLive: false },
  ]);
  expect(reasonsIn(core.step(DETECTED + 1, launched('token', DETECTED + 1)))).toContain('stale');
  expect(core.explain('plan', 'token', DETECTED + 1)).toEqual({ code: 'stale', numbers: { sinceAt: DETECTED } });
  expect(boughtBy(core.step(DETECTED + 2, [{ type: 'source', source: 'test', isLive: true }]))).toHaveLength(1);
});

test('a start asks the plans of known tokens over several steps, the newest token first', () => {
  const core = createCore();
  const plans = Array.from({ length: 100 }, (_, index) => planOf({ id: `plan-${index}`, minLiquidity: 50 }));
  core.step(DETECTED, [...scene(), ...plans.map((plan) => ({ type: 'plan' as const, plan }))]);
  const tokens = Array.from({ length: 200 }, (_, index) =>
    tokenOf({ address: `token-${index}`, detectedAt: DETECTED + index }),
  );
  const effects = core.step(
    DETECTED + 1_000,
    tokens.map((token) => ({ type: 'token' as const, token })),
  );
  const asked = effects.flatMap((effect) => (effect.type === 'decided' ? effect.decided.address : []));
  expect(asked.length).toBeLessThan(6_000);
  expect(asked[0]).toBe('token-199');
  const steps = [1, 2, 3, 4, 5, 6].map((step) => core.step(DETECTED + 1_000 + step, []).length);
  expect(steps.slice(0, 3).every((count) => count > 0)).toBe(true);
  expect(steps.at(-1)).toBe(0);
  expect(core.size.candidates).toBe(20_000);
});

test('plans that begin at a time are asked over several steps, the newest token first', () => {
  const core = createCore();
  const plans = Array.from({ length: 60 }, (_, index) =>
    planOf({ id: `plan-${index}`, minLiquidity: 50, conditions: within({ startTime: DETECTED + 2_000 }) }),
  );
  core.step(DETECTED, [...scene(), ...plans.map((plan) => ({ type: 'plan' as const, plan }))]);
  const tokens = Array.from({ length: 250 }, (_, index) => launched(`token-${index}`, DETECTED + index));
  expect(core.step(DETECTED + 1_000, tokens.flat())).toEqual([]);
  const all: string[] = [];
  for (let step = 0; step < 6; step += 1) {
    const effects = core.step(DETECTED + 2_500 + step, []);
    expect(effects.length).toBeLessThan(6_000);
    for (const { address } of answersIn(effects)) all.push(address);
  }
  expect(all).toEqual(tokens.flatMap((_, index) => plans.map(() => `token-${249 - index}`)));
  expect(core.step(DETECTED + 3_000, [])).toEqual([]);
});

test('time alone completes conditions never early and with the next step, and a time frame never after its end', () => {
  const [moment, end] = [DETECTED + 5_130, DETECTED + 5_700];
  const late: number[] = [];
  for (let offset = 0; offset < SECOND; offset += 7) {
    const core = createCore();
    const plans = [
      planOf({ id: 'after', conditions: after(4) }),
      planOf({ id: 'after no whole ms', conditions: after(4.0001) }),
      planOf({ id: 'begin', conditions: within({ startTime: moment }) }),
      planOf({ id: 'frame', conditions: within({ startTime: moment, endTime: end }) }),
      planOf({ id: 'long frame', conditions: within({ startTime: moment, endTime: end + SECOND }) }),
    ];
    core.step(DETECTED, [...scene(), ...plans.map((plan) => ({ type: 'plan' as const, plan }))]);
    // A step every 100 ms, as ticks come.
    const bought = new Map<string, number>();
    for (let now = DETECTED + 1 + (offset % 100); now < DETECTED + 9_000; now += 100) {
      const isLaunch = now >= DETECTED + 1_130 && core.size.tokens === 0;
      const effects = core.step(now, isLaunch ? launched('token', DETECTED + 1_130) : []);
      for (const key of boughtBy(effects)) bought.set(key, now);
    }
    for (const id of ['after', 'after no whole ms', 'begin', 'long frame']) {
      const at = bought.get(`buy:${id}:token`) ?? Number.NaN;
      expect(at).toBeGreaterThanOrEqual(moment);
      late.push(at - moment);
    }
    expect(bought.get('buy:frame:token') ?? end).toBeLessThanOrEqual(end);
  }
  expect(Math.max(...late)).toBeLessThanOrEqual(100);
});

/** A core with a plan of `anna` and 100 plans of `ben`, which refuse 200 tokens. A change of mode asks for more than a step of work. */
function busyCore(plan: Partial<CorePlan>) {
  const core = createCore();
  const limits = { ...accountOf().limits, maxOpen: 1_000 };
  const account = (userId: string, mode: CoreAccount['mode'] = 'paper'): Change => {
    return { type: 'account', account: accountOf({ userId, mode, limits, tradesPools: mode === 'paper' }) };
  };
  const waiting = Array.from({ length: 100 }, (_, index) =>
    planOf({ id: `ben-${index}`, userId: 'ben', minLiquidity: 50 }),
  );
  const plans = [planOf({ id: 'anna', userId: 'anna', ...plan }), ...waiting];
  const source: Change = { type: 'source', source: 'test', isLive: true };
  const users = [account('anna'), account('ben')];
  core.step(DETECTED, [source, ...users, ...plans.map((one) => ({ type: 'plan' as const, plan: one }))]);
  const tokens = Array.from({ length: 200 }, (_, index) => launched(`token-${index}`, DETECTED + index));
  core.step(DETECTED + 200, tokens.flat());
  return { core, addresses: tokens.map((_, index) => `token-${index}`), otherMode: account('ben', 'local') };
}

test('time conditions are not late while the plans of another user are asked at another place to trade', () => {
  const { core, addresses, otherMode } = busyCore({ conditions: within({ startTime: DETECTED + 2_000 }) });
  expect(core.step(DETECTED + 1_990, [])).toEqual([]);
  const bought = boughtBy(core.step(DETECTED + 2_010, [otherMode]));
  expect(bought).toEqual(addresses.map((address) => `buy:anna:${address}`).reverse());
});

test('another place to trade asks again for the plans of its user alone', () => {
  const { core, otherMode } = busyCore({ maxRisk: 5 });
  const white: Change = { type: 'lists', userId: 'anna', white: ['token-0'], black: [] };
  expect(boughtBy(core.step(DETECTED + 1_000, [otherMode, white]))).toEqual(['buy:anna:token-0']);
});

test('a token in a pool is bought once orders of the user can trade there, without new figures', () => {
  const core = createCore();
  core.step(DETECTED, [...scene({ tradesPools: false }), { type: 'plan', plan: planOf() }]);
  const inPool = { type: 'price' as const, price: priceOf({ stage: 'pool', venue: 'pool', at: DETECTED + 1 }) };
  expect(reasonsIn(core.step(DETECTED + 1, [...launched('token', DETECTED + 1).slice(0, 2), inPool]))).toContain(
    'in-pool',
  );
  const other: Change = { type: 'account', account: accountOf({ tradesPools: true }) };
  expect(boughtBy(core.step(DETECTED + 2, [other]))).toEqual(['buy:plan:token']);
});

test('conditions that time completed are met at once by the next figures of the token', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf({ conditions: after(5) }) }]);
  core.step(DETECTED + 130, launched('token', DETECTED + 130));
  expect(core.step(DETECTED + 5_120, [])).toEqual([]);
  const price = { type: 'price' as const, price: priceOf({ at: DETECTED + 5_200 }) };
  expect(boughtBy(core.step(DETECTED + 5_200, [price]))).toEqual(['buy:plan:token']);
});

test('explains by the first guard, for tokens that no plan considers too', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf({ maxRisk: 5 }) }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  const reasonNow = () => core.explain('plan', 'token', DETECTED + 2)?.code;
  expect(reasonNow()).toBe('high-risk');
  expect(core.explain('plan', 'elsewhere', DETECTED + 2)).toMatchObject({ code: 'not-followed' });
  expect(core.explain('no-plan', 'token', DETECTED + 2)).toMatchObject({ code: 'inactive' });
  core.step(DETECTED + 2, [{ type: 'account', account: accountOf({ isStopped: true }) }]);
  expect(reasonNow()).toBe('stopped');
  core.step(DETECTED + 3, [
    { type: 'account', account: accountOf() },
    { type: 'lists', userId: 'user', white: ['token'], black: [] },
  ]);
  // Bought, as a whitelisted token may have any risk.
  expect(core.explain('plan', 'token', DETECTED + 3)).toBeNull();
});
