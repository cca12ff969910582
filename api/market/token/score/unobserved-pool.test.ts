import { expect, test } from 'vitest';
import { MINUTE } from '../../../../common/time.ts';
import type { Listing } from '../../sources/observation.ts';
import { chainedTrades } from '../../testing/chained-trades.ts';
import { recordOf, testEngine } from '../../testing/market.ts';
import { address, listed, migrated, reservesWith, START, trade } from '../../testing/observations.ts';

const SOL = 1_000_000_000;
const MIGRATION = START + 6 * MINUTE;

/** A coin with a low score, since 40 strangers bought for 0.25 SOL each, and the sale by its developer that comes next. */
async function lowRiskCoin() {
  const parts = testEngine({ solUsd: 100 });
  const buy = (wallet: string) => ({ wallet, amount: SOL / 4, slots: 20 });
  const strangers = Array.from({ length: 40 }, (_, index) => buy(`w${index}`));
  const steps = [buy('creator'), ...strangers, { wallet: 'creator', amount: -1, slots: 20 }];
  const chain = chainedTrades(1, steps);
  await parts.see(...chain.slice(0, -1));
  await parts.tick(6 * MINUTE);
  expect(recordOf(parts.store).riskScore).toBe(0);
  return { ...parts, sale: chain.slice(-1) };
}

const reported = (at: number, listing: Listing) => listed(listing, { source: 'solana-tracker', at });

test('a pool without observed trades makes a low score unknown, and its trades make it known again', async () => {
  const { store, see, tick } = await lowRiskCoin();
  await see(migrated({ at: MIGRATION }));
  await tick(2_000);
  expect(recordOf(store)).toMatchObject({ riskScore: null, riskReason: 'pool-unobserved' });
  const pool = { ...reservesWith(85 * SOL), realQuote: 85 * SOL };
  await see(trade({ at: MIGRATION + 10_000, venue: 'pool', reserves: pool, wallet: 'w1' }));
  await tick(2_000);
  expect(recordOf(store)).toMatchObject({ riskScore: 0, riskReason: null });
});

test('a finding stays where the trades of the pool are not observed', async () => {
  const { store, see, tick, sale } = await lowRiskCoin();
  await see(...sale);
  await tick(2_000);
  const before = recordOf(store).riskScore ?? 0;
  expect(before).toBeGreaterThan(0);
  await see(migrated({ at: MIGRATION }));
  await tick(2_000);
  expect(recordOf(store).riskScore).toBeGreaterThanOrEqual(before);
});

test('reported figures of such a pool count for half an hour, and each refresh leaves them as they are', async () => {
  const { engine, store, see, tick } = await lowRiskCoin();
  await see(migrated({ at: MIGRATION }));
  const shares = { topTen: 15, largestWallet: 3, creatorHolds: 0 };
  await see(reported(MIGRATION + MINUTE, { liquidityLamports: 90 * SOL, holderCount: 77, facts: shares }));
  await tick(2_000);
  const { facts } = recordOf(store);
  expect(facts).toMatchObject({ liquidity: { value: 90 }, holders: { value: 77, source: 'Solana Tracker' } });
  const { version } = recordOf(store);
  for (let second = 0; second < 5; second += 1) {
    engine.recompute([address(1)], []);
    await tick(1_000);
  }
  expect(recordOf(store).version).toBe(version);
  await tick(30 * MINUTE);
  expect(recordOf(store).facts).toMatchObject({ liquidity: { value: 90 }, holders: { value: 77 } });
  await tick(MINUTE);
  expect(recordOf(store).facts).toMatchObject({ liquidity: null, holders: null });
  expect(recordOf(store)).toMatchObject({ riskScore: null, riskReason: 'pool-unobserved' });
});
