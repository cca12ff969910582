import { describe, expect, test } from 'vitest';
import { poolAuthorityOf } from '../../sources/solana/programs.ts';
import { appendedTradeFields, createEvent, someMint, tradeEvent } from '../../sources/solana/testing/events.ts';
import { poolCreation, poolWithdrawal } from '../../sources/solana/testing/pool-events.ts';
import { chainMarket, wallet } from './testing/chain-market.ts';

const launchWallet = 'CZ5H8Fiuf6HCLQXeNuZio9yU63d2un6Nu5PnrD1YwnR8';

describe('liquidity pulled from another pool', () => {
  const otherPool = wallet(90);
  const pull = (user: string, quote_amount_out: bigint, at: bigint) =>
    poolWithdrawal({ pool: otherPool, user, quote_amount_out, timestamp: at });

  async function pulledBy(user: string, ...amounts: bigint[]) {
    const chain = chainMarket();
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
  const change = (chain: ReturnType<typeof chainMarket>, new_creator: string) =>
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
    const chain = chainMarket();
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
    const chain = chainMarket();
    const trade = tradeEvent({ ...appendedTradeFields, creator: sharingAccount, timestamp: chain.timestamp(10) });
    await chain.curve(10, trade);
    expect(chain.token.creator).toBeNull();
    await change(chain, sharingAccount);
    expect(chain.token.creator).toBe(launchWallet);
  });
});

test('new virtual reserves of a mayhem coin move its price without a trade', async () => {
  const chain = chainMarket();
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
