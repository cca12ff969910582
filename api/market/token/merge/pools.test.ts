import { describe, expect, test } from 'vitest';
import type { PumpSwapEvent } from '../../sources/solana/decode/pump-swap-events.ts';
import { createEvent, migrationEvent, someMint, somePool, tradeEvent } from '../../sources/solana/testing/events.ts';
import { createPool } from '../../sources/solana/testing/followed-pool.ts';
import { poolBurn, poolCreation, poolDeposit, poolWithdrawal } from '../../sources/solana/testing/pool-events.ts';
import { chainMarket, wallet } from './testing/chain-market.ts';

describe('a coin in its pool', () => {
  test('might run from the chain alone', async () => {
    const chain = chainMarket();
    await chain.migrate();
    expect(chain.token).toMatchObject({ stage: 'pool', pool: somePool, liquidityLamports: 84_990_359_301 });
    const pool = createPool();
    const at = 3_700;
    const by = (number: number) => ({ timestamp: chain.timestamp(at + number), user: wallet(number) });
    // The price rises ninefold, then the same amount goes round until the volume is 2.5 times the market cap.
    await chain.pool(at, pool.buy(by(2), 170_000_000_000n).event);
    for (let round = 3; round < 30; round += 1) {
      const { event, amount } = pool.buy(by(round), 200_000_000_000n);
      await chain.pool(at + round, event, pool.sell(by(round), amount));
    }
    const { marketCapUsd, volumeUsd, mightRun, complete } = chain.token;
    expect({ marketCapUsd, volumeUsd, mightRun, complete }).toMatchObject({ mightRun: true, complete: true });
  });

  test('misses no trade when someone sends coins to the pool, but does when a trade is missing', async () => {
    const chain = chainMarket();
    await chain.migrate();
    const pool = createPool();
    const by = (seconds: number) => ({ timestamp: chain.timestamp(seconds), user: wallet(2) });
    await chain.pool(700, pool.buy(by(700), 1_000_000_000n).event);
    for (const [index, donation] of [{ base: 1n }, { quote: 5n }, { base: 10n ** 12n, quote: 1n }].entries()) {
      pool.donate(donation);
      await chain.pool(701 + index, pool.buy(by(701 + index), 1_000_000_000n).event);
    }
    expect(chain.token).toMatchObject({ complete: true, tradesMissed: 0, buys: 5 });
    pool.sell(by(710), 1_000_000n);
    await chain.pool(711, pool.buy(by(711), 1_000_000_000n).event);
    expect(chain.token).toMatchObject({ complete: false, tradesMissed: 1 });
  });

  test('asks whether trades hide behind a gain of the pool, and counts those that are read', async () => {
    const chain = chainMarket();
    await chain.migrate();
    const pool = createPool();
    const by = (seconds: number) => ({ timestamp: chain.timestamp(seconds), user: wallet(seconds % 100) });
    await chain.pool(700, pool.buy(by(700), 1_000_000_000n).event);
    const hidden: PumpSwapEvent[] = [];
    for (const seconds of [701, 711]) {
      const bought = pool.buy(by(seconds), 5_000_000_000n);
      hidden.push(bought.event, pool.sell(by(seconds + 1), bought.amount));
      await chain.pool(seconds + 2, pool.buy(by(seconds + 2), 1_000_000_000n).event);
    }
    // Only the fee of what goes round stays in the pool.
    expect(chain.token).toMatchObject({ complete: true, tradesMissed: 0, buys: 4, sells: 0 });
    const asked = { address: someMint, account: somePool, isDoubtful: true };
    expect(chain.donated).toMatchObject([
      { ...asked, after: { slot: 800 }, before: expect.any(String) },
      { ...asked, after: { slot: 803 }, before: expect.any(String) },
    ]);
    const [, , bought, sold] = hidden;
    if (bought === undefined || sold === undefined) throw new Error('nothing is hidden');
    await chain.pool(711, bought);
    expect(chain.token).toMatchObject({ complete: false, tradesMissed: 1 });
    expect(chain.missed).toMatchObject([{ account: somePool, after: { slot: 811 } }]);
    await chain.pool(712, sold);
    expect(chain.token).toMatchObject({ complete: true, tradesMissed: 0, buys: 5, sells: 1 });
  });

  test('is drained when its pool was emptied while the move into it was not observed', async () => {
    const opened = { timestamp: 1_783_166_000n };
    const chain = chainMarket();
    await chain.curve(0, createEvent({ timestamp: chain.timestamp(0) }));
    const filled = { real_sol_reserves: 80_000_000_000n, virtual_sol_reserves: 110_000_000_000n };
    const sold = { virtual_token_reserves: 292_636_363_636_363n, real_token_reserves: 12_736_363_636_363n };
    await chain.curve(5, tradeEvent({ timestamp: chain.timestamp(5), user: wallet(1), ...filled, ...sold }));
    chain.knowPool();
    const pool = createPool();
    pool.sell({ ...opened, user: wallet(3) }, 770_000_000_000_000n);
    await chain.pool(700, pool.buy({ timestamp: chain.timestamp(700), user: wallet(2) }, 1_000_000_000n).event);
    await chain.tick(6_000);
    expect(chain.token).toMatchObject({ stage: 'pool', drained: true });
    // The move itself is read afterwards.
    await chain.curve(600, migrationEvent({ timestamp: chain.timestamp(600) }));
    await chain.tick(6_000);
    expect(chain.token).toMatchObject({ drained: true });
  });

  type Pool = ReturnType<typeof createPool>;
  type By = Parameters<Pool['sell']>[0];

  test.each([
    ['the gain of its pool', (pool: Pool, by: By) => pool.buy(by, 170_000_000_000n).event, 255_330_359_301],
    ['what its pool began with', (pool: Pool, by: By) => pool.sell(by, 9_000_000_000_000n), 84_990_359_057],
  ])('keeps %s as the peak when the migration is read after a loss', async (_what, trade, peak) => {
    const chain = chainMarket();
    await chain.curve(0, createEvent({ timestamp: chain.timestamp(0) }));
    chain.knowPool();
    const pool = createPool();
    const by = (seconds: number) => ({ timestamp: chain.timestamp(seconds), user: wallet(2) });
    await chain.pool(700, trade(pool, by(700)));
    await chain.pool(701, pool.sell(by(701), 30_000_000_000_000n));
    expect(chain.token.liquidityLamports).toBeLessThan(0.9 * peak);
    await chain.curve(600, migrationEvent({ timestamp: chain.timestamp(600) }));
    expect(chain.token).toMatchObject({ stage: 'pool', peakLiquidityLamports: peak, drained: false });
  });

  test('keeps counting the holders that bought on its curve', async () => {
    const chain = chainMarket();
    await chain.migrate();
    const pool = createPool();
    const at = (seconds: number, number: number) => ({ timestamp: chain.timestamp(seconds), user: wallet(number) });
    await chain.pool(700, pool.buy(at(700, 2), 1_000_000_000n).event);
    await chain.tick(6_000);
    expect(chain.token).toMatchObject({ holderCount: 2, buys: 2, complete: true });
    await chain.pool(710, pool.sell(at(710, 1), 51_095_238_095_238n));
    await chain.tick(6_000);
    expect(chain.token).toMatchObject({ holderCount: 1, sells: 1 });
    expect(chain.token.topHolders.map(({ wallet: holder }) => holder)).toEqual([wallet(2)]);
  });

  test('keeps its price and liquidity when a late event of its curve arrives', async () => {
    const chain = chainMarket();
    await chain.migrate();
    const { price } = chain.token;
    await chain.curve(
      600,
      tradeEvent({ timestamp: chain.timestamp(600) }),
      migrationEvent({ timestamp: chain.timestamp(600) }),
    );
    expect(chain.token).toMatchObject({ price, liquidityLamports: 84_990_359_301, stage: 'pool' });
  });

  test('follows deposits, withdrawals and burns', async () => {
    const chain = chainMarket();
    await chain.migrate();
    await chain.pool(700, poolDeposit({ timestamp: chain.timestamp(700) }));
    expect(chain.token.liquidityLamports).toBe(93_489_395_231);
    await chain.pool(710, poolWithdrawal({ timestamp: chain.timestamp(710) }));
    expect(chain.token.liquidityLamports).toBe(76_491_323_371);
    await chain.pool(720, poolBurn({ timestamp: chain.timestamp(720) }));
    expect(chain.token).toMatchObject({ totalSupply: '997594000000000', liquidityLamports: 84_990_359_301 });
  });

  test('is created by no trade in a pool alone', async () => {
    const chain = chainMarket();
    const pool = createPool();
    await chain.pool(
      0,
      poolCreation(),
      pool.buy({ timestamp: chain.timestamp(0), user: wallet(1) }, 1_000_000_000n).event,
    );
    expect(() => chain.token).toThrow('not stored');
  });
});
