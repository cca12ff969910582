import { Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crowdTrade, type ListedCoin, listInstruction, listingOf } from '../../../api/launchpad/instructions.ts';
import type { Reserves } from '../../../api/market/sources/observation.ts';
import { CURVE_START, POOL_SEED_TOKENS, TOTAL_SUPPLY } from '../../../api/market/sources/simulator/coin/curve.ts';
import { buyExactQuoteIn, sellTokens } from '../../../api/trading/pump/instructions.ts';
import { rounds } from '../../../common/testing/effort.ts';
import {
  afterCurveTrade,
  CURVE_FEES_BPS,
  curveFeeOn,
  curvePurchase,
  curveSale,
  quoteForSale,
  quoteForTokens,
} from '../../../common/tokens/curve-trades.ts';
import { buildProgram, hasCompiler } from './build.ts';
import { launchpadProgram } from './launchpad.ts';
import { LAUNCHPAD_DEFLATED } from './launchpad-binary.ts';
import { codeOf, createLaunchpadChain, listedWithTrader, newMint } from './testing/launchpad-chain.ts';

/** Trades of the random walk, which limit its time. */
const TRADES = rounds(1_000);
const MS_PER_TRADE = 100;
const ACCUMULATOR_RENT = 1_844_400;
const BUY_V2 = 'b817ee6167c5d33d';

const chain = createLaunchpadChain();
const FEES = CURVE_FEES_BPS;

const listed = (reserves: Reserves = CURVE_START) => listedWithTrader(chain, { reserves });

/** Expects that the curve holds what it owes: lamports for its quote, tokens for its reserves and the later pool. */
function expectSolvent(mint: PublicKey): void {
  const { address, reserves, lamports } = chain.curve(mint);
  expect(lamports).toBe(reserves.realQuote);
  expect(chain.tokens(address, mint)).toBe(BigInt(reserves.realToken + POOL_SEED_TOKENS));
}

/** A wallet whose trades return their error and the change of its SOL; the fee of the network is paid by another one. */
function traderOf(coin: ListedCoin) {
  const user = chain.trader(coin.mint);
  const trade = chain.tradeOf(coin, user.publicKey);
  // Made once: deriving the accounts takes longer than the trade.
  const instructions = { buy: buyExactQuoteIn(trade, 0n, 0n), sell: sellTokens(trade, 0n, 0n) };
  return {
    held: () => Number(chain.tokens(user.publicKey, coin.mint)),
    trade(side: 'buy' | 'sell', amount: number, limit: number) {
      const { data } = instructions[side];
      data.writeBigUInt64LE(BigInt(amount), 8);
      data.writeBigUInt64LE(BigInt(limit), 16);
      const before = chain.balance(user.publicKey);
      const { err } = chain.send([chain.key, user], [instructions[side]]);
      return { err, change: Number(chain.balance(user.publicKey) - before) };
    },
  };
}
type Trader = ReturnType<typeof traderOf>;

/** Buys with exactly the expected tokens as least, and returns the expected reserves afterwards. */
function checkedBuy(reserves: Reserves, trader: Trader, lamports: number): Reserves {
  const expected = curvePurchase(reserves, lamports, FEES);
  const { err, change } = trader.trade('buy', lamports, expected?.tokens ?? 0);
  if (!expected) {
    expect(codeOf(err)).toBe('6020');
    return reserves;
  }
  expect(err).toBeNull();
  const cost = expected.quote + expected.fee;
  // The first purchase of a wallet pays for its accumulator.
  expect([cost, cost + ACCUMULATOR_RENT]).toContain(-change);
  return afterCurveTrade(reserves, 'buy', expected.quote, expected.tokens);
}

/** Sells a share, percent, with exactly the expected SOL as least, and returns the expected reserves afterwards. */
function checkedSale(reserves: Reserves, trader: Trader, share: number): Reserves {
  const tokens = Math.floor((trader.held() * share) / 100);
  const expected = curveSale(reserves, tokens, FEES);
  if (!expected) return reserves;
  const left = expected.quote - expected.fee;
  expect(trader.trade('sell', tokens, left)).toEqual({ err: null, change: left });
  return afterCurveTrade(reserves, 'sell', expected.quote, tokens);
}

describe('the program', () => {
  test('is the one that the source makes, within 10 kB', (context) => {
    expect(launchpadProgram().length).toBeLessThanOrEqual(10_000);
    if (!hasCompiler()) context.skip('needs clang-14');
    expect(buildProgram().equals(launchpadProgram())).toBe(true);
  });

  test('is refused when a byte differs', () => {
    // A byte near the end, and one without which nothing can be unpacked.
    for (const at of [LAUNCHPAD_DEFLATED.length - 20, 1]) {
      const other = LAUNCHPAD_DEFLATED[at] === 'A' ? 'B' : 'A';
      const changed = LAUNCHPAD_DEFLATED.slice(0, at) + other + LAUNCHPAD_DEFLATED.slice(at + 1);
      expect(() => launchpadProgram(changed)).toThrow(/differs/);
    }
  });
});

describe('a listed coin', () => {
  test('starts with its reserves and without a mint authority', () => {
    const { coin } = listed();
    expect(chain.curve(coin.mint)).toMatchObject({ reserves: CURVE_START, isComplete: false });
    const mint = chain.engine.account(coin.mint.toBase58());
    expect(mint?.data.readBigUInt64LE(36)).toBe(BigInt(TOTAL_SUPPLY));
    expect(mint?.data.readUInt32LE(0)).toBe(0);
    expectSolvent(coin.mint);
  });

  test('continues with the reserves of its simulated life, and the launchpad keeps what others hold', () => {
    const bought = 100_000_000_000_000;
    const reserves = afterCurveTrade(CURVE_START, 'buy', quoteForTokens(CURVE_START, bought), bought);
    const { coin } = listed(reserves);
    expect(chain.curve(coin.mint).reserves).toEqual(reserves);
    expect(chain.tokens(chain.key.publicKey, coin.mint)).toBe(BigInt(bought));
    expectSolvent(coin.mint);
  });

  test('can be listed although its address was sent SOL before', () => {
    const coin = { ...listed().coin, ...newMint() };
    const curve = listInstruction(coin, chain.key.publicKey).keys[2]?.pubkey ?? expect.fail();
    chain.fund(curve, 1_000_000_000n);
    expect(chain.send([chain.key, chain.base], listingOf(coin, chain.key.publicKey)).err).toBeNull();
  });
});

describe('a trade of the crowd', () => {
  test('is computed by the curve with SOL and tokens of the launchpad, and its event names the simulated wallet', () => {
    const { coin } = listed();
    const { key } = chain;
    const trade = chain.tradeOf(coin, key.publicKey);
    const wallet = Keypair.generate().publicKey;
    const expected = curvePurchase(CURVE_START, 3_000_000_000, FEES) ?? expect.fail();
    const bought = chain.send([key], [crowdTrade(buyExactQuoteIn(trade, 3_000_000_000n, 0n), wallet)]);
    expect(bought.err).toBeNull();
    expect(bought.size).toBeLessThanOrEqual(1_232);
    const reserves = afterCurveTrade(CURVE_START, 'buy', expected.quote, expected.tokens);
    expect(chain.curve(coin.mint).reserves).toEqual(reserves);
    expect(chain.tokens(key.publicKey, coin.mint)).toBe(BigInt(expected.tokens));
    expectSolvent(coin.mint);
    const half = Math.floor(expected.tokens / 2);
    const sold = chain.send([key], [crowdTrade(sellTokens(trade, BigInt(half), 0n), wallet)]);
    expect(sold.err).toBeNull();
    expect(chain.curve(coin.mint).reserves).toEqual(
      afterCurveTrade(reserves, 'sell', quoteForSale(reserves, half), half),
    );
    expect(chain.tokens(key.publicKey, coin.mint)).toBe(BigInt(expected.tokens - half));
    expectSolvent(coin.mint);
    expect([...bought.events, ...sold.events]).toMatchObject([
      { fields: { user: wallet.toBase58(), is_buy: true, ix_name: 'buy_exact_quote_in_v2' } },
      { fields: { user: wallet.toBase58(), is_buy: false, token_amount: BigInt(half), ix_name: 'sell_v2' } },
    ]);
  });

  test('completes the curve like any other', () => {
    const { coin } = listed();
    const buy = buyExactQuoteIn(chain.tradeOf(coin, chain.key.publicKey), 100_000_000_000n, 0n);
    const wallet = Keypair.generate().publicKey;
    const { events } = chain.send([chain.key], [crowdTrade(buy, wallet)]);
    expect(events).toMatchObject([
      { name: 'TradeEvent' },
      { name: 'CompleteEvent', fields: { user: wallet.toBase58() } },
    ]);
    expect(codeOf(chain.send([chain.key], [crowdTrade(buy, wallet)]).err)).toBe('6005');
    expectSolvent(coin.mint);
  });
});

describe('trades', () => {
  test('buy for 3 SOL what a recorded purchase on mainnet brought, and print its event', () => {
    const { coin, user, trade } = listed();
    const before = chain.balance(user.publicKey);
    const { err, events, size } = chain.send(
      [chain.key, user],
      [buyExactQuoteIn(trade, 3_000_000_000n, 96_449_438_144_093n)],
    );
    expect(err).toBeNull();
    expect(size).toBeLessThanOrEqual(1_232);
    expect(chain.tokens(user.publicKey, coin.mint)).toBe(96_449_438_144_093n);
    const [quote, fee, creatorFee] = [2_962_962_962n, 28_148_149n, 8_888_889n];
    expect(before - chain.balance(user.publicKey)).toBe(quote + fee + creatorFee + BigInt(ACCUMULATOR_RENT));
    const { reserves } = chain.curve(coin.mint);
    expect(events).toEqual([
      {
        name: 'TradeEvent',
        fields: expect.objectContaining({
          mint: coin.mint.toBase58(),
          user: user.publicKey.toBase58(),
          creator: coin.creator.toBase58(),
          is_buy: true,
          sol_amount: quote,
          quote_amount: quote,
          token_amount: 96_449_438_144_093n,
          fee,
          creator_fee: creatorFee,
          virtual_sol_reserves: BigInt(reserves.virtualQuote),
          virtual_token_reserves: BigInt(reserves.virtualToken),
          real_quote_reserves: quote,
          real_token_reserves: BigInt(reserves.realToken),
          ix_name: 'buy_exact_quote_in_v2',
          shareholders: [],
        }),
      },
    ]);
    expectSolvent(coin.mint);
  });

  test('complete the curve with its last token', () => {
    const { coin, user, trade } = listed();
    const { err, events } = chain.send([user], [buyExactQuoteIn(trade, 100_000_000_000n, 1n)]);
    expect(err).toBeNull();
    expect(events.map(({ name }) => name)).toEqual(['TradeEvent', 'CompleteEvent']);
    expect(chain.curve(coin.mint)).toMatchObject({ isComplete: true, reserves: { realToken: 0 } });
    expectSolvent(coin.mint);
    for (const instruction of [buyExactQuoteIn(trade, 1_000_000n, 1n), sellTokens(trade, 1_000_000n, 1n)]) {
      expect(codeOf(chain.send([user], [instruction]).err)).toBe('6005');
    }
  });

  test('buy an exact amount for at most a limit', () => {
    const { coin, user, trade } = listed();
    const quote = quoteForTokens(CURVE_START, 5_000_000_000_000);
    const exact = (limit: number): TransactionInstruction => {
      const instruction = buyExactQuoteIn(trade, 5_000_000_000_000n, BigInt(limit));
      instruction.data.write(BUY_V2, 'hex');
      return instruction;
    };
    const cost = quote + curveFeeOn(quote, FEES);
    expect(codeOf(chain.send([user], [exact(cost - 1)]).err)).toBe('6002');
    expect(chain.send([user], [exact(cost)]).err).toBeNull();
    expect(chain.curve(coin.mint).reserves).toEqual(afterCurveTrade(CURVE_START, 'buy', quote, 5_000_000_000_000));
  });

  test(
    `equal the market's curve maths over ${TRADES} random ones, and stay solvent`,
    () => {
      const amount = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 400_000_000 }));
      const action = fc.record({
        trader: fc.nat(2),
        isBuy: fc.boolean(),
        amount,
        share: fc.integer({ min: 1, max: 100 }),
      });
      const walk = fc.array(action, { minLength: TRADES, maxLength: TRADES });
      fc.assert(
        fc.property(walk, (actions) => {
          const { coin } = listed();
          const traders = [traderOf(coin), traderOf(coin), traderOf(coin)];
          let reserves: Reserves = CURVE_START;
          for (const { trader, isBuy, amount: lamports, share } of actions) {
            const tradesBy = traders[trader] ?? expect.fail();
            reserves = isBuy ? checkedBuy(reserves, tradesBy, lamports) : checkedSale(reserves, tradesBy, share);
            expect(chain.curve(coin.mint).reserves).toEqual(reserves);
          }
          expectSolvent(coin.mint);
        }),
        { numRuns: 1 },
      );
    },
    TRADES * MS_PER_TRADE,
  );
});
