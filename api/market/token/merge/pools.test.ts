// long because all of these tests share one market that reads frames of the chain
import { Keypair } from '@solana/web3.js';
import { describe, expect, test } from 'vitest';
import type { TokenRecord } from '../../../tokens/record.ts';
import { createFrames } from '../../sources/solana/decode/frames.ts';
import { createPoolRegistry } from '../../sources/solana/decode/pools.ts';
import type { PumpSwapEvent } from '../../sources/solana/decode/pump-swap-events.ts';
import { poolAuthorityOf, pumpProgram, pumpSwapProgram } from '../../sources/solana/programs.ts';
import { encodeEvent, encodePoolEvent, frameOf, logsOf } from '../../sources/solana/testing/encode.ts';
import {
  appendedTradeFields,
  createEvent,
  migrationEvent,
  someMint,
  somePool,
  tradeEvent,
} from '../../sources/solana/testing/events.ts';
import { createPool } from '../../sources/solana/testing/followed-pool.ts';
import { poolBurn, poolCreation, poolDeposit, poolWithdrawal } from '../../sources/solana/testing/pool-events.ts';
import type { MissedTrades } from '../../sources/source.ts';
import { fakeClock, testEngine } from '../../testing/market.ts';
import { noChainWatch } from './trade-chain.ts';

/** Creation of the coin, seconds. */
const start = 1_783_165_099;
const launchWallet = 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8';
/** Returns the address of a wallet, the same one for each number. */
const wallet = (number: number) => Keypair.fromSeed(Buffer.alloc(32, number)).publicKey.toBase58();

/** Returns a market that reads frames of the chain; `at`: seconds since the creation. */
function market() {
  const donated: MissedTrades[] = [];
  const missed: MissedTrades[] = [];
  const clock = fakeClock(start * 1_000);
  const { engine, store, tick } = testEngine({
    clock,
    solUsd: 150,
    chainWatch: {
      ...noChainWatch,
      donated: (_source, trades) => donated.push(trades),
      missed: (_source, trades) => missed.push(trades),
    },
  });
  const pools = createPoolRegistry();
  const frames = createFrames({ source: 'solana', cluster: 'mainnet', pools });
  let frameCount = 0;

  async function read(at: number, program: string, events: readonly Buffer[]): Promise<void> {
    clock.at = Math.max(clock.at, (start + at) * 1_000);
    frameCount += 1;
    const raw = frameOf({ signature: `signature${frameCount}`, slot: 100 + at, logs: logsOf(events, program) });
    const frame = frames.read(raw, { receivedAt: clock.now(), shift: 0 });
    if (frame.kind !== 'transaction') throw new Error('no transaction');
    engine.queue.add(frame.observations);
    await tick();
  }
  const timestamp = (at: number) => BigInt(start + at);
  return {
    donated,
    missed,
    tick,
    /** Learns the coin of the pool from its account, without the migration. */
    knowPool: () => pools.set(somePool, { mint: someMint, quote: 'SOL', isMain: true, coinIsBase: true, state: null }),
    curve: (at: number, ...events: Parameters<typeof encodeEvent>[0][]) =>
      read(at, pumpProgram, events.map(encodeEvent)),
    pool: (at: number, ...events: PumpSwapEvent[]) => read(at, pumpSwapProgram, events.map(encodePoolEvent)),
    timestamp,
    get token(): TokenRecord {
      const record = store.records.get(someMint);
      if (record === undefined) throw new Error('not stored');
      return record;
    },
    /** Creates the coin, and moves it into its pool after ten minutes. */
    async migrate() {
      await this.curve(0, createEvent({ timestamp: timestamp(0) }));
      await this.curve(5, tradeEvent({ timestamp: timestamp(5), user: wallet(1) }));
      await this.pool(600, poolCreation({ timestamp: timestamp(600) }));
      await this.curve(600, migrationEvent({ timestamp: timestamp(600) }));
    },
  };
}

describe('a coin in its pool', () => {
  test('might run from the chain alone', async () => {
    const chain = market();
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
    const chain = market();
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
    const chain = market();
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
    const chain = market();
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
    const chain = market();
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
    const chain = market();
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
    const chain = market();
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
    const chain = market();
    await chain.migrate();
    await chain.pool(700, poolDeposit({ timestamp: chain.timestamp(700) }));
    expect(chain.token.liquidityLamports).toBe(93_489_395_231);
    await chain.pool(710, poolWithdrawal({ timestamp: chain.timestamp(710) }));
    expect(chain.token.liquidityLamports).toBe(76_491_323_371);
    await chain.pool(720, poolBurn({ timestamp: chain.timestamp(720) }));
    expect(chain.token).toMatchObject({ totalSupply: '997594000000000', liquidityLamports: 84_990_359_301 });
  });

  test('is created by no trade in a pool alone', async () => {
    const chain = market();
    const pool = createPool();
    await chain.pool(
      0,
      poolCreation(),
      pool.buy({ timestamp: chain.timestamp(0), user: wallet(1) }, 1_000_000_000n).event,
    );
    expect(() => chain.token).toThrow('not stored');
  });
});

describe('liquidity pulled from another pool', () => {
  const otherPool = wallet(90);
  const pull = (user: string, quote_amount_out: bigint, at: bigint) =>
    poolWithdrawal({ pool: otherPool, user, quote_amount_out, timestamp: at });

  async function pulledBy(user: string, ...amounts: bigint[]) {
    const chain = market();
    await chain.migrate();
    expect(chain.token.facts.lpPulled?.value).toEqual({ sol: 0, byInsider: false });
    const creation = poolCreation({ pool: otherPool, creator: user, timestamp: chain.timestamp(700) });
    const pulls = amounts.map((amount) => pull(user, amount, chain.timestamp(710)));
    await chain.pool(710, creation, ...pulls);
    await chain.tick(2_000);
    return chain.token;
  }

  test('by the developer is a rug at once', async () => {
    const token = await pulledBy(launchWallet, 1_500_000_000n, 500_000_000n);
    expect(token.facts.lpPulled?.value).toEqual({ sol: 2, byInsider: true });
    expect(token).toMatchObject({ riskReason: 'rugged', rugged: true });
    expect(token.riskScore).toBeGreaterThanOrEqual(90);
  });

  test('by a stranger counts, but condemns no coin', async () => {
    const token = await pulledBy(wallet(50), 30_000_000_000n);
    expect(token.facts.lpPulled?.value).toEqual({ sol: 30, byInsider: false });
    expect(token.riskScore ?? 0).toBeLessThan(90);
  });

  test('does not move the figures of the coin', async () => {
    const token = await pulledBy(wallet(50), 30_000_000_000n);
    expect(token.liquidityLamports).toBe(84_990_359_301);
  });
});

describe('a change of the creator', () => {
  const change = (chain: ReturnType<typeof market>, new_creator: string) =>
    chain.curve(20, {
      name: 'MigrateBondingCurveCreatorEvent',
      fields: {
        timestamp: chain.timestamp(20),
        mint: someMint,
        bonding_curve: wallet(80),
        sharing_config: new_creator,
        old_creator: launchWallet,
        new_creator,
      },
    });
  /** An account of a program, which signs nothing. */
  const sharingAccount = poolAuthorityOf(someMint);

  test('keeps the creator of the creation, and names the wallet that earns its fees', async () => {
    const chain = market();
    await chain.curve(0, createEvent({ timestamp: chain.timestamp(0) }));
    await change(chain, launchWallet);
    expect(chain.token).toMatchObject({ creator: launchWallet, feeCreator: null });
    await chain.curve(21, {
      name: 'SetCreatorEvent',
      fields: { timestamp: chain.timestamp(21), mint: someMint, bonding_curve: wallet(80), creator: wallet(1) },
    });
    expect(chain.token).toMatchObject({ creator: launchWallet, feeCreator: wallet(1) });
    await change(chain, sharingAccount);
    expect(chain.token).toMatchObject({ creator: launchWallet, feeCreator: null });
  });

  test('names the creator of a coin first seen by a trade, never the account that shares the fees', async () => {
    const chain = market();
    const trade = tradeEvent({ ...appendedTradeFields, creator: sharingAccount, timestamp: chain.timestamp(10) });
    await chain.curve(10, trade);
    expect(chain.token.creator).toBeNull();
    await change(chain, sharingAccount);
    expect(chain.token.creator).toBe(launchWallet);
  });
});

test('new virtual reserves of a mayhem coin move its price without a trade', async () => {
  const chain = market();
  await chain.curve(0, createEvent({ timestamp: chain.timestamp(0) }));
  const { price } = chain.token;
  await chain.curve(1, {
    name: 'UpdateMayhemVirtualParamsEvent',
    fields: {
      timestamp: chain.timestamp(1),
      mint: someMint,
      virtual_token_reserves: 1_073_000_000_000_000n,
      virtual_sol_reserves: 30_000_000_000n,
      new_virtual_token_reserves: 1_073_000_000_000_000n,
      new_virtual_sol_reserves: 60_000_000_000n,
      real_token_reserves: 793_100_000_000_000n,
      real_sol_reserves: 0n,
    },
  });
  expect(chain.token).toMatchObject({ price: 2 * (price ?? 0), liquidityLamports: 0, buys: 0, stage: 'curve' });
});
