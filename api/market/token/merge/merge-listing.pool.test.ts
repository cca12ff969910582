import { describe, expect, test } from 'vitest';
import { presentDetail } from '../../../tokens/present.ts';
import type { ListedObservation, Listing, SourceName } from '../../sources/observation.ts';
import { recordOf, testEngine } from '../../testing/market.ts';
import { address, created, facts, migrated, reservesWith, START, trade } from '../../testing/observations.ts';

function listed(listing: Listing, source: SourceName = 'rugcheck', at = START): ListedObservation {
  return { kind: 'listed', source, at, receivedAt: at, address: address(1), mayBegin: true, listing };
}

const unlocked = (percent: number, at: number) => listed({ facts: { lpLockedPercent: 100 - percent } }, 'rugcheck', at);

describe('the LP of a coin', () => {
  test('ignores a service’s report while the coin is on its curve, where there is none', async () => {
    const { store, see } = testEngine();
    await see(created(), unlocked(100, START + 1_000));
    expect(recordOf(store).facts.lpUnlocked).toBeNull();
    await see(migrated({ at: START + 60_000 }));
    expect(recordOf(store).facts.lpUnlocked).toMatchObject({ value: 0 });
  });

  test('is unknown when only a service reports the move to the pool', async () => {
    const { store, see } = testEngine();
    await see(listed({ createdAt: START, stage: 'curve' }, 'pumpportal'), unlocked(0, START + 1_000));
    await see(listed({ stage: 'pool' }, 'pumpportal', START + 2_000));
    expect(recordOf(store).facts.lpUnlocked).toBeNull();
    await see(unlocked(40, START + 3_000));
    expect(recordOf(store).facts.lpUnlocked).toMatchObject({ value: 40, source: 'RugCheck' });
  });
});

describe('a service and the chain', () => {
  /** A coin that rose to 10 SOL and fell to 0.2 SOL on its curve. */
  async function drainedCoin() {
    const parts = testEngine({ solUsd: 100 });
    await parts.see(created(), trade({ at: START + 1_000, reserves: reservesWith(10_000_000_000) }));
    await parts.see(trade({ at: START + 2_000, side: 'sell', reserves: reservesWith(200_000_000) }));
    await parts.tick(2_000);
    expect(recordOf(parts.store)).toMatchObject({ drained: true });
    return parts;
  }

  test('a reported pool neither hides a drain nor ends the curve', async () => {
    const { store, see, tick } = await drainedCoin();
    await see(listed({ stage: 'pool' }, 'dexscreener', START + 5_000));
    await tick(2_000);
    expect(recordOf(store)).toMatchObject({ stage: 'curve', drained: true });
    expect(recordOf(store).riskScore).toBeGreaterThanOrEqual(90);
    await see(trade({ at: START + 9_000, reserves: reservesWith(300_000_000) }));
    expect(recordOf(store).liquidityLamports).toBe(300_000_000);
  });

  test('a reported liquidity neither hides a drain nor makes one', async () => {
    const { store, see, tick } = await drainedCoin();
    await see(listed({ liquidityLamports: 60_000_000_000 }, 'solana-tracker', START + 2 * 3_600_000));
    await tick(2_000);
    expect(recordOf(store)).toMatchObject({ drained: true });
    const honest = testEngine({ solUsd: 100 });
    await honest.see(created(), trade({ at: START + 1_000, reserves: reservesWith(10_000_000_000) }));
    await honest.see(listed({ liquidityLamports: 0 }, 'dexscreener', START + 2 * 3_600_000));
    await honest.tick(2_000);
    expect(recordOf(honest.store)).toMatchObject({ drained: false });
  });
});

describe('figures of a service', () => {
  test('in dollars do not replace a price while the rate is unknown', async () => {
    const { store, see } = testEngine({ solUsd: null });
    await see(created(), trade({ at: START + 1_000 }));
    const { price } = recordOf(store);
    expect(price).not.toBeNull();
    await see(listed({ price: { amount: 2, in: 'USD' } }, 'jupiter', START + 4_000_000));
    expect(recordOf(store).price).toBe(price);
  });

  test('apply where only some of the trades were observed', async () => {
    const { store, see } = testEngine({ solUsd: 100 });
    await see(listed({ createdAt: START, volumeUsd: 50_000 }, 'jupiter'));
    await see(trade({ at: START + 60_000 }));
    expect(recordOf(store).volumeUsd).toBe(50_000);
  });
});

describe('a pool whose trades are not observed', () => {
  const live = { price: null, liquidity: null, marketCap: null };
  const at = new Date(START + 60_000).toISOString();
  const report = (at: number) =>
    listed({ price: { amount: 2e-7, in: 'SOL' }, liquidityLamports: 4e9, holderCount: 77 }, 'jupiter', at);

  test('takes newer figures of a service at once, and gives the age of its own until then', async () => {
    const { store, see, tick } = testEngine({ solUsd: 100 });
    await see(created(), trade({ at: START + 1_000 }));
    expect(presentDetail(recordOf(store), null).figuresAsOf).toEqual(live);
    await see(migrated({ at: START + 60_000 }));
    expect(presentDetail(recordOf(store), null).figuresAsOf).toEqual({ price: at, liquidity: at, marketCap: at });
    await see(report(START + 500));
    expect(recordOf(store)).toMatchObject({ liquidityLamports: 85e9, holderCount: 1 });
    await see(report(START + 61_000));
    await tick(6_000);
    expect(recordOf(store)).toMatchObject({ price: 2e-7, liquidityLamports: 4e9, holderCount: 77 });
    expect(presentDetail(recordOf(store), null).figuresAsOf).toEqual(live);
  });

  test('gives the age of each figure that no service has reported since', async () => {
    const { store, see } = testEngine({ solUsd: 100 });
    await see(created(), trade({ at: START + 1_000 }), migrated({ at: START + 60_000 }));
    await see(listed({ price: { amount: 0.002, in: 'USD' } }, 'jupiter', START + 61_000));
    const rate = { rate: 100, at, source: 'test' };
    expect(presentDetail(recordOf(store), rate).figuresAsOf).toEqual({ ...live, liquidity: at });
    expect(presentDetail(recordOf(store), null).figuresAsOf).toEqual({ price: at, liquidity: at, marketCap: at });
  });

  test('keeps its own figures once its trades are observed', async () => {
    const { store, see, tick } = testEngine({ solUsd: 100 });
    await see(created(), trade({ at: START + 1_000 }), migrated({ at: START + 60_000 }));
    await see(trade({ at: START + 62_000, venue: 'pool', reserves: { ...reservesWith(9e9), realQuote: 9e9 } }));
    await see(report(START + 70_000));
    await tick(6_000);
    expect(recordOf(store)).toMatchObject({ liquidityLamports: 9e9, holderCount: 1 });
    expect(presentDetail(recordOf(store), null).figuresAsOf).toEqual(live);
  });
});

describe('the history of a creator', () => {
  test('includes the coins that the same wallet paid for, and a creator that paid is no other one', async () => {
    const { store, see, tick } = testEngine();
    await see(created({ creator: 'one', user: 'one', symbol: 'ONE' }));
    await see(created({ address: address(2), creator: 'purse', user: 'two', symbol: 'TWO', at: START + 1_000 }));
    const second = () => store.records.get(address(2))?.facts;
    expect(second()).toMatchObject({ creatorLaunches24h: { value: 0 }, otherCreator: { value: true } });
    await see(facts({ feePayer: 'purse' }), facts({ feePayer: 'purse' }, { address: address(2) }));
    await tick(2_000);
    expect(second()).toMatchObject({ creatorLaunches24h: { value: 1 }, otherCreator: { value: false } });
  });

  test('does not count a coin as a recent launch once its real age is known', async () => {
    const { store, see } = testEngine();
    const day = 86_400_000;
    await see(facts({}), listed({ creator: 'creator', symbol: 'OLD' }, 'jupiter'));
    await see(listed({ createdAt: START - 900 * day }, 'jupiter', START + 500));
    await see(created({ address: address(2), creator: 'creator', symbol: 'OLD', at: START + 1_000 }));
    expect(store.records.get(address(2))?.facts).toMatchObject({
      creatorLaunches24h: { value: 0 },
      symbolTwin: { value: '' },
    });
  });

  test('drops the coin from a creator that a preferred source has corrected', async () => {
    const { store, see } = testEngine();
    await see(listed({ creator: 'creator2', createdAt: START, symbol: 'ONE' }, 'jupiter'));
    await see(listed({ creator: 'creator', symbol: 'TWO' }, 'pumpportal', START + 100));
    await see(
      created({ address: address(2), creator: 'creator2', user: 'creator2', symbol: 'ONE', at: START + 1_000 }),
    );
    expect(store.records.get(address(2))?.facts).toMatchObject({
      creatorLaunches24h: { value: 0 },
      creatorRugged: null,
      symbolTwin: { value: '' },
    });
  });
});
