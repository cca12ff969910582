import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEPT_BACK_LAMPORTS } from '../../../common/trading/account.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { Buy, Change } from './model.ts';
import { createCore } from './step.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { accountOf, boughtBy, launched, planOf, scene } from './testing/core-scene.ts';

const RUNS = Number(process.env.CORE_RUNS ?? 200);
const TIMEOUT = 30_000 + RUNS * 200;
const MILLI = 1_000_000;

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

test('a place that an order takes is free again when the order is refused', () => {
  const core = createCore();
  core.step(DETECTED, [...scene({ limits: { ...accountOf().limits, maxOpen: 1 } }), { type: 'plan', plan: planOf() }]);
  const [, second] = ['first', 'second'].map((address) => core.step(DETECTED + 1, launched(address, DETECTED + 1)));
  expect(second).toMatchObject([
    { type: 'decided' },
    { type: 'decided', decided: { reason: { code: 'open-positions' } } },
  ]);
  const refused = { key: 'buy:plan:first', state: 'refused' as const, hasBought: false, reason: reason('node-away') };
  expect(core.step(DETECTED + 2, [{ type: 'order', order: refused }])).toContainEqual(
    expect.objectContaining({ type: 'buy', buy: expect.objectContaining({ key: 'buy:plan:second' }) }),
  );
});
