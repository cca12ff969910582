import { Types } from 'mongoose';
import { between } from '../../../api/alerts/testing/tokens.ts';
import type { CoreAccount, CorePlan } from '../../../api/trading/plans/core/model.ts';
import type { Conditions } from '../../../common/strategies/conditions.ts';
import { SECOND } from '../../../common/time.ts';
import { defaultLimits, noExits } from '../../../common/trading/account.ts';
import { dayOf, emptyBook } from '../../../common/trading/limits/book.ts';
import { defaultProtections } from '../../../common/trading/limits/protections.ts';

/** Plans of one user. */
const PLANS_A_USER = 5;
const SOL = 1_000_000_000;

type Random = () => number;
type Make = (random: Random, now: number) => Conditions;

const time = (timeConfig: Conditions['configuration']['timeConfig']): Conditions => ({
  type: 'time_based',
  configuration: { timeConfig },
});
const price = (priceConfig: Conditions['configuration']['priceConfig']): Conditions => ({
  type: 'price_based',
  configuration: { priceConfig },
});
const liquidity = (liquidityConfig: Conditions['configuration']['liquidityConfig']): Conditions => ({
  type: 'liquidity_based',
  configuration: { liquidityConfig },
});
const holders = (holderConfig: Conditions['configuration']['holderConfig']): Conditions => ({
  type: 'holder_based',
  configuration: { holderConfig },
});
const iso = (at: number) => new Date(at).toISOString();
const window = (random: Random) => between(random, 1, 60) * 10;

/** One kind of plan for each of the 14 options, and mixed ones. Most wait for something that few tokens do. */
const kinds: readonly Make[] = [
  () => time({ option: 'buy_immediately' }),
  (random) => time({ option: 'buy_after_duration', duration: between(random, 5, 600) }),
  (random, now) => time({ option: 'buy_at_time', targetTime: iso(now + between(random, 5, 1_800) * SECOND) }),
  (random, now) => time({ option: 'buy_within_timeframe', startTime: iso(now + between(random, 5, 1_800) * SECOND) }),
  (random) => price({ option: 'buy_at_fixed_price', targetPrice: between(random, 1, 90) * 1e-10 }),
  (random) => price({ option: 'buy_at_percentage_from_low', percentageFromLow: between(random, 100, 900) }),
  (random) =>
    price({ option: 'buy_at_uptrend', trendPercentage: between(random, 60, 300), trendDuration: window(random) }),
  (random) =>
    price({ option: 'buy_at_downtrend', trendPercentage: between(random, 40, 90), trendDuration: window(random) }),
  (random) => liquidity({ option: 'buy_at_minimum_liquidity', targetLiquidity: between(random, 60, 400) }),
  (random) =>
    liquidity({
      option: 'buy_at_liquidity_increase',
      percentageChange: between(random, 60, 300),
      monitorDuration: window(random),
    }),
  (random) =>
    liquidity({
      option: 'buy_at_liquidity_decrease',
      percentageChange: between(random, 40, 90),
      monitorDuration: window(random),
    }),
  (random) => holders({ option: 'buy_at_minimum_holders', minHolders: between(random, 150, 900) }),
  (random) =>
    holders({
      option: 'buy_at_holder_increase_rate',
      increaseRatePercentage: between(random, 60, 300),
      monitorDuration: window(random),
    }),
  (random) => mixed(random, true),
  (random) => mixed(random, false),
];

function mixed(random: Random, requireAllConditions: boolean): Conditions {
  const trend = { option: 'buy_at_uptrend' as const, trendPercentage: requireAllConditions ? 30 : 200 };
  return {
    type: 'mixed',
    configuration: {
      requireAllConditions,
      timeConfig: { option: 'buy_after_duration', duration: between(random, 5, 3_000) },
      priceConfig: { ...trend, trendDuration: window(random) },
      liquidityConfig: { option: 'buy_at_minimum_liquidity', targetLiquidity: between(random, 60, 400) },
      holderConfig: { option: 'buy_at_minimum_holders', minHolders: between(random, 150, 900) },
    },
  };
}

/** Returns plans of every kind, switched on at `since`, whose times begin within half an hour after `now` (epoch ms). */
export function benchPlans(
  random: Random,
  { count, since, now }: { count: number; since: number; now: number },
): CorePlan[] {
  let userId = '';
  return Array.from({ length: count }, (_, number): CorePlan => {
    if (number % PLANS_A_USER === 0) userId = new Types.ObjectId().toHexString();
    const make = kinds[number % kinds.length];
    if (!make) throw new Error('no such kind');
    return {
      id: new Types.ObjectId().toHexString(),
      userId,
      kind: number % kinds.length === 0 ? 'rule' : 'strategy',
      name: `Plan ${number}`,
      conditions: make(random, now),
      lamports: between(random, 1, 10) * (SOL / 100),
      slippageBps: between(random, 1, 10) * 100,
      minLiquidity: random() < 0.5 ? between(random, 1, 120) : null,
      maxRisk: random() < 0.7 ? between(random, 1, 15) * 5 : null,
      buyUnknownRisk: random() < 0.2,
      buyWithinSeconds: null,
      exits: noExits,
      activeSince: since,
    };
  });
}

/** Returns an account on paper with the default limits. */
export function benchAccount(userId: string, now: number): CoreAccount {
  return {
    userId,
    mode: 'paper',
    isUserActive: true,
    wallet: { address: userId, hasKey: true },
    tradesPools: true,
    isStopped: false,
    limits: defaultLimits,
    protections: defaultProtections,
    book: emptyBook(dayOf(now)),
    moneyLamports: 10 * SOL,
    unknownOrders: 0,
  };
}
