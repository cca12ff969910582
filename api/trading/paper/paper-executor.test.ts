import { describe, expect, test } from 'vitest';
import { CURVE_FEES_BPS, curvePurchase, curveSale, type TradedReserves } from '../../../common/tokens/curve-trades.ts';
import { poolFeesAt, poolPurchase, poolSale, totalPoolFee } from '../../../common/tokens/pool-trades.ts';
import { PAPER_START_LAMPORTS } from '../../../common/trading/account.ts';
import type { SentAttempt, TradeAsk, TradeQuote } from '../executors/executor.ts';
import { tradeAsk } from '../testing/order-record.ts';
import { createPaperScene, PAPER_USER, PAPER_WALLET, type PaperScene } from '../testing/paper-scene.ts';
import { delaysOf, PAPER_DELAY_MS } from './paper-delay.ts';

const SOL = 1_000_000_000;
const ADDRESS = 'coin';
const ACCOUNT_RENT = 1_488_440;
const VOLUME_RENT = 1_346_200;
const START = {
  virtualQuote: 30 * SOL,
  virtualToken: 1_073_000_000_000_000,
  realQuote: 0,
  realToken: 793_100_000_000_000,
};
const RISEN = { ...START, virtualQuote: 33 * SOL, virtualToken: 975_454_545_454_545, realQuote: 3 * SOL };

const ask = (fields: Partial<TradeAsk>) =>
  tradeAsk({ userId: PAPER_USER, wallet: PAPER_WALLET, address: ADDRESS, priorityMaxLamports: 1_000_000, ...fields });
const buy = (lamports: number) => ask({ lamports: BigInt(lamports) });
const sell = (tokens: bigint) => ask({ side: 'sell', lamports: null, tokens });
const scene = (fields: { samples?: readonly number[] } = {}) =>
  createPaperScene({ address: ADDRESS, reserves: START, ...fields });

async function quoted({ executor }: PaperScene, ask: TradeAsk): Promise<TradeQuote> {
  const quote = await executor.quote(ask);
  return quote.ok ? quote.value : expect.fail(quote.reason.code);
}

async function filled(on: PaperScene, ask: TradeAsk) {
  const { verdict } = await on.traded(ask, await quoted(on, ask));
  return verdict.outcome === 'landed' ? verdict.fill : expect.fail(verdict.outcome);
}

/** Sends a purchase that may move the price by 30 %. */
async function sentPurchase(on: PaperScene): Promise<SentAttempt> {
  const purchase = { ...buy(SOL), slippageBps: 3_000 };
  return on.sent(purchase, await quoted(on, purchase));
}

/** Expects that an attempt is filled at some reserves, at a time (epoch ms). */
async function expectFilled(on: PaperScene, attempt: SentAttempt, reserves: TradedReserves, at: number) {
  const expected = curvePurchase(reserves, SOL, CURVE_FEES_BPS) ?? expect.fail();
  const verdicts = await on.executor.look([attempt]);
  expect(verdicts.get(attempt.signature)).toMatchObject({
    outcome: 'landed',
    fill: { tokens: BigInt(expected.tokens), slot: null, at },
  });
  return verdicts;
}

describe('a trade on paper', () => {
  test('costs by name what it would cost on the chain [T-16, S3-48]', async () => {
    const quote = await quoted(scene(), buy(SOL));
    const expected = curvePurchase(START, SOL, CURVE_FEES_BPS) ?? expect.fail();
    expect(quote).toMatchObject({
      tokens: BigInt(expected.tokens),
      lamports: BigInt(expected.quote + expected.fee),
      costs: {
        launchpadFeeLamports: expected.fee,
        networkFeeLamports: 5_000,
        priorityFeeLamports: 100_000,
        tipLamports: 0,
        accountRentLamports: ACCOUNT_RENT,
        volumeRentLamports: VOLUME_RENT,
        returnedRentLamports: 0,
      },
      totalLamports: BigInt(SOL + 105_000 + ACCOUNT_RENT + VOLUME_RENT),
      walletLamports: BigInt(PAPER_START_LAMPORTS),
      walletTokens: 0n,
      slot: null,
    });
  });

  test('pays rent once and gets it back with the last token, whatever the network asks by then', async () => {
    const on = scene();
    const { tokens, costs } = await filled(on, buy(SOL));
    expect(costs).toMatchObject({ accountRentLamports: ACCOUNT_RENT, volumeRentLamports: VOLUME_RENT });
    on.setRent(2_575);
    const more = await filled(on, buy(SOL));
    expect(more.costs).toMatchObject({ accountRentLamports: 0, volumeRentLamports: 0 });
    const half = await filled(on, sell(tokens));
    expect(half.costs.returnedRentLamports).toBe(0);
    expect((await filled(on, sell(more.tokens))).costs.returnedRentLamports).toBe(ACCOUNT_RENT);
  });

  test('returns all but the fees when the same amount is sold at an unchanged market', async () => {
    const on = scene();
    const bought = await filled(on, buy(SOL));
    const net = Number(bought.lamports) - (bought.costs.launchpadFeeLamports ?? expect.fail());
    const sold = await filled(on, sell(bought.tokens));
    const back = Number(sold.lamports) + (sold.costs.launchpadFeeLamports ?? expect.fail());
    expect(net - back).toBeGreaterThanOrEqual(0);
    expect(net - back).toBeLessThanOrEqual(2);
    // Without the own purchase in the reserves, the sale would have a second impact.
    const alone = curveSale(START, Number(bought.tokens), CURVE_FEES_BPS);
    expect(alone).toBeNull();
  });

  test('is filled at the reserves in force after the delay, and not before [T-16]', async () => {
    const on = scene();
    const attempt = await sentPurchase(on);
    on.advance(PAPER_DELAY_MS - 1);
    expect((await on.executor.look([attempt])).size).toBe(0);
    on.set({ reserves: RISEN });
    on.advance(1);
    await expectFilled(on, attempt, RISEN, on.now());
  });

  test('is filled at its due time, whatever the price does until it is looked at [T-29]', async () => {
    const on = scene();
    const attempt = await sentPurchase(on);
    const dueAt = on.now() + PAPER_DELAY_MS;
    on.advance(PAPER_DELAY_MS);
    on.set({ reserves: RISEN });
    on.advance(1);
    on.set({ reserves: START, stage: 'complete' });
    on.advance(5_000);
    const first = await expectFilled(on, attempt, RISEN, dueAt);
    on.set({ reserves: { ...START, virtualQuote: 60 * SOL }, stage: 'curve' });
    on.advance(20_000);
    expect(await on.executor.look([attempt])).toEqual(first);
  });

  test('waits until the market knows every price of its due time [T-29]', async () => {
    const on = scene();
    const attempt = await on.sent(buy(SOL), await quoted(on, buy(SOL)));
    const dueAt = on.now() + PAPER_DELAY_MS;
    on.advance(PAPER_DELAY_MS + 50);
    on.setMerged(dueAt);
    expect((await on.executor.look([attempt])).size).toBe(0);
    on.setMerged(dueAt + 1);
    expect((await on.executor.look([attempt])).size).toBe(1);
  });

  test('is filled at the present reserves after a restart, which has lost those of its due time', async () => {
    const on = scene();
    const attempt = await sentPurchase(on);
    on.advance(PAPER_DELAY_MS + 3_000);
    on.set({ reserves: RISEN });
    on.forgetPrices();
    await expectFilled(on, attempt, RISEN, on.now());
  });

  test('follows the earlier ones of the same coin, whose verdicts one look may give together [T-29]', async () => {
    const on = scene();
    const ask = { ...buy(SOL), slippageBps: 3_000 };
    const quote = await quoted(on, ask);
    const attempts = [await on.sent(ask, quote), await on.sent(ask, quote)];
    on.advance(PAPER_DELAY_MS);
    expect((await on.executor.look(attempts.slice(1))).size).toBe(0);
    const first = await on.executor.look(attempts);
    expect([...first.keys()]).toEqual(attempts.map(({ signature }) => signature));
    // One whose verdict was not stored keeps it.
    expect(await on.looked(attempts.toReversed())).toEqual(first);
    const [one, other] = [...first.values()].map((verdict) =>
      verdict.outcome === 'landed' ? verdict.fill : expect.fail(verdict.outcome),
    );
    expect(other?.tokens).toBeLessThan(one?.tokens ?? 0n);
    expect([one?.costs.volumeRentLamports, other?.costs.volumeRentLamports]).toEqual([VOLUME_RENT, 0]);

    // Everything is there only once. The second sale waits for the position after the first one.
    const all = { ...sell(on.held()), slippageBps: 5_000 };
    const wholeQuote = await quoted(on, all);
    const sales = [await on.sent(all, wholeQuote), await on.sent(all, wholeQuote)];
    on.advance(PAPER_DELAY_MS);
    expect([...(await on.looked(sales)).values()]).toMatchObject([{ outcome: 'landed' }]);
    const later = await on.looked(sales.slice(1));
    expect([...later.values()]).toMatchObject([{ outcome: 'reverted', reason: { code: 'no-tokens' } }]);
  });

  test('reverts beyond its slippage, and has paid the network', async () => {
    const on = scene();
    const quote = await quoted(on, buy(SOL));
    on.set({ reserves: RISEN });
    expect((await on.traded(buy(SOL), quote)).verdict).toEqual({
      outcome: 'reverted',
      reason: { code: 'slippage', numbers: { slippageBps: 500 } },
      feeLamports: 105_000,
      slot: null,
    });
    expect(on.held()).toBe(0n);
  });

  test('reverts when the curve completed before it was filled', async () => {
    const on = scene();
    const quote = await quoted(on, buy(SOL));
    on.set({ stage: 'complete' });
    expect((await on.traded(buy(SOL), quote)).verdict).toMatchObject({ reason: { code: 'between-venues' } });
  });
});

describe('a trade on paper in a pool', () => {
  const POOL = {
    virtualQuote: 85 * SOL,
    virtualToken: 206_900_000_000_000,
    realQuote: 85 * SOL,
    realToken: 206_900_000_000_000,
  };
  const inPool = { stage: 'pool', reservesVenue: 'pool', reserves: POOL } as const;

  test('is filled by the formulas and with the fees of the pool [T-16, T-45]', async () => {
    const on = scene();
    on.set(inPool);
    const fees = poolFeesAt(POOL);
    const bought = await filled(on, buy(SOL));
    const purchase = poolPurchase(POOL, SOL, fees) ?? expect.fail();
    expect(bought).toMatchObject({
      tokens: BigInt(purchase.tokens),
      lamports: BigInt(purchase.quote + totalPoolFee(purchase.fees)),
      costs: {
        launchpadFeeLamports: totalPoolFee(purchase.fees),
        accountRentLamports: ACCOUNT_RENT,
        volumeRentLamports: 0,
      },
    });
    const sold = await filled(on, sell(bought.tokens));
    const sale = poolSale(POOL, purchase.tokens, fees) ?? expect.fail();
    expect(sold).toMatchObject({
      lamports: BigInt(sale.quote - totalPoolFee(sale.fees)),
      costs: { launchpadFeeLamports: totalPoolFee(sale.fees) },
    });
  });

  test('sells tokens that were bought on the curve, also more than the pool has', async () => {
    const on = scene();
    const { tokens } = await filled(on, { ...buy(8 * SOL), slippageBps: 5_000 });
    on.set({ ...inPool, reserves: { ...POOL, virtualToken: 100_000_000_000_000, realToken: 100_000_000_000_000 } });
    expect(tokens).toBeGreaterThan(100_000_000_000_000n);
    const sold = await filled(on, { ...sell(tokens), slippageBps: 9_000 });
    expect(Number(sold.lamports)).toBeGreaterThan(40 * SOL);
  });
});

describe('no trade on paper', () => {
  test.each([
    [{ quote: 'USDC' }, 'not-sol'],
    [{ stage: 'complete' }, 'between-venues'],
    [{ stage: 'pool' }, 'no-depth'],
    [{ reservesVenue: 'pool' }, 'no-depth'],
    [{ reserves: null }, 'no-depth'],
    [{ decimals: null }, 'no-depth'],
    [{ launchpad: 'launchlab' }, 'no-depth'],
  ] as const)('of a coin with %j: %s', async (fields, code) => {
    const on = scene();
    on.set(fields);
    expect(await on.executor.quote(buy(SOL))).toMatchObject({ ok: false, reason: { code } });
  });

  test('sells more than is held', async () => {
    const on = scene();
    expect(await on.executor.quote(sell(1n))).toMatchObject({ reason: { code: 'no-tokens' } });
    const { tokens } = await filled(on, buy(SOL));
    expect(await on.executor.quote(sell(tokens + 1n))).toMatchObject({ reason: { code: 'no-tokens' } });
    const pair = { userId: PAPER_USER, wallet: PAPER_WALLET, address: ADDRESS };
    expect(await on.executor.balances([pair, { ...pair, address: 'other' }])).toEqual([tokens, 0n]);
  });
});

describe('the delay', () => {
  const samples = Array.from({ length: 50 }, (_, index) => 400 + 10 * index);

  test('follows real orders once there are enough', () => {
    expect(delaysOf(samples.slice(1))).toEqual({ p50: PAPER_DELAY_MS, p90: PAPER_DELAY_MS });
    expect(delaysOf(samples)).toEqual({ p50: 650, p90: 850 });
  });

  test('is between their median and 90th percentile, and the same one however often it is asked for', async () => {
    const on = scene({ samples });
    const attempt = await on.sent(buy(SOL), await quoted(on, buy(SOL)));
    on.advance(650 - 1);
    expect((await on.executor.look([attempt])).size).toBe(0);
    on.advance(850 - 650 + 1);
    const first = await on.executor.look([attempt]);
    expect(first.size).toBe(1);
    expect(await on.executor.look([attempt])).toEqual(first);
  });
});
