import { VersionedTransaction } from '@solana/web3.js';
import { afterAll, describe, expect, test } from 'vitest';
import { CURVE_START } from '../../api/market/sources/simulator/coin/curve.ts';
import type { TradeAsk } from '../../api/trading/executors/executor.ts';
import { createPumpExecutor } from '../../api/trading/executors/pump-executor.ts';
import { createTradingNode } from '../../api/trading/executors/trading-node.ts';
import { HOUR, SECOND } from '../../common/time.ts';
import { CURVE_FEES_BPS, curvePurchase } from '../../common/tokens/curve-trades.ts';
import { privateChain } from '../testing/private-services.ts';
import { listCoin } from './program/testing/listed-coin.ts';
import { FEE, SOL } from './testing/client.ts';
import { createTraders, createTrades, testOrders } from './testing/executor-trades.ts';

const ACCOUNT_RENT = 2_039_280;
const VOLUME_RENT = 1_844_400;

const chain = await privateChain();
const node = createTradingNode({ url: chain.rpcUrl, cluster: 'local', random: Math.random });
const traders = createTraders(chain);
const executor = createPumpExecutor({ mode: 'local', cluster: 'local', node, signer: traders.signer, clock: Date });
const { quoted, signed, verdictOf, traded } = createTrades(executor);

afterAll(() => node.stop());

const trader = (address: string, lamports?: number) => traders.trader(address, lamports);

describe('an order on the local chain', () => {
  test('buys, sells half, sells all, and its fills equal its quotes and the balance to the lamport [O7, T-09, S3-47]', async () => {
    const address = (await listCoin(chain)).toBase58();
    const { wallet, buy, sell, balance } = await trader(address);
    const start = await balance();
    const first = await traded(buy(SOL));
    const expected = curvePurchase(CURVE_START, SOL, CURVE_FEES_BPS) ?? expect.fail();
    expect(first.fill).toMatchObject({
      tokens: BigInt(expected.tokens),
      lamports: first.quote.lamports,
      costs: {
        launchpadFeeLamports: expected.fee,
        networkFeeLamports: FEE,
        priorityFeeLamports: 0,
        accountRentLamports: ACCOUNT_RENT,
        volumeRentLamports: VOLUME_RENT,
        returnedRentLamports: 0,
      },
      price: first.quote.averagePrice,
    });
    expect(first.fill.costs).toEqual(first.quote.costs);
    expect(start - (await balance())).toBe(Number(first.quote.totalLamports) - (SOL - expected.quote - expected.fee));

    const half = first.fill.tokens / 2n;
    const second = await traded(sell(half));
    expect(second.fill).toMatchObject({ tokens: half, lamports: second.quote.lamports, costs: second.quote.costs });
    const third = await traded(sell(first.fill.tokens - half));
    expect(third.fill.costs).toMatchObject({ returnedRentLamports: ACCOUNT_RENT });
    expect(third.fill.costs).toEqual(third.quote.costs);
    const moved = Number(second.fill.lamports + third.fill.lamports - first.fill.lamports);
    // The token account came back; the launchpad's account for the volume stays.
    expect((await balance()) - start).toBe(moved - 3 * FEE - VOLUME_RENT);
    expect(await executor.balances([{ userId: '', wallet, address }])).toEqual([0n]);
  });

  testOrders(executor, traders, async () => (await listCoin(chain)).toBase58());

  test('has the time of its block, not of the look, and none before its first send', async () => {
    const address = (await listCoin(chain)).toBase58();
    const { buy } = await trader(address);
    const sentFrom = Date.now();
    const attempt = await signed(buy(SOL / 10), await quoted(buy(SOL / 10)));
    await executor.send(attempt, true);
    await verdictOf(attempt);
    const landedUntil = Date.now();
    // A process that was away looks an hour later.
    const clock = { now: () => Date.now() + HOUR };
    const late = createPumpExecutor({ mode: 'local', cluster: 'local', node, signer: traders.signer, clock });
    const timeOf = async (firstSentAt: number | null): Promise<number> => {
      const verdict = (await late.look([{ ...attempt, firstSentAt }])).get(attempt.signature);
      return verdict?.outcome === 'landed' ? verdict.fill.at : expect.fail('not landed');
    };
    const inBlock = await timeOf(null);
    expect(inBlock % SECOND).toBe(0);
    expect(inBlock).toBeGreaterThan(sentFrom - SECOND);
    expect(inBlock).toBeLessThanOrEqual(landedUntil);
    expect(await timeOf(inBlock + 1)).toBe(inBlock + 1);
  });

  test('names too little SOL and missing tokens', async () => {
    const address = (await listCoin(chain)).toBase58();
    const { buy, sell } = await trader(address, SOL / 10);
    const ask = buy(SOL);
    const refused = await executor.send(await signed(ask, await quoted(ask)), true);
    expect(refused).toMatchObject({ type: 'refused', reason: { code: 'balance', numbers: { hasLamports: SOL / 10 } } });
    expect(await executor.quote(sell(1n))).toMatchObject({ ok: false, reason: { code: 'no-tokens' } });
  });

  test('has another signature for every name, also with equal amounts in one slot [O2]', async () => {
    const address = (await listCoin(chain)).toBase58();
    const { buy } = await trader(address);
    const quote = await quoted(buy(SOL));
    const [one, other] = await Promise.all([signed(buy(SOL), quote), signed(buy(SOL), quote)]);
    expect(one.signature).not.toBe(other.signature);
  });

  test("that is protected names Jito's key as a plain account, and is traded like others", async () => {
    const address = (await listCoin(chain)).toBase58();
    const { buy, sell } = await trader(address);
    const keysOf = async (ask: TradeAsk) => {
      const { bytes } = await signed(ask, await quoted(ask));
      const { message } = VersionedTransaction.deserialize(Buffer.from(bytes, 'base64'));
      return message.staticAccountKeys.flatMap((key, at) =>
        key.toBase58().startsWith('jitodontfront')
          ? [{ isSigner: message.isAccountSigner(at), isWritable: message.isAccountWritable(at) }]
          : [],
      );
    };
    expect(await keysOf(buy(SOL))).toEqual([]);
    const protectedTrade = { isProtected: true, tipLamports: 10_000, priorityMaxLamports: 100_000 };
    expect(await keysOf(buy(SOL, protectedTrade))).toEqual([{ isSigner: false, isWritable: false }]);
    const { fill } = await traded(buy(SOL, protectedTrade));
    expect((await traded(sell(fill.tokens, protectedTrade))).fill.tokens).toBe(fill.tokens);
  });

  test('is signed by no other wallet than its own', async () => {
    const address = (await listCoin(chain)).toBase58();
    const { buy } = await trader(address);
    const { wallet } = await trader(address);
    const ask = buy(SOL, { wallet });
    expect(await executor.sign(ask, await quoted(ask), 'name', async () => true)).toEqual({
      ok: false,
      reason: { code: 'wallet-changed', numbers: {} },
    });
  });

  test('has no quote for a token without a curve', async () => {
    const { wallet, buy } = await trader('1');
    expect(await executor.quote(buy(SOL, { address: wallet }))).toMatchObject({
      ok: false,
      reason: { code: 'no-depth' },
    });
  });
});
