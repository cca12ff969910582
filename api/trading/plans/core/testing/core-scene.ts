import { defaultLimits, noExits } from '../../../../../common/trading/account.ts';
import { dayOf, emptyBook } from '../../../../../common/trading/limits/book.ts';
import { defaultProtections } from '../../../../../common/trading/limits/protections.ts';
import type { Change, Core, CoreAccount, CoreFacts, CorePlan, CorePrice, CoreToken, Effect } from '../model.ts';
import { DETECTED } from './any-conditions.ts';

const SOL = 1_000_000_000;

/** A plan that buys every new token. */
export const planOf = (plan: Partial<CorePlan> = {}): CorePlan => ({
  id: 'plan',
  userId: 'user',
  kind: 'strategy',
  name: 'Plan',
  conditions: { type: 'time_based', configuration: { timeConfig: { option: 'buy_immediately' } } },
  lamports: SOL / 10,
  slippageBps: 500,
  minLiquidity: null,
  maxRisk: null,
  buyUnknownRisk: false,
  buyWithinSeconds: null,
  exits: noExits,
  activeSince: DETECTED,
  ...plan,
});

/** An account on paper with more money than any test spends. */
export const accountOf = (account: Partial<CoreAccount> = {}): CoreAccount => ({
  userId: 'user',
  mode: 'paper',
  isUserActive: true,
  wallet: { address: 'wallet', hasKey: true },
  tradesPools: true,
  isStopped: false,
  limits: { ...defaultLimits, perDayLamports: 1_000 * SOL, maxOpen: 100 },
  protections: defaultProtections,
  book: emptyBook(dayOf(DETECTED)),
  moneyLamports: 1_000 * SOL,
  unknownOrders: 0,
  ...account,
});

export const tokenOf = (token: Partial<CoreToken> = {}): CoreToken => ({
  address: 'token',
  symbol: 'TOK',
  detectedAt: DETECTED,
  isNew: true,
  launchpad: 'simulator',
  source: 'test',
  ...token,
});

/** A price on a curve that is deep enough for every purchase. */
export const priceOf = (price: Partial<CorePrice> = {}): CorePrice => ({
  address: 'token',
  at: DETECTED,
  price: 1,
  liquidity: 10,
  reserves: {
    virtualQuote: 30_000 * SOL,
    virtualToken: 1_073_000_000_000_000,
    realQuote: 0,
    realToken: 793_100_000_000_000,
  },
  venue: 'curve',
  stage: 'curve',
  ...price,
});

export const factsOf = (facts: Partial<CoreFacts> = {}): CoreFacts => ({
  address: 'token',
  symbol: 'TOK',
  holders: 5,
  risk: 10,
  quote: 'SOL',
  decimals: 6,
  ...facts,
});

/** Changes of a market that is live, and of a user with money. */
export const scene = (account: Partial<CoreAccount> = {}): Change[] => [
  { type: 'source', source: 'test', isLive: true },
  { type: 'account', account: accountOf(account) },
];

/** Changes of a token that can be bought. */
export const launched = (address: string, detectedAt: number): Change[] => [
  { type: 'token', token: tokenOf({ address, detectedAt }) },
  { type: 'facts', facts: factsOf({ address }) },
  { type: 'price', price: priceOf({ address, at: detectedAt }) },
];

/** Returns the keys of the purchases among effects. */
export function boughtBy(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.type === 'buy' ? effect.buy.key : []));
}

/** Returns the reasons reported among effects, `buy` for none. */
export function reasonsIn(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.type === 'decided' ? (effect.decided.reason?.code ?? 'buy') : []));
}

/** Reports orders as held and over, as an engine with a quick executor does. */
export function fill(core: Core, now: number, keys: readonly string[], hasBought = true): Effect[] {
  const orders = keys.flatMap((key) =>
    (['stored', 'held', 'over'] as const).map(
      (state): Change => ({ type: 'order', order: { key, state, hasBought, reason: null } }),
    ),
  );
  return core.step(now, orders);
}
