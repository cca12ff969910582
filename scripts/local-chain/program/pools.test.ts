import { Keypair, PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crowdTrade } from '../../../api/launchpad/instructions.ts';
import { migrateInstructions, type PoolSwap, poolOf, poolSwapInstruction } from '../../../api/launchpad/pool.ts';
import type { Reserves } from '../../../api/market/sources/observation.ts';
import {
  CURVE_START,
  MIGRATION_FEE_LAMPORTS,
  migratedPool,
  POOL_SEED_TOKENS,
} from '../../../api/market/sources/simulator/coin/curve.ts';
import { buyExactQuoteIn, sellTokens } from '../../../api/trading/pump/instructions.ts';
import { rounds } from '../../../common/testing/effort.ts';
import {
  afterPoolTrade,
  poolFeesAt,
  poolPurchase,
  poolSale,
  totalPoolFee,
} from '../../../common/tokens/pool-trades.ts';
import { FEE_RECIPIENT } from './launchpad.ts';
import { codeOf, createLaunchpadChain, graduated, listedWithTrader } from './testing/launchpad-chain.ts';

/** Trades of the random walk, which limit its time. */
const TRADES = rounds(1_000);
const MS_PER_TRADE = 100;
const LAMPORTS_PER_SOL = 1_000_000_000;

const chain = createLaunchpadChain();
type Coin = ReturnType<typeof graduated>['coin'];
const feeRecipient = new PublicKey(FEE_RECIPIENT);

function swapOf({ mint, creator }: Coin, user: PublicKey, swap: Pick<PoolSwap, 'side' | 'amountIn' | 'leastOut'>) {
  return poolSwapInstruction({ mint, creator, user, feeRecipient, ...swap });
}

/** Expects that the pool holds what it owes, and returns its reserves. */
function solventPool(mint: PublicKey): Reserves {
  const { reserves, lamports, tokens } = chain.pool(mint);
  expect(lamports).toBe(reserves.realQuote);
  expect(tokens).toBe(BigInt(reserves.realToken));
  return reserves;
}

describe('a migration', () => {
  test('moves SOL without the fee and the unsold tokens into the pool, and prints its event', () => {
    const { coin, user, trade } = listedWithTrader(chain, {});
    chain.send([user], [buyExactQuoteIn(trade, 100_000_000_000n, 1n)]);
    const { reserves } = chain.curve(coin.mint);
    const before = chain.balance(chain.key.publicKey);
    const { err, events, size } = chain.send([chain.key], migrateInstructions(coin.mint, chain.key.publicKey));
    expect(err).toBeNull();
    expect(size).toBeLessThanOrEqual(1_232);
    const expected = migratedPool(reserves, MIGRATION_FEE_LAMPORTS);
    expect(solventPool(coin.mint)).toEqual(expected);
    expect(chain.pool(coin.mint)).toMatchObject({ mint: coin.mint, creator: coin.creator });
    // The fee, less the rents of the pool and its token account, and the fee of the network.
    expect(chain.balance(chain.key.publicKey) - before).toBeLessThan(BigInt(MIGRATION_FEE_LAMPORTS));
    const curve = chain.curve(coin.mint);
    expect(curve).toMatchObject({ isComplete: true, lamports: 0, reserves: { virtualToken: 0, realQuote: 0 } });
    expect(chain.tokens(curve.address, coin.mint)).toBe(0n);
    expect(events).toMatchObject([
      {
        name: 'CompletePumpAmmMigrationEvent',
        fields: {
          mint: coin.mint.toBase58(),
          pool: poolOf(coin.mint).toBase58(),
          bonding_curve: curve.address.toBase58(),
          user: chain.key.publicKey.toBase58(),
          mint_amount: BigInt(POOL_SEED_TOKENS),
          sol_amount: BigInt(expected.realQuote),
          pool_migration_fee: BigInt(MIGRATION_FEE_LAMPORTS),
        },
      },
    ]);
  });

  test('is refused before the curve is sold out, to another key, without its signature, and a second time', () => {
    const { key } = chain;
    const open = listedWithTrader(chain, {});
    const migrate = (mint: PublicKey) => migrateInstructions(mint, key.publicKey);
    expect(codeOf(chain.send([key], migrate(open.coin.mint)).err)).toBe('6006');
    chain.send([open.user], [buyExactQuoteIn(open.trade, 100_000_000_000n, 1n)]);
    const thief = Keypair.generate();
    chain.fund(thief.publicKey, 10_000_000_000n);
    expect(codeOf(chain.send([thief], migrateInstructions(open.coin.mint, thief.publicKey)).err)).toBe('6000');
    const unsigned = migrate(open.coin.mint).at(-1) ?? expect.fail();
    for (const account of unsigned.keys) account.isSigner = false;
    expect(codeOf(chain.send([thief], [unsigned]).err)).toBe('3010');
    expect(chain.send([key], migrate(open.coin.mint)).err).toBeNull();
    const reserves = solventPool(open.coin.mint);
    expect(codeOf(chain.send([key], migrate(open.coin.mint)).err)).toBe('6001');
    expect(solventPool(open.coin.mint)).toEqual(reserves);
  });

  test('takes place although the address of the pool was sent SOL before', () => {
    const { coin, user, trade } = listedWithTrader(chain, {});
    chain.fund(poolOf(coin.mint), 1_000_000_000n);
    chain.send([user], [buyExactQuoteIn(trade, 100_000_000_000n, 1n)]);
    expect(chain.send([chain.key], migrateInstructions(coin.mint, chain.key.publicKey)).err).toBeNull();
    const { lamports, reserves } = chain.pool(coin.mint);
    expect(lamports).toBeGreaterThan(reserves.realQuote);
  });

  test('is refused for a curve that holds less than the fee', () => {
    const reserves = { ...CURVE_START, realToken: 0, realQuote: MIGRATION_FEE_LAMPORTS };
    const { coin } = listedWithTrader(chain, { reserves });
    expect(codeOf(chain.send([chain.key], migrateInstructions(coin.mint, chain.key.publicKey)).err)).toBe('6012');
  });

  test('ends trades on the curve', () => {
    const { user, trade } = graduated(chain);
    for (const instruction of [buyExactQuoteIn(trade, 1_000_000n, 1n), sellTokens(trade, 1_000_000n, 1n)]) {
      expect(codeOf(chain.send([user], [instruction]).err)).toBe('6005');
    }
  });
});

/** A wallet whose trades return their error and the change of its SOL; the fee of the network is paid by another one. */
function traderOf(coin: Coin, user: Keypair = chain.trader(coin.mint, 5_000n)) {
  return {
    held: () => Number(chain.tokens(user.publicKey, coin.mint)),
    trade(side: 'buy' | 'sell', amountIn: number, leastOut: number) {
      const before = chain.balance(user.publicKey);
      const swap = { side, amountIn: BigInt(amountIn), leastOut: BigInt(leastOut) };
      const { err, events } = chain.send([chain.key, user], [swapOf(coin, user.publicKey, swap)]);
      return { err, events, change: Number(chain.balance(user.publicKey) - before) };
    },
  };
}
type Trader = ReturnType<typeof traderOf>;

/** Buys with exactly the expected tokens as least, and returns the expected reserves afterwards. */
function checkedBuy(pool: Reserves, trader: Trader, lamports: number): Reserves {
  const expected = poolPurchase(pool, lamports, poolFeesAt(pool));
  const held = trader.held();
  const { err, change } = trader.trade('buy', lamports, expected?.tokens ?? 0);
  if (!expected) {
    expect(codeOf(err)).toBe('6020');
    return pool;
  }
  expect(err).toBeNull();
  expect(-change).toBe(expected.quote + totalPoolFee(expected.fees));
  expect(trader.held() - held).toBe(expected.tokens);
  const { quote, tokens, fees } = expected;
  return afterPoolTrade(pool, 'buy', { quote, tokens, providerFee: fees.provider });
}

/** Sells with exactly the expected SOL as least, and returns the expected reserves afterwards. */
function checkedSale(pool: Reserves, trader: Trader, tokens: number): Reserves {
  const expected = poolSale(pool, tokens, poolFeesAt(pool));
  if (!expected) {
    expect(['6004', '6022']).toContain(codeOf(trader.trade('sell', tokens, 0).err));
    return pool;
  }
  const { quote, fees } = expected;
  const left = quote - totalPoolFee(fees);
  expect(trader.trade('sell', tokens, left)).toMatchObject({ err: null, change: left });
  return afterPoolTrade(pool, 'sell', { quote, tokens, providerFee: fees.provider });
}

describe('trades in a pool', () => {
  test('print the events of PumpSwap, with the reserves before the trade and all fees', () => {
    const { coin, user } = graduated(chain);
    const pool = solventPool(coin.mint);
    const bought = poolPurchase(pool, 2 * LAMPORTS_PER_SOL, poolFeesAt(pool)) ?? expect.fail();
    const trader = traderOf(coin, user);
    const purchase = trader.trade('buy', 2 * LAMPORTS_PER_SOL, bought.tokens);
    const between = solventPool(coin.mint);
    const sold = poolSale(between, bought.tokens, poolFeesAt(between)) ?? expect.fail();
    const sale = trader.trade('sell', bought.tokens, 7);
    const shared = {
      pool: poolOf(coin.mint).toBase58(),
      user: user.publicKey.toBase58(),
      protocol_fee_recipient: FEE_RECIPIENT,
      coin_creator: coin.creator.toBase58(),
    };
    const big = (fields: Record<string, number>) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, BigInt(value)]));
    const feeFields = ({ fees }: typeof bought, rates: typeof bought.fees) =>
      big({
        ...{ lp_fee: fees.provider, protocol_fee: fees.protocol, coin_creator_fee: fees.creator },
        ...{ lp_fee_basis_points: rates.provider, protocol_fee_basis_points: rates.protocol },
        coin_creator_fee_basis_points: rates.creator,
      });
    expect([...purchase.events, ...sale.events]).toMatchObject([
      {
        name: 'BuyEvent',
        fields: {
          ...shared,
          ...feeFields(bought, poolFeesAt(pool)),
          ...big({
            ...{ base_amount_out: bought.tokens, quote_amount_in: bought.quote, max_quote_amount_in: 2e9 },
            ...{ pool_base_token_reserves: pool.realToken, pool_quote_token_reserves: pool.realQuote },
            quote_amount_in_with_lp_fee: bought.quote + bought.fees.provider,
            user_quote_amount_in: bought.quote + totalPoolFee(bought.fees),
            ...{ user_base_token_reserves: 0, user_quote_token_reserves: 0 },
          }),
        },
      },
      {
        name: 'SellEvent',
        fields: {
          ...shared,
          ...feeFields(sold, poolFeesAt(between)),
          ...big({
            ...{ base_amount_in: sold.tokens, quote_amount_out: sold.quote, min_quote_amount_out: 7 },
            ...{ pool_base_token_reserves: between.realToken, pool_quote_token_reserves: between.realQuote },
            quote_amount_out_without_lp_fee: sold.quote - sold.fees.provider,
            user_quote_amount_out: sold.quote - totalPoolFee(sold.fees),
          }),
        },
      },
    ]);
  });

  test('of the crowd use SOL and tokens of the launchpad, and name the simulated wallet', () => {
    const { coin } = graduated(chain);
    const { key } = chain;
    const wallet = Keypair.generate().publicKey;
    const pool = solventPool(coin.mint);
    const { quote, tokens, fees } = poolPurchase(pool, LAMPORTS_PER_SOL, poolFeesAt(pool)) ?? expect.fail();
    const buy = swapOf(coin, key.publicKey, { side: 'buy', amountIn: 1_000_000_000n, leastOut: 0n });
    const bought = chain.send([key], [crowdTrade(buy, wallet)]);
    expect(bought).toMatchObject({ err: null, events: [{ name: 'BuyEvent', fields: { user: wallet.toBase58() } }] });
    expect(chain.tokens(key.publicKey, coin.mint)).toBe(BigInt(tokens));
    expect(solventPool(coin.mint)).toEqual(afterPoolTrade(pool, 'buy', { quote, tokens, providerFee: fees.provider }));
    const sell = swapOf(coin, key.publicKey, { side: 'sell', amountIn: BigInt(tokens), leastOut: 0n });
    const sold = chain.send([key], [crowdTrade(sell, wallet)]);
    expect(sold).toMatchObject({ err: null, events: [{ name: 'SellEvent', fields: { user: wallet.toBase58() } }] });
    solventPool(coin.mint);
  });

  test(
    `equal the market's pool maths over ${TRADES} random ones, through all steps of the fees, and stay solvent`,
    () => {
      const amount = fc.oneof(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 400_000_000 }),
        fc.integer({ min: LAMPORTS_PER_SOL, max: 60 * LAMPORTS_PER_SOL }),
      );
      const action = fc.record({
        trader: fc.nat(2),
        isBuy: fc.boolean(),
        amount,
        tokens: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true })),
      });
      const walk = fc.array(action, { minLength: TRADES, maxLength: TRADES });
      fc.assert(
        fc.property(walk, (actions) => {
          const { coin } = graduated(chain);
          const traders = [traderOf(coin), traderOf(coin), traderOf(coin)];
          let pool = solventPool(coin.mint);
          for (const { trader, isBuy, amount: lamports, tokens } of actions) {
            const tradesBy = traders[trader] ?? expect.fail();
            const sold = Number.isInteger(tokens) ? tokens : Math.floor(tokens * tradesBy.held());
            if (isBuy) pool = checkedBuy(pool, tradesBy, lamports);
            else if (sold > 0 && sold <= tradesBy.held()) pool = checkedSale(pool, tradesBy, sold);
            expect(solventPool(coin.mint)).toEqual(pool);
          }
        }),
        { numRuns: 1 },
      );
    },
    TRADES * MS_PER_TRADE,
  );

  test('take the fees of every market cap', () => {
    const { coin } = graduated(chain);
    const whale = traderOf(coin, chain.trader(coin.mint, 1_000_000n));
    let pool = solventPool(coin.mint);
    const steps = new Set<number>();
    for (const sol of [...Array.from({ length: 12 }, () => 20), 200, 1_000, 100]) {
      steps.add(totalPoolFee(poolFeesAt(pool)));
      pool = checkedBuy(pool, whale, sol * LAMPORTS_PER_SOL);
      expect(solventPool(coin.mint)).toEqual(pool);
    }
    expect([...steps]).toEqual([125, 120, 115, 110, 105, 100, 65, 30]);
  });
});
