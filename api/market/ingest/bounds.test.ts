import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../common/time.ts';
import type { Observation, TradeObservation } from '../sources/observation.ts';
import { observationsUntil, worldWithPast } from '../sources/simulator/history.ts';
import { seededRandom } from '../sources/simulator/random.ts';
import { chainedTrades } from '../testing/chained-trades.ts';
import { recordOf, silentLog, testEngine } from '../testing/market.ts';
import { address, created, firstBuy, migrated, onChain, START, startReserves, trade } from '../testing/observations.ts';
import { isPossible } from './bounds.ts';
import { createIngestQueue } from './queue.ts';

const HUGE = Number.MAX_SAFE_INTEGER;
const buy = (overrides: Partial<TradeObservation> = {}) => trade({ ...firstBuy(1_000_000_000), ...overrides });

const onePool = { virtualQuote: 1, virtualToken: 1, realQuote: 1, realToken: 1 };
const withdrawn = (quoteAmount: number): Observation => {
  const { source, at, receivedAt, chain } = buy();
  const shared = { source, at, receivedAt, chain, address: address(1), pool: 'pool', wallet: 'wallet' };
  return { kind: 'liquidity-withdrawn', ...shared, quote: 'SOL', quoteAmount };
};

describe('refused', () => {
  test.each<[string, Observation]>([
    ['a creation dated 2090', created({ at: Date.UTC(2090, 0), receivedAt: START })],
    ['a trade dated tomorrow', buy({ at: START + DAY, receivedAt: START })],
    ['a time that is no number', buy({ at: Number.NaN, receivedAt: START })],
    [
      'a price above all SOL',
      buy({ reserves: { ...startReserves(), virtualQuote: HUGE, virtualToken: 1, realToken: 0 } }),
    ],
    ['more tokens than a coin has', buy({ tokenAmount: HUGE })],
    ['a curve with more tokens than a coin has', buy({ reserves: { ...startReserves(), virtualToken: HUGE } })],
    ['more real than virtual tokens', buy({ reserves: { ...startReserves(), realToken: 1_073_000_000_000_001 } })],
    ['a negative amount', buy({ quoteAmount: -1 })],
    ['a migration with a negative amount', migrated({ quoteAmount: -1 })],
    ['a migration into a pool worth all SOL', migrated({ reserves: { ...onePool, virtualQuote: HUGE } })],
    ['a pool with more tokens than a coin has', migrated({ reserves: { ...onePool, virtualToken: HUGE } })],
    ['a withdrawal of more than a double holds', withdrawn(2 ** 53)],
    ['a withdrawal of a part of a lamport', withdrawn(0.5)],
    ['reserves that a double does not hold', buy({ reserves: { ...startReserves(), realQuote: 2 ** 53 } })],
  ])('%s', (_name, observation) => {
    const queue = createIngestQueue(silentLog);
    expect(queue.add([created(), observation])).toBe(1);
    expect(queue.size).toBe(1);
  });

  test('a trade of more tokens than the supply, without a trace in the coin', async () => {
    const refused: string[] = [];
    const { see, store } = testEngine({
      chainWatch: {
        refused: (source) => refused.push(source),
        missed: () => undefined,
        repaired: () => undefined,
        donated: () => undefined,
      },
    });
    await see(created(), buy());
    const tokenAmount = 1_000_000_000_000_001;
    await see(buy({ chain: onChain({ slot: 1_001 }), side: 'sell', tokenAmount, reserves: firstBuy(5).reserves }));
    expect(refused).toEqual(['solana']);
    expect(recordOf(store)).toMatchObject({ buys: 1, sells: 0, liquidityLamports: 1_000_000_000 });
  });
});

describe('accepted', () => {
  test('a chain time one minute ahead of our clock', () => {
    expect(isPossible(buy({ at: START + 60_000, receivedAt: START }))).toBe(true);
    expect(isPossible(buy({ at: START + 60_001, receivedAt: START }))).toBe(false);
  });

  test('everything that a curve can do', () => {
    const step = fc.record({
      wallet: fc.constantFrom('a', 'b'),
      amount: fc.oneof(fc.integer({ min: 2, max: 8_000_000_000 }), fc.constantFrom(-0.5, -1)),
      slots: fc.nat(3),
    });
    fc.assert(fc.property(fc.array(step, { maxLength: 10 }), (steps) => chainedTrades(1, steps).every(isPossible)));
  });

  test('everything that the simulator reports', () => {
    const present = START;
    const world = worldWithPast({
      random: seededRandom('b'),
      from: present - DAY / 12,
      present,
      rate: 20,
      solUsd: 150,
    });
    const chunks = [...observationsUntil(world, present + 60_000)];
    expect(chunks.flat().filter((one) => !isPossible(one))).toEqual([]);
  });
});

test('a trade read before its creation in the same slot does not lose the holders', async () => {
  const { see, tick, store } = testEngine();
  const inSlot = (signature: string) => ({ chain: { signature, index: 0, slot: 1_000 } });
  await see(buy({ ...inSlot('second'), wallet: 'buyer', launchpad: 'another' }), created({ ...inSlot('first') }));
  await tick(6_000);
  expect(recordOf(store)).toMatchObject({ complete: true, holderCount: 1, buys: 1 });
  expect(recordOf(store).topHolders).toMatchObject([{ wallet: 'buyer' }]);
  expect(recordOf(store)._id).toBe(address(1));
});
