import { expect, test } from 'vitest';
import { MINUTE } from '../../common/time.ts';
import { curveReservesOf } from '../../common/tokens/curve-trades.ts';
import { noExits } from '../../common/trading/account.ts';
import { outcomeOf, type PreviewOrders, type PurchaseOutcome } from './outcome.ts';
import type { PathVenue, TokenPath } from './paths.ts';

const AT = Date.parse('2026-09-01T12:00:00Z');
const UNTIL = AT + 60 * MINUTE;
const RENT = 1_513_840;
/** Signature and usual priority. */
const NETWORK = 105_000;

const onCurve: PathVenue = {
  ...{ launchpad: 'pump.fun', quote: 'SOL', decimals: 6, isMayhem: false },
  ...{ migratedAt: null, isPoolFollowed: false },
};
const orders: PreviewOrders = {
  ...{ lamports: 500_000_000, slippageBps: 1_000, priorityMaxLamports: 1_000_000, tipLamports: 0 },
  rentPerByte: null,
  exits: noExits,
};

/** Returns the price of a standard curve at a liquidity in SOL. */
function priceAt(liquidity: number): number {
  const quote = 30 + liquidity;
  return quote / (32_190_000_000 / quote);
}

const point = (minutes: number, liquidity: number, price: number | null = priceAt(liquidity)) => ({
  at: AT + minutes * MINUTE,
  price,
  liquidity,
  holders: 10,
});

function run(points: ReturnType<typeof point>[], with_: Partial<PreviewOrders> = {}, venue: Partial<PathVenue> = {}) {
  const path: TokenPath = {
    ...{ address: 'Coin', name: null, symbol: null, risk: 10, venue: { ...onCurve, ...venue } },
    history: { detectedAt: AT, points },
  };
  return outcomeOf(path, { at: AT, until: UNTIL }, { ...orders, ...with_ });
}

function bought(outcome: PurchaseOutcome | 'too-large'): PurchaseOutcome {
  if (outcome === 'too-large') throw new Error('not bought');
  return outcome;
}

test('the reserves of a stored price and liquidity are those of the curve, and unknown when both do not fit', () => {
  expect(curveReservesOf(priceAt(10), 10_000_000_000)).toEqual({
    ...{ virtualQuote: 40_000_000_000, virtualToken: 804_750_000_000_000 },
    ...{ realQuote: 10_000_000_000, realToken: 524_850_000_000_000 },
  });
  expect(curveReservesOf(priceAt(10) * 1.002, 10_000_000_000)).toBeNull();
  expect(curveReservesOf(0, 10_000_000_000)).toBeNull();
  // Sold out: the coin waits for its pool.
  expect(curveReservesOf(priceAt(85.005_36), 85_005_360_000)).toBeNull();
});

test('a purchase pays fees and its own impact, and a price that stays is a loss of the fees alone [T-42]', () => {
  const { paid, money, sold } = bought(run([point(0, 10), point(30, 10)]));
  // 0.5 SOL less 1.25 % on a curve of 40 SOL: 1.23 % above the price before.
  expect((paid ?? 0) / priceAt(10)).toBeCloseTo(1 + 0.493_827 / 40, 6);
  expect(sold).toBeNull();
  // Both trades pay 1.25 % and the network; the impact of the purchase comes back with the sale.
  const launchpad = 500_000_000 - 500_000_000 / 1.0125;
  expect(money?.resultLamports).toBeCloseTo(-2 * launchpad - 2 * NETWORK, -2);
  expect(money?.feesLamports).toBeCloseTo(launchpad + NETWORK, -2);
  expect(money?.rentLamports).toBe(RENT);
});

test('exits sell at the reserves of their moment, in steps too, and the last sale returns the rent', () => {
  const exits = { ...noExits, steps: [{ atPercent: 50, sellPercent: 50 }], takeProfitPercent: 100 };
  const { sold, money } = bought(run([point(0, 10), point(10, 20), point(20, 30), point(30, 5)], { exits }));
  expect(sold?.at).toBe(AT + 20 * MINUTE);
  expect(money?.rentLamports).toBe(0);
  const steady = bought(run([point(0, 10), point(10, 20), point(20, 30), point(30, 5)]));
  expect(money?.resultLamports).toBeGreaterThan(0);
  expect(steady.money?.resultLamports).toBeLessThan(0);
});

test('a sale by time falls due between two points, also when the token has no later one', () => {
  const exits = { ...noExits, maxHoldMs: 5 * MINUTE };
  expect(bought(run([point(0, 10)], { exits })).sold).toMatchObject({ kind: 'time', at: AT + 5 * MINUTE });
  expect(bought(run([point(0, 10)], { exits: { ...exits, maxHoldMs: 61 * MINUTE } })).sold).toBeNull();
});

test('an order whose own impact is beyond the slippage is not sent', () => {
  expect(run([point(0, 10)], { slippageBps: 100 })).toBe('too-large');
  expect(run([point(0, 10)], { slippageBps: 200 })).not.toBe('too-large');
});

test.each([
  ['a price that does not fit the liquidity', [point(0, 10, 1)], {}],
  ['a coin against another currency', [point(0, 10)], { quote: 'USDC' as const }],
  ['a launchpad with other formulas', [point(0, 10)], { launchpad: 'other' }],
  ['a pool that is not followed', [point(0, 79)], { migratedAt: AT }],
  ['a pool of mayhem mode', [point(0, 79)], { migratedAt: AT, isPoolFollowed: true, isMayhem: true }],
  ['an unknown depth at the end', [point(0, 10), point(5, 11, 1)], {}],
])('without known depth a purchase has no result, and is not free: %s [T-42]', (_, points, venue) => {
  const { paid, money } = bought(run(points, {}, venue));
  expect(paid).toBeGreaterThan(0);
  expect(money).toBeNull();
});

test('in a followed pool trades use the reserves of its price and liquidity', () => {
  const pool = { migratedAt: AT, isPoolFollowed: true };
  const { paid, money } = bought(run([point(0, 79, 4e-7), point(10, 100, 7e-7)], {}, pool));
  expect((paid ?? 0) / 4e-7).toBeCloseTo(1 + 0.493_827 / 79, 4);
  expect(money?.resultLamports).toBeGreaterThan(300_000_000);
});
