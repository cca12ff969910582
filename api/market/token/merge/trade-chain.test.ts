import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../common/testing/effort.ts';
import type { TokenRecord } from '../../../tokens/record.ts';
import type { Observation } from '../../sources/observation.ts';
import type { MissedTrades } from '../../sources/source.ts';
import { chainedTrades, type TradeStep } from '../../testing/chained-trades.ts';
import { recordOf, testEngine } from '../../testing/market.ts';
import { reservesWith } from '../../testing/observations.ts';

const SOL = 1_000_000_000;

function openMarket() {
  const missed: MissedTrades[] = [];
  const repaired: string[] = [];
  const market = testEngine({
    chainWatch: {
      refused: () => undefined,
      missed: (_source, trades) => missed.push(trades),
      repaired: (source) => repaired.push(source),
      donated: () => undefined,
    },
  });
  return { ...market, missed, repaired };
}

/** Returns a creation and seven trades of four wallets. */
function life() {
  const amounts = [2 * SOL, SOL, SOL / 2, -0.5, SOL, -1, SOL];
  const wallets = ['dev', 'a', 'b', 'a', 'c', 'b', 'a'];
  return chainedTrades(
    1,
    amounts.map((amount, index) => ({ amount, wallet: wallets[index] ?? '', slots: 2 })),
  );
}

/** Merges observations one tick each, and lets all intervals pass. */
async function recordAfter(observations: readonly Observation[], market = openMarket()) {
  for (const observation of observations) await market.see(observation);
  for (let second = 0; second < 6; second += 1) await market.tick(1_000);
  return recordOf(market.store);
}

function figuresOf(record: TokenRecord): Partial<TokenRecord> {
  const { initialLiquidityLamports, liquidityLamports, price, reserves, buys, sells, holderCount } = record;
  return { initialLiquidityLamports, liquidityLamports, price, reserves, buys, sells, holderCount };
}

describe('a coin whose trades continue each other', () => {
  test('is complete and misses nothing', async () => {
    const market = openMarket();
    const record = await recordAfter(life(), market);
    expect(record).toMatchObject({ complete: true, tradesMissed: 0, buys: 5, sells: 2, holderCount: 3 });
    expect(market.missed).toEqual([]);
  });
});

describe('a coin whose first purchase is in the transaction of its creation', () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });

  test('has the same money and holders when its events arrive shuffled within four slots, and doubled', async () => {
    const [creation, purchase, ...later] = life();
    if (purchase === undefined) throw new Error('a life has trades');
    const inCreation = { ...purchase, chain: { ...creation.chain, index: 1 } };
    const steps = later.map((trade, index) => ({ ...trade, chain: { ...trade.chain, slot: 1_000 + index } }));
    const first: Observation[] = [creation, inCreation, ...steps.slice(0, 3)];
    const rest = steps.slice(3);
    const expected = figuresOf(await recordAfter([...first, ...rest]));
    expect(expected).toMatchObject({ initialLiquidityLamports: 2 * SOL, buys: 5, sells: 2, holderCount: 3 });
    await fc.assert(
      fc.asyncProperty(order, async (places) => {
        const shuffled = places.flatMap((place) => first[place] ?? []);
        const seen = [...shuffled, ...shuffled.toReversed(), ...rest];
        expect(figuresOf(await recordAfter(seen))).toEqual(expected);
      }),
      { numRuns: rounds(20) },
    );
  });
});

describe('a missing trade', () => {
  test('makes the coin incomplete, and asks for what lies between its neighbours', async () => {
    const market = openMarket();
    const all = life();
    const [creation, , second, third] = all;
    const record = await recordAfter(
      all.filter((one) => one !== third),
      market,
    );
    expect(record).toMatchObject({ complete: false, tradesMissed: 1, sinceCreation: true });
    expect(market.missed).toEqual([
      {
        address: creation.address,
        account: 'curve',
        after: { signature: second?.chain.signature, slot: second?.chain.slot },
        before: all[4]?.chain.signature,
      },
    ]);
    // What the observed trades show is kept: an insider must not be forgotten because a trade is missing.
    expect(record.topHolders.length).toBeGreaterThan(0);
  });

  test('that is read later completes the coin, and sets no figure back', async () => {
    const market = openMarket();
    const all = life();
    const newest = all[7];
    const late = all.slice(2, 5);
    await recordAfter(
      all.filter((one) => !late.includes(one)),
      market,
    );
    expect(recordOf(market.store)).toMatchObject({ complete: false, tradesMissed: 1 });
    const record = await recordAfter(late, market);
    expect(record).toMatchObject({ complete: true, tradesMissed: 0, buys: 5, sells: 2 });
    expect(record.reserves).toEqual(newest && 'reserves' in newest ? newest.reserves : null);
    expect(record.lastSignature).toBe(newest?.chain.signature);
    expect(market.repaired).toEqual(['solana']);
  });

  test('changes nothing for good once the others are read, whichever they were', async () => {
    const step: fc.Arbitrary<TradeStep> = fc.record({
      wallet: fc.constantFrom('dev', 'a', 'b', 'c'),
      amount: fc.oneof(fc.integer({ min: 1_000_000, max: 3 * SOL }), fc.constantFrom(-0.4, -1)),
      slots: fc.constantFrom(1, 2),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        async (steps, drops) => {
          const [creation, ...trades] = chainedTrades(1, steps);
          const last = trades.at(-1);
          const isMissed = (index: number) => drops[index] === true && trades[index] !== last;
          const shown = trades.filter((_, index) => !isMissed(index));
          const missed = trades.filter((_, index) => isMissed(index));
          const [next] = chainedTrades(1, [...steps, { wallet: 'z', amount: SOL, slots: 1 }]).slice(-1);
          const [whole, repaired] = [
            await recordAfter([creation, ...trades, ...(next ? [next] : [])]),
            await recordAfter([creation, ...shown, ...missed, ...(next ? [next] : [])]),
          ];
          const figures = ({ price, liquidityLamports, reserves, buys, sells, complete }: typeof whole) => {
            return { price, liquidityLamports, reserves, buys, sells, complete };
          };
          expect(figures(repaired)).toEqual(figures(whole));
          expect(repaired.holderCount).toBe(whole.holderCount);
          expect(repaired.topHolders).toEqual(whole.topHolders);
        },
      ),
      { numRuns: rounds(25) },
    );
  });
});

describe('a creation after trades of its coin', () => {
  test('does not lose the holders when it comes late, even by another tick', async () => {
    const [creation, first, second, ...rest] = life();
    const observed = [first, second, creation, ...rest].filter((one) => one !== undefined);
    const record = await recordAfter(observed);
    const inOrder = await recordAfter(life());
    expect(record).toMatchObject({ complete: true, tradesMissed: 0, holderCount: inOrder.holderCount });
    expect(record.topHolders).toEqual(inOrder.topHolders);
  });

  test('leaves a gap when trades between it and the first known one are missing', async () => {
    const market = openMarket();
    const [creation, first, second, ...rest] = life();
    const record = await recordAfter(
      [second, creation].filter((one) => one !== undefined),
      market,
    );
    expect(record).toMatchObject({ complete: false, tradesMissed: 1 });
    expect(market.missed).toMatchObject([{ before: second?.chain.signature }]);
    const later = await recordAfter(
      [first, ...rest].filter((one) => one !== undefined),
      market,
    );
    expect(later).toMatchObject({ complete: true, tradesMissed: 0, holderCount: 3 });
  });
});

test('a coin whose reserves begin again in its pool misses nothing', async () => {
  const market = openMarket();
  const all = life();
  const last = all.at(-1);
  const pool = { virtualQuote: 79 * SOL, virtualToken: 206_900_000_000_000, realQuote: 79 * SOL, realToken: 1 };
  const inPool = last?.kind === 'trade' ? { ...last, venue: 'pool' as const, reserves: pool } : null;
  const chain = { signature: 'in the pool', index: 0, slot: 2_000 };
  const record = await recordAfter([...all, ...(inPool ? [{ ...inPool, chain }] : [])], market);
  expect(record).toMatchObject({ complete: true, tradesMissed: 0, reservesVenue: 'pool' });
});

test('a source without slots is not checked', async () => {
  const [creation, first] = life();
  const chain = { signature: 'elsewhere', index: 0, slot: null };
  const odd = first?.kind === 'trade' ? { ...first, chain, reserves: reservesWith(9 * SOL) } : null;
  const record = await recordAfter([creation, ...(odd ? [odd] : [])]);
  expect(record).toMatchObject({ complete: true, tradesMissed: 0 });
});
