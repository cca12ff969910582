import fc from 'fast-check';
import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { rounds } from '../../../common/testing/effort.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import { testAccounts } from '../accounts/testing/accounts.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';
import { createOrderStore } from '../orders/store.ts';
import { walletChangeOf } from '../orders/terms.ts';
import { createFillBook } from './apply-fill.ts';
import { type PositionRecord, positionFillModel, positionModel } from './model.ts';
import { createFillStore, createPositionStore } from './store.ts';
import { AT, costs, filledOrder, revertedAttempt, revertedOrder } from './testing/orders.ts';

const RENT = 2_039_280;
/** Histories of a wallet; the soak run has more. */
const RUNS = rounds(40);
const TIMEOUT = 60_000 + RUNS * 2_000;
const connection = await testConnection();

await ensureIndexes(positionModel(connection));
await ensureIndexes(positionFillModel(connection));

const fee = fc.integer({ min: 0, max: 3_000_000 });
const fees = fc.record({
  launchpadFeeLamports: fee,
  networkFeeLamports: fee,
  priorityFeeLamports: fee,
  tipLamports: fee,
});
const lamports = fc.integer({ min: 0, max: 2_000_000_000 });
const lost = fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 2 });
const step = fc.oneof(
  fc.record({
    type: fc.constant('buy' as const),
    tokens: fc.integer({ min: 1, max: 10 ** 12 }),
    strategy: fc.constantFrom(null, 'one', 'two'),
    ...{ lamports, fees, lost },
  }),
  fc.record({ type: fc.constant('sell' as const), percent: fc.integer({ min: 1, max: 100 }), lamports, fees, lost }),
  fc.record({ type: fc.constant('revert' as const), side: fc.constantFrom('buy' as const, 'sell' as const), fee }),
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A wallet to which steps happen, and the sums of its orders. */
function createWallet(userId: Types.ObjectId) {
  let held = 0n;
  let hasAccount = false;

  function filled(
    side: 'buy' | 'sell',
    tokens: bigint,
    made: { lamports: number; fees: object; lost: number[] },
  ): OrderRecord {
    const rents = {
      accountRentLamports: side === 'buy' && !hasAccount ? RENT : 0,
      returnedRentLamports: side === 'sell' && tokens === held ? RENT : 0,
    };
    hasAccount = side === 'buy' || tokens !== held;
    held += side === 'buy' ? tokens : -tokens;
    const order = filledOrder(userId, side, 1, { attempts: made.lost.map(revertedAttempt) });
    const { lamports: moved } = made;
    const fill = { tokens: String(tokens), lamports: moved, costs: costs({ ...made.fees, ...rents }), price: 1e-7 };
    return { ...order, fill: { ...fill, slot: 1, at: AT } };
  }

  return {
    /** Returns the order of a step; null when it is not possible. */
    orderOf(one: Step): OrderRecord | null {
      switch (one.type) {
        case 'buy': {
          const order = filled('buy', BigInt(one.tokens), one);
          if (one.strategy === null) return order;
          return { ...order, cause: { kind: 'strategy', name: one.strategy }, key: `buy:${one.strategy}:address` };
        }
        case 'sell': {
          const tokens = (held * BigInt(one.percent)) / 100n;
          return tokens === 0n ? null : filled('sell', tokens, one);
        }
        case 'revert':
          return one.fee > 0 && held > 0n ? revertedOrder(userId, one.side, one.fee) : null;
      }
    },
    held: () => held,
  };
}

const free = { launchpadFeeLamports: 0, networkFeeLamports: 0, priorityFeeLamports: 0, tipLamports: 0 };
const bought = (strategy: 'one' | null, tokens: number): Step => ({
  type: 'buy',
  tokens,
  strategy,
  lamports: 0,
  fees: free,
  lost: [],
});
const sold = (percent: number): Step => ({ type: 'sell', percent, lamports: 0, fees: free, lost: [] });
/** The first sale closes one position, the second one the other: the rent comes back with the second. */
const soldOneByOne: Step[] = [bought(null, 1), bought('one', 1), sold(50), sold(100)];
/** One sale closes a position, and takes a part of another one. */
const soldInPart: Step[] = [bought(null, 1), bought('one', 3), sold(50)];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

test(
  'positions agree with the wallet to the lamport and to the token, over all origins',
  async () => {
    const positions = createPositionStore(positionModel(connection));
    const fills = createFillStore(positionFillModel(connection));
    const clock = { now: () => AT };
    const accounts = testAccounts(connection, { clock });
    const orders = createOrderStore(orderModel(connection));
    const book = createFillBook({ positions, fills, accounts, orders, onStored: () => {}, clock });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const userId = new Types.ObjectId();
        const wallet = createWallet(userId);
        let moved = 0;
        let realised = 0;
        for (const one of steps) {
          const order = wallet.orderOf(one);
          if (order === null) continue;
          const before = await positions.openOf(userId.toHexString(), null);
          realised += (await book.apply(order))?.realisedLamports ?? Number.NaN;
          // A failed purchase of an origin without a position is in no position.
          const isCounted =
            order.fill !== null || order.side === 'sell' || before.some(({ origin }) => origin === 'manual');
          if (isCounted) moved += walletChangeOf(order);
        }
        const all = await positionModel(connection).find({ userId }).lean<PositionRecord[]>();
        const total = (value: (one: PositionRecord) => number) => sum(all.map(value));
        const rent = total(({ rentLamports }) => rentLamports);
        expect(total((one) => one.costLamports - one.realisedLamports)).toBe(0 - moved - rent);
        expect(total((one) => one.paidLamports - one.proceedsLamports)).toBe(0 - moved - rent);
        expect(total((one) => one.realisedLamports)).toBe(realised);
        expect(all.reduce((tokens, one) => tokens + BigInt(one.tokens), 0n)).toBe(wallet.held());
        expect(rent).toBe(wallet.held() > 0n ? RENT : 0);
      }),
      { numRuns: RUNS, examples: [[soldOneByOne], [soldInPart]] },
    );
  },
  TIMEOUT,
);
