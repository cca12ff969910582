import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../testing/effort.ts';
import { noExtraCosts } from './fills.ts';
import {
  afterCharge,
  afterMove,
  afterPurchase,
  afterSale,
  emptyLot,
  type Lot,
  type LotTrade,
  partOfTrade,
} from './lots.ts';
import type { FillCosts } from './order.ts';

const lamports = fc.integer({ min: 0, max: 10_000_000_000 });
const fee = fc.integer({ min: 0, max: 5_000_000 });
const costs: fc.Arbitrary<FillCosts> = fc.record({
  launchpadFeeLamports: fc.option(fee),
  networkFeeLamports: fee,
  priorityFeeLamports: fee,
  tipLamports: fee,
  accountRentLamports: fc.constantFrom(0, 2_039_280),
  volumeRentLamports: fc.constantFrom(0, 1_844_400),
  returnedRentLamports: fc.constant(0),
});
const trade: fc.Arbitrary<LotTrade> = fc.record({
  tokens: fc.bigInt({ min: 1n, max: 10n ** 18n }),
  lamports,
  costs,
  price: fc.double({ min: 1e-12, max: 1, noNaN: true }),
  lostFeesLamports: fee,
});
type Step =
  | { type: 'buy'; trade: LotTrade }
  | { type: 'sell'; trade: LotTrade; percent: number }
  | { type: 'revert'; side: 'buy' | 'sell'; lamports: number }
  | { type: 'move'; percent: number };
const percent = fc.integer({ min: 0, max: 100 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('buy' as const), trade }),
  fc.record({ type: fc.constant('sell' as const), trade, percent }),
  fc.record({
    type: fc.constant('revert' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    lamports: fee,
  }),
  fc.record({ type: fc.constant('move' as const), percent }),
);
const noCosts: FillCosts = { ...noExtraCosts, launchpadFeeLamports: 0 };
const share = ({ tokens }: Lot, part: number) => (tokens * BigInt(part)) / 100n;

/** What a trade changes in the wallet, rents apart, from its own figures. */
function walletChange(side: 'buy' | 'sell', { lamports: moved, costs: paid, lostFeesLamports }: LotTrade): number {
  const network = paid.networkFeeLamports + paid.priorityFeeLamports + paid.tipLamports + lostFeesLamports;
  return (side === 'buy' ? -moved : moved) - network - paid.volumeRentLamports;
}

/** Returns a lot after steps, and what they changed in the wallet. The last sale returns the rent. */
function run(steps: readonly Step[]): { lot: Lot; wallet: number; rent: number } {
  let lot = emptyLot;
  let wallet = 0;
  let rent = 0;
  for (const one of steps) {
    switch (one.type) {
      case 'buy':
        lot = afterPurchase(lot, one.trade);
        wallet += walletChange('buy', one.trade);
        rent += one.trade.costs.accountRentLamports;
        break;
      case 'sell': {
        const tokens = share(lot, one.percent);
        const returnedRentLamports = one.percent === 100 ? rent : 0;
        const sold = {
          ...one.trade,
          tokens,
          costs: { ...one.trade.costs, accountRentLamports: 0, returnedRentLamports },
        };
        lot = afterSale(lot, sold);
        wallet += walletChange('sell', sold);
        rent -= returnedRentLamports;
        break;
      }
      case 'revert':
        lot = afterCharge(lot, one.side, { costs: noCosts, lostFeesLamports: one.lamports });
        wallet -= one.lamports;
        break;
      case 'move':
        lot = afterMove(lot, share(lot, one.percent));
        break;
    }
  }
  return { lot, wallet, rent };
}

test('cost, profit and what the wallet paid agree to the lamport, through any trades, reverts and rents', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const { lot, wallet, rent } = run(steps);
      expect(lot.paidLamports - lot.proceedsLamports).toBe(0 - wallet);
      expect(lot.costLamports + lot.movedCostLamports - lot.realisedLamports).toBe(0 - wallet);
      expect(lot.rentLamports).toBe(rent);
      expect(lot.tokens).toBe(lot.boughtTokens - lot.soldTokens - lot.movedTokens);
      if (lot.tokens === 0n) expect(lot.costLamports).toBe(0);
      const atLeastZero = [
        lot.costLamports,
        lot.paidLamports,
        lot.proceedsLamports,
        lot.feesLamports,
        lot.rentLamports,
      ];
      expect(Math.min(...atLeastZero)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: rounds(1_000) },
  );
});

test('the parts of a trade add up to it', () => {
  fc.assert(
    fc.property(trade, fc.array(percent, { maxLength: 5 }), (whole, cuts) => {
      const ends = [...cuts.toSorted((one, other) => one - other), 100].map(
        (cut) => (whole.tokens * BigInt(cut)) / 100n,
      );
      const parts = ends.map((end, index) => partOfTrade(whole, ends[index - 1] ?? 0n, end));
      const sum = (value: (one: LotTrade) => number) => parts.reduce((total, part) => total + value(part), 0);
      expect(sum((one) => one.lamports)).toBe(whole.lamports);
      const fees = parts.map(({ costs: { launchpadFeeLamports } }) => launchpadFeeLamports);
      const isKnown = whole.costs.launchpadFeeLamports !== null;
      expect(fees.every((one) => (one !== null) === isKnown)).toBe(true);
      expect(sum((one) => one.costs.launchpadFeeLamports ?? 0)).toBe(whole.costs.launchpadFeeLamports ?? 0);
      expect(sum((one) => one.lostFeesLamports)).toBe(whole.lostFeesLamports);
      expect(parts.reduce((total, { tokens }) => total + tokens, 0n)).toBe(whole.tokens);
    }),
  );
});

test('sells at average cost and keeps the entry price', () => {
  const buy = (tokens: bigint, paid: number, price: number): LotTrade => ({
    tokens,
    lamports: paid,
    price,
    lostFeesLamports: 0,
    costs: {
      launchpadFeeLamports: 10,
      networkFeeLamports: 5,
      priorityFeeLamports: 0,
      tipLamports: 0,
      accountRentLamports: 0,
      volumeRentLamports: 0,
      returnedRentLamports: 0,
    },
  });
  const lot = afterPurchase(afterPurchase(emptyLot, buy(100n, 995, 1)), buy(100n, 2_995, 3));
  expect(lot).toMatchObject({
    tokens: 200n,
    costLamports: 4_000,
    paidLamports: 4_000,
    feesLamports: 30,
    entryPrice: 2,
  });
  expect(afterSale(lot, buy(50n, 1_505, 9))).toMatchObject({
    tokens: 150n,
    costLamports: 3_000,
    proceedsLamports: 1_500,
    realisedLamports: 500,
    entryPrice: 2,
  });
});
