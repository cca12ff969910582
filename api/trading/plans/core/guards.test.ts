import { expect, test } from 'vitest';
import type { Conditions } from '../../../../common/strategies/conditions.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../common/time.ts';
import { KEPT_BACK_LAMPORTS } from '../../../../common/trading/account.ts';
import { paperRevertFee } from '../../../../common/trading/fills.ts';
import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { createCore } from './core.ts';
import { buyKey, type Change, type CoreAccount, type CoreFacts, type CorePlan, type CorePrice } from './model.ts';
import { DETECTED } from './testing/any-conditions.ts';
import { accountOf, factsOf, planOf, priceOf, reasonsIn, tokenOf } from './testing/core-scene.ts';

const SOL = 1_000_000_000;
const NOW = DETECTED + 12 * HOUR;
const LAMPORTS = SOL / 10;

/** A token that a plan buys, and what keeps it from that. */
interface Scene {
  account: CoreAccount;
  plan: CorePlan;
  price: CorePrice;
  facts: CoreFacts;
  isPlanActive: boolean;
  isFollowed: boolean;
  isLive: boolean;
  before: Change[];
}

const sceneOf = (): Scene => ({
  account: accountOf(),
  plan: planOf({ lamports: LAMPORTS, buyUnknownRisk: true }),
  price: priceOf({ at: NOW }),
  facts: factsOf(),
  isPlanActive: true,
  isFollowed: true,
  isLive: true,
  before: [],
});

/** A guard that fails. `of`: what it changes; those of the same can't fail at once. */
interface Failing {
  why: Reason;
  of?: string[];
  fail(scene: Scene): void;
  /** Whether only the explanation names it: without it nothing is asked. */
  isSilent?: boolean;
}

const account = (scene: Scene, fields: Partial<CoreAccount>) => Object.assign(scene.account, fields);
const limits = (scene: Scene, fields: Partial<CoreAccount['limits']>) =>
  account(scene, { limits: { ...scene.account.limits, ...fields } });
const book = (scene: Scene, fields: Partial<CoreAccount['book']>) =>
  account(scene, { book: { ...scene.account.book, ...fields } });
const conditions = (timeConfig: NonNullable<Conditions['configuration']['timeConfig']>): Conditions => ({
  type: 'time_based',
  configuration: { timeConfig },
});
const atOnePrice: Conditions = {
  type: 'price_based',
  configuration: { priceConfig: { option: 'buy_at_fixed_price', targetPrice: 1 } },
};
const RESERVES = priceOf().reserves ?? expect.fail();
const stopLossesAt = [5, 4, 3, 2, 1].map((minutes) => NOW - minutes * MINUTE);
/** Rents of a Token-2022 account and of the launchpad's account, (128 + 170) and (128 + 137) bytes at 5,080 lamports. */
const RENTS = 1_513_840 + 1_346_200;
const COSTS = paperRevertFee(accountOf().limits.priorityMaxLamports) + RENTS;

/** All guards, in their order. */
const guards: Failing[] = [
  {
    why: reason('inactive'),
    isSilent: true,
    fail: (scene) => Object.assign(scene, { isPlanActive: false }),
  },
  { why: reason('trading-off'), of: ['mode'], fail: (scene) => account(scene, { mode: null }) },
  { why: reason('stopped-all'), fail: ({ before }) => before.push({ type: 'stop-all', isStopped: true }) },
  { why: reason('stopped'), fail: (scene) => account(scene, { isStopped: true }) },
  { why: reason('user-inactive'), fail: (scene) => account(scene, { isUserActive: false }) },
  { why: reason('no-wallet'), of: ['wallet'], fail: (scene) => account(scene, { wallet: null }) },
  {
    why: reason('no-key'),
    of: ['wallet', 'mode'],
    fail: (scene) => account(scene, { mode: 'local', wallet: { address: 'wallet', hasKey: false } }),
  },
  {
    why: reason('blacklisted'),
    fail: ({ before }) => before.push({ type: 'lists', userId: 'user', white: [], black: ['token'] }),
  },
  {
    why: reason('already-tried'),
    isSilent: true,
    fail: ({ before }) => before.push({ type: 'tried', keys: [buyKey('plan', 'token')] }),
  },
  { why: reason('not-new'), isSilent: true, fail: ({ plan }) => Object.assign(plan, { activeSince: NOW + 1 }) },
  {
    why: reason('not-followed', { detectedAt: NOW }),
    isSilent: true,
    fail: (scene) => Object.assign(scene, { isFollowed: false }),
  },
  {
    why: reason('never'),
    ...{ of: ['conditions'], isSilent: true },
    fail: ({ plan }) => {
      const targetTime = new Date(NOW - SECOND).toISOString();
      Object.assign(plan, { conditions: conditions({ option: 'buy_at_time', targetTime }) });
    },
  },
  {
    why: reason('waiting'),
    ...{ of: ['conditions'], isSilent: true },
    fail: ({ plan }) => Object.assign(plan, { conditions: conditions({ option: 'buy_after_duration', duration: 60 }) }),
  },
  {
    why: reason('unknown-value'),
    ...{ of: ['conditions'], isSilent: true },
    fail({ plan, price }) {
      Object.assign(plan, { conditions: atOnePrice });
      Object.assign(price, { price: null });
    },
  },
  {
    why: reason('low-liquidity', { liquidityLamports: 10 * SOL, limitLamports: 20 * SOL }),
    of: ['liquidity'],
    fail: ({ plan }) => Object.assign(plan, { minLiquidity: 20 }),
  },
  {
    why: reason('high-risk', { riskPercent: 60, limitPercent: 30 }),
    of: ['risk'],
    fail({ plan, facts }) {
      Object.assign(plan, { maxRisk: 30 });
      Object.assign(facts, { risk: 60 });
    },
  },
  {
    why: reason('unknown-liquidity'),
    of: ['liquidity'],
    fail({ plan, price }) {
      Object.assign(plan, { minLiquidity: 20 });
      Object.assign(price, { liquidity: null });
    },
  },
  {
    why: reason('unknown-risk'),
    of: ['risk'],
    fail({ plan, facts }) {
      Object.assign(plan, { buyUnknownRisk: false });
      Object.assign(facts, { risk: null });
    },
  },
  { why: reason('stale', { sinceAt: NOW }), fail: (scene) => Object.assign(scene, { isLive: false }) },
  { why: reason('not-sol'), fail: ({ facts }) => Object.assign(facts, { quote: 'USDC' }) },
  { why: reason('between-venues'), of: ['stage'], fail: ({ price }) => Object.assign(price, { stage: 'complete' }) },
  {
    why: reason('in-pool'),
    of: ['stage'],
    fail(scene) {
      account(scene, { tradesPools: false });
      Object.assign(scene.price, { stage: 'pool', venue: 'pool' });
    },
  },
  { why: reason('no-depth'), of: ['reserves'], fail: ({ price }) => Object.assign(price, { reserves: null }) },
  {
    why: reason('impact', { impactBps: 988, slippageBps: 500 }),
    of: ['reserves', 'amount'],
    fail: ({ price }) => Object.assign(price, { reserves: { ...RESERVES, virtualQuote: SOL } }),
  },
  {
    why: reason('too-small'),
    of: ['reserves', 'amount'],
    fail: ({ plan }) => Object.assign(plan, { lamports: 1 }),
  },
  {
    why: reason('per-trade', { needsLamports: LAMPORTS + COSTS, limitLamports: LAMPORTS / 2 }),
    fail: (scene) => limits(scene, { perTradeLamports: LAMPORTS / 2 }),
  },
  {
    why: reason('day-budget', { needsLamports: LAMPORTS, leftLamports: LAMPORTS / 2 }),
    fail(scene) {
      limits(scene, { perDayLamports: 2 * LAMPORTS });
      book(scene, { usedLamports: 1.5 * LAMPORTS });
    },
  },
  {
    why: reason('open-positions', { open: 1, limit: 1 }),
    fail(scene) {
      limits(scene, { maxOpen: 1 });
      book(scene, { places: ['other'] });
    },
  },
  {
    why: reason('day-loss', { limitLamports: SOL, untilAt: DETECTED + DAY }),
    fail(scene) {
      limits(scene, { maxDayLossLamports: SOL });
      book(scene, { realisedLamports: -SOL });
    },
  },
  {
    why: reason('cooldown', { seconds: 40 }),
    fail(scene) {
      limits(scene, { cooldownMs: MINUTE });
      book(scene, { lastBuyAt: NOW - 20 * SECOND });
    },
  },
  {
    why: reason('stop-loss-guard', { untilAt: NOW + 29 * MINUTE, stopLosses: 5, minutes: 30 }),
    fail: (scene) => book(scene, { stopLossesAt }),
  },
  { why: reason('unknown-orders', { count: 3 }), fail: (scene) => account(scene, { unknownOrders: 3 }) },
  {
    why: reason('balance', {
      hasLamports: LAMPORTS,
      needsLamports: LAMPORTS + COSTS,
      keptBackLamports: KEPT_BACK_LAMPORTS,
    }),
    fail: (scene) => account(scene, { moneyLamports: LAMPORTS }),
  },
  { why: reason('database-away'), fail: ({ before }) => before.push({ type: 'database', isAway: true }) },
];

/** Returns the present reason against the purchase while some guards fail, and those that were reported. */
function refusedBy(failing: readonly Failing[]): { explained: Reason | null; reported: string[] } {
  const scene = sceneOf();
  for (const { fail } of failing) fail(scene);
  const { account: of, plan, price, facts, isPlanActive, isFollowed, isLive, before } = scene;
  const core = createCore();
  const token: Change[] = [
    { type: 'token', token: tokenOf({ detectedAt: NOW }) },
    { type: 'price', price },
    { type: 'facts', facts },
  ];
  const effects = core.step(NOW, [
    { type: 'source', source: 'test', isLive },
    { type: 'account', account: of },
    ...before,
    ...(isPlanActive ? [{ type: 'plan' as const, plan }] : []),
    ...(isFollowed ? token : []),
  ]);
  const detection = { detectedAt: NOW, isNew: true };
  return { explained: core.explain('plan', 'token', NOW, detection), reported: reasonsIn(effects) };
}

test('a token is bought while no guard fails', () => {
  expect(refusedBy([])).toEqual({ explained: null, reported: ['buy'] });
});

test.each(guards.map((guard) => [guard.why.code, guard] as const))('%s names its figures', (code, guard) => {
  const { explained, reported } = refusedBy([guard]);
  expect(explained).toEqual(guard.why);
  if (guard.isSilent) expect(reported).toEqual([]);
  else expect(reported.at(-1)).toBe(code);
});

test('of two guards that fail the earlier one is named, whichever they are', () => {
  let pairs = 0;
  for (const [at, first] of guards.entries()) {
    for (const second of guards.slice(at + 1)) {
      if (first.of?.some((one) => second.of?.includes(one))) continue;
      expect(refusedBy([second, first]).explained, `${first.why.code} before ${second.why.code}`).toEqual(first.why);
      pairs += 1;
    }
  }
  expect(pairs).toBeGreaterThan(500);
});
