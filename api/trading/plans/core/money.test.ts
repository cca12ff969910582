import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import { DAY, MINUTE, SECOND } from '../../../../common/time.ts';
import { KEPT_BACK_LAMPORTS } from '../../../../common/trading/account.ts';
import { paperRevertFee } from '../../../../common/trading/fills.ts';
import { afterHold } from '../../../../common/trading/limits/book.ts';
import { holdRefusal } from '../../../../common/trading/limits/refusal.ts';
import { type Reason, type ReasonCode, reason } from '../../../../common/trading/reasons.ts';
import { createCore } from './core.ts';
import type { Buy, Change, CoreAccount, CorePlan } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { anyMarket, anyPlans, anyPoorEvents, timed } from './testing/any-market.ts';
import { accountOf, boughtBy, launched, planOf, priceOf, scene } from './testing/core-scene.ts';
import { createNaiveCore } from './testing/naive-core.ts';

const RUNS = rounds(1_000);
const TIMEOUT = 30_000 + RUNS * 200;
const MILLI = 1_000_000;
const SOL = 1_000 * MILLI;

test('a purchase needs the rents of the network, and is made once they have fallen', () => {
  const core = createCore();
  const { priorityMaxLamports } = accountOf().limits;
  // (128 + 170) and (128 + 137) bytes.
  const needs = (perByte: number) => 100 * MILLI + paperRevertFee(priorityMaxLamports) + 563 * perByte;
  const account = accountOf({ moneyLamports: needs(2_575) + KEPT_BACK_LAMPORTS });
  core.step(DETECTED, [...scene(account), { type: 'plan', plan: planOf({ lamports: 100 * MILLI }) }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  expect(core.explain('plan', 'token', DETECTED + 1)?.numbers.needsLamports).toBe(needs(5_080));
  expect(boughtBy(core.step(DETECTED + 2, [{ type: 'rent', perByte: 2_575 }]))).toEqual(['buy:plan:token']);
  expect(core.snapshot()).toContainEqual({ type: 'rent', perByte: 2_575 });
});

const anyMoney = fc.record({
  perDay: fc.integer({ min: 1, max: 2_000 }),
  used: fc.integer({ min: 0, max: 500 }),
  maxOpen: fc.integer({ min: 1, max: 12 }),
  open: fc.integer({ min: 0, max: 6 }),
  money: fc.integer({ min: 0, max: 3_000 }),
  reserved: fc.integer({ min: 0, max: 300 }),
});
const anyAmounts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 });
/** Launches of each step, and how many of its orders are refused. */
const anySteps = fc.array(fc.record({ launches: fc.nat(5), refused: fc.nat(3) }), { minLength: 1, maxLength: 8 });

test('purchases on their way never need more than budget, places and balance leave [T4]', { timeout: TIMEOUT }, () => {
  let [full, shared] = [0, 0];
  fc.assert(
    fc.property(anyMoney, anyAmounts, anySteps, ({ perDay, used, maxOpen, open, money, reserved }, amounts, steps) => {
      const { limits, book } = accountOf();
      const account = accountOf({
        limits: { ...limits, perDayLamports: perDay * MILLI, maxOpen },
        book: {
          ...book,
          usedLamports: used * MILLI,
          places: Array.from({ length: open }, (_, at) => `held-${at}`),
          reservedLamports: reserved * MILLI,
        },
        moneyLamports: money * MILLI,
      });
      const core = createCore();
      const plans = amounts.map((amount, index): Change => {
        return { type: 'plan', plan: planOf({ id: `plan-${index}`, lamports: amount * MILLI }) };
      });
      core.step(DETECTED, [...scene(account), ...plans]);
      const onTheirWay = new Map<string, Buy>();
      const tokens = () => new Set([...onTheirWay.values()].map(({ address }) => address)).size;
      let refusals: Change[] = [];
      for (const [number, { launches, refused }] of steps.entries()) {
        const now = DETECTED + (number + 1) * 500;
        const launchedNow = Array.from({ length: launches }, (_, index) => launched(`token-${number}-${index}`, now));
        for (const effect of core.step(now, [...refusals, ...launchedNow.flat()])) {
          if (effect.type === 'buy') onTheirWay.set(effect.buy.key, effect.buy);
        }
        const lamports = [...onTheirWay.values()].reduce((sum, buy) => sum + buy.lamports, 0);
        if (onTheirWay.size > 0) {
          expect(lamports + used * MILLI).toBeLessThanOrEqual(perDay * MILLI);
          expect(lamports + reserved * MILLI + KEPT_BACK_LAMPORTS).toBeLessThanOrEqual(money * MILLI);
          expect(tokens() + open).toBeLessThanOrEqual(maxOpen);
        }
        if (tokens() + open === maxOpen) full += 1;
        if (onTheirWay.size + open > maxOpen) shared += 1;
        refusals = [...onTheirWay.keys()].slice(0, refused).map((key): Change => {
          onTheirWay.delete(key);
          return { type: 'order', order: { key, state: 'refused', hasBought: false, reason: reason('node-away') } };
        });
      }
    }),
    { numRuns: RUNS },
  );
  expect(full).toBeGreaterThan(0);
  // Several plans buy a token that takes one place.
  expect(shared).toBeGreaterThan(0);
});

/** Returns the account of a user as if it held purchases on their way, each with twice its amount: more than it costs. */
function holding(account: CoreAccount, onTheirWay: Iterable<Buy>): CoreAccount {
  let { book } = account;
  for (const { userId, lamports, address, decidedAt } of onTheirWay) {
    if (userId !== account.userId) continue;
    const { lastBuyAt } = book;
    book = afterHold(book, { lamports, totalLamports: 2 * lamports, address }, decidedAt);
    book = { ...book, lastBuyAt: Math.max(lastBuyAt, decidedAt) };
  }
  return { ...account, book };
}

/** A core with plans in a random market, beside the naive core. */
function createPoorMarket(plans: readonly CorePlan[]) {
  const core = createCore();
  const naive = createNaiveCore(plans);
  const accounts = new Map<string, CoreAccount>();
  const onTheirWay = new Map<string, Buy>();
  const bought = new Set<string>();

  /** Returns the change that ends the oldest order without a purchase. */
  function endOldest(): Change[] {
    const [key] = onTheirWay.keys();
    if (key === undefined) return [];
    onTheirWay.delete(key);
    return [{ type: 'order', order: { key, state: 'over', hasBought: false, reason: null } }];
  }

  function take(change: Change): void {
    if (change.type === 'account') accounts.set(change.account.userId, change.account);
  }

  function onBuy(buy: Buy): void {
    expect(bought).not.toContain(buy.key);
    bought.add(buy.key);
    onTheirWay.set(buy.key, buy);
  }

  return {
    /** Makes a step. Returns the keys of its purchases. */
    step(now: number, changes: readonly Change[], endsOrder: boolean): string[] {
      changes.forEach(take);
      const ended = endsOrder ? endOldest() : [];
      const effects = core.step(now, [...changes, ...ended]);
      for (const effect of effects) if (effect.type === 'buy') onBuy(effect.buy);
      return boughtBy(effects);
    },
    /** Returns the purchases that were not made although the naive core makes them, with why the account refuses each. */
    left(now: number, changes: readonly Change[]): { key: string; refusal: Reason | null }[] {
      // Limits end with the first step of a second.
      const since = Math.floor(now / SECOND) * SECOND;
      const notMade = naive.accepts(now, changes).filter(({ key }) => !bought.has(key));
      return notMade.map(({ key, address, plan: { userId, lamports } }) => {
        const account = holding(accounts.get(userId) ?? accountOf(), onTheirWay.values());
        const need = { address, lamports, totalLamports: 2 * lamports, isAutomatic: true };
        return { key, refusal: holdRefusal(account, need, since) };
      });
    },
  };
}

test('no purchase waits that the account allows, whatever has made it possible [T4]', { timeout: 3 * TIMEOUT }, () => {
  let released = 0;
  fc.assert(
    fc.property(anyPlans, anyPoorEvents, fc.boolean(), (plans, events, mayShare) => {
      const market = createPoorMarket(plans);
      const refused = new Set<string>();
      const first = [...anyMarket, ...plans.map((plan): Change => ({ type: 'plan', plan }))];
      const rich = { now: DETECTED + 10 * MINUTE, changes: anyMarket };
      const steps = [{ now: DETECTED, changes: first }, ...timed(events, mayShare), rich];
      for (const [number, { now, changes }] of steps.entries()) {
        released += market.step(now, changes, number % 3 === 0).filter((key) => refused.has(key)).length;
        for (const { key, refusal } of market.left(now, changes)) {
          refused.add(key);
          expect(refusal, key).not.toBeNull();
        }
      }
    }),
    { numRuns: 3 * RUNS },
  );
  expect(released).toBeGreaterThan(RUNS);
});

test('while all places are taken, more of a held token is bought, also by a plan that was refused before', () => {
  const core = createCore();
  const limits = { ...accountOf().limits, maxOpen: 1 };
  const { book } = accountOf();
  const holding = (...places: string[]) => accountOf({ limits, book: { ...book, places } });
  core.step(DETECTED, [...scene(holding('one')), { type: 'plan', plan: planOf() }]);
  expect(boughtBy(core.step(DETECTED + 1, launched('one', DETECTED + 1)))).toEqual(['buy:plan:one']);
  expect(boughtBy(core.step(DETECTED + 2, launched('two', DETECTED + 2)))).toEqual([]);
  expect(core.explain('plan', 'two', DETECTED + 2)).toMatchObject({ code: 'open-positions' });
  // It was bought by hand, in place of the first one.
  const account: Change = { type: 'account', account: holding('two') };
  const over: Change = { type: 'order', order: { key: 'buy:plan:one', state: 'over', hasBought: false, reason: null } };
  expect(boughtBy(core.step(DETECTED + 3, [account, over]))).toEqual(['buy:plan:two']);
});

test('while all places are taken, more of a held token is bought at the end of a cooldown, by time alone', () => {
  const core = createCore();
  const { limits, book } = accountOf();
  const account = accountOf({
    limits: { ...limits, maxOpen: 1, cooldownMs: MINUTE },
    book: { ...book, places: ['held'], lastBuyAt: DETECTED },
  });
  core.step(DETECTED, [...scene(account), { type: 'plan', plan: planOf() }]);
  core.step(DETECTED + 1, [...launched('held', DETECTED + 1), ...launched('other', DETECTED + 1)]);
  expect(core.step(DETECTED + MINUTE - 1, [])).toEqual([]);
  expect(boughtBy(core.step(DETECTED + MINUTE, []))).toEqual(['buy:plan:held']);
});

test('a candidate is bought at the end of a cooldown also in a step that first looks at another one', () => {
  const core = createCore();
  const { limits, book } = accountOf();
  const account = accountOf({
    limits: { ...limits, maxOpen: 1, cooldownMs: MINUTE },
    book: { ...book, places: ['held'], lastBuyAt: DETECTED },
  });
  const source = (isLive: boolean): Change => ({ type: 'source', source: 'test', isLive });
  core.step(DETECTED, [...scene(account), { type: 'plan', plan: planOf() }, source(false)]);
  core.step(DETECTED + 1, [...launched('held', DETECTED + 1), ...launched('other', DETECTED + 1)]);
  // The cooldown refuses the one token, the taken place the other one, before anything has asked the account as a whole.
  core.step(DETECTED + SECOND, [source(true)]);
  const price: Change = { type: 'price', price: priceOf({ address: 'other', at: DETECTED + MINUTE }) };
  expect(boughtBy(core.step(DETECTED + MINUTE, [price]))).toEqual(['buy:plan:held']);
});

const { limits: wide, book: empty } = accountOf();
const spent = { ...empty, usedLamports: wide.perDayLamports };
const lost = { ...empty, realisedLamports: -wide.maxDayLossLamports };
const stopLossesAt = [4, 3, 2, 1, 0].map((minutes) => DETECTED - minutes * MINUTE);
const cooling = { limits: { ...wide, cooldownMs: MINUTE }, book: { ...empty, lastBuyAt: DETECTED } };

test.each([
  ['cooldown', accountOf(cooling), MINUTE, { seconds: 60 }],
  [
    'stop-loss-guard',
    accountOf({ book: { ...empty, stopLossesAt } }),
    30 * MINUTE,
    { untilAt: DETECTED + 30 * MINUTE, stopLosses: 5, minutes: 30 },
  ],
  ['day-loss', accountOf({ book: lost }), DAY, { limitLamports: wide.maxDayLossLamports, untilAt: DETECTED + DAY }],
  ['day-budget', accountOf({ book: spent }), DAY, { needsLamports: planOf().lamports, leftLamports: 0 }],
] as const)(
  'a candidate that %s refuses is bought at the end of it, by time alone [T-25]',
  (code, account, after, numbers) => {
    const core = createCore();
    core.step(DETECTED, [...scene(account), { type: 'plan', plan: planOf() }]);
    const effects = core.step(DETECTED + 1, launched('token', DETECTED + 1));
    expect(effects.at(-1)).toMatchObject({ type: 'decided', decided: { reason: reason(code, numbers) } });
    expect(core.step(DETECTED + after - 1, [])).toEqual([]);
    expect(boughtBy(core.step(DETECTED + after, []))).toEqual(['buy:plan:token']);
  },
);

test('of a thousand candidates that wait for the account none is forgotten, and the newest launch comes first', () => {
  const core = createCore();
  core.step(DETECTED, [...scene(accountOf({ book: spent })), { type: 'plan', plan: planOf() }]);
  const tokens = Array.from({ length: 1_010 }, (_, index) => launched(`token-${index}`, DETECTED + 1 + index));
  expect(boughtBy(core.step(DETECTED + 2_000, tokens.flat()))).toEqual([]);
  const gone = tokens.slice(20).map((__, index): Change => ({ type: 'gone', address: `token-${index + 20}` }));
  core.step(DETECTED + 2_001, gone);
  const free: Change = { type: 'account', account: accountOf() };
  const oldest = Array.from({ length: 20 }, (_, index) => `buy:plan:token-${19 - index}`);
  expect(boughtBy(core.step(DETECTED + 2_002, [free]))).toEqual(oldest);
});

test('a place that an order takes is free again when the order is refused', () => {
  const core = createCore();
  core.step(DETECTED, [...scene({ limits: { ...accountOf().limits, maxOpen: 1 } }), { type: 'plan', plan: planOf() }]);
  const [, second] = ['first', 'second'].map((address) => core.step(DETECTED + 1, launched(address, DETECTED + 1)));
  expect(second).toMatchObject([{ type: 'decided', decided: { reason: { code: 'open-positions' } } }]);
  const refused = { key: 'buy:plan:first', state: 'refused' as const, hasBought: false, reason: reason('node-away') };
  expect(core.step(DETECTED + 2, [{ type: 'order', order: refused }])).toContainEqual(
    expect.objectContaining({ type: 'buy', buy: expect.objectContaining({ key: 'buy:plan:second' }) }),
  );
});

/** A core whose order was refused where it is made, for another account than the core has; its wait is a second. */
function refusedCore(code: ReasonCode) {
  const core = createCore();
  core.step(DETECTED, [...scene(), { type: 'plan', plan: planOf() }]);
  core.step(DETECTED + 1, launched('token', DETECTED + 1));
  const order = { key: 'buy:plan:token', state: 'refused' as const, hasBought: false, reason: reason(code) };
  core.step(DETECTED + 2, [{ type: 'order', order }]);
  return (after: number, account: Partial<CoreAccount>) =>
    boughtBy(core.step(DETECTED + 2 + after, [{ type: 'account', account: accountOf(account) }]));
}

test.each([
  ['a deposit', 'balance', { moneyLamports: MILLI }],
  ['a raised limit', 'per-trade', { limits: { ...wide, perTradeLamports: MILLI } }],
  ['the end of a stop', 'stopped', { isStopped: true }],
  ['a freed place', 'open-positions', { limits: { ...wide, maxOpen: 1 }, book: { ...empty, places: ['other'] } }],
] as const)('after %s a refused order is asked for before its wait is over', (_, code, before) => {
  const boughtWith = refusedCore(code);
  expect(boughtWith(1, before)).toEqual([]);
  expect(boughtWith(2, {})).toEqual(['buy:plan:token']);
});

test('neither other orders nor a deposit while the node is away bring a refused order back before its wait is over', () => {
  const taken = { book: { ...empty, usedLamports: 1, places: ['other'] } };
  expect(refusedCore('balance')(1, taken)).toEqual([]);
  expect(refusedCore('node-away')(1, { moneyLamports: 2_000 * SOL })).toEqual([]);
});
