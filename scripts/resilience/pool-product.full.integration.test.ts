import { randomUUID } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { stageSchema } from '../../common/tokens/model.ts';
import { slippageBounds } from '../../common/trading/account.ts';
import { isFinal } from '../../common/trading/machine.ts';
import { type Order, orderSchema, quoteResponseSchema, tradeWarningSchema } from '../../common/trading/order.ts';
import { startJupiterEmulator } from '../jupiter-emulator/emulator.ts';
import { buyOut } from '../local-chain/program/testing/listed-coin.ts';
import { SOL } from '../local-chain/testing/client.ts';
import { privateChain } from '../testing/private-services.ts';
import { chainVariable, productScene } from './product.ts';
import {
  createTrader,
  enter,
  expectWholeTruth,
  ordersOf,
  placeTwice,
  type Trader,
  type TradingSession,
} from './trader.ts';

/** A move into a pool takes up to eight seconds, on a busy machine more. */
const LONG = { timeout: 60_000, interval: 100 };

const chain = await privateChain();
const emulator = await startJupiterEmulator(chain);
afterAll(() => emulator.stop());
const { start } = await productScene({
  ...chainVariable(chain, emulator.url),
  MARKET_RATE: '60',
  MARKET_SEED: '11',
});

/** Coins of the list that are tried: quotes are limited to a few a second. */
const TRIED = 3;

const tokenSchema = z.object({ address: z.string(), stage: stageSchema, creatorAddress: z.string().nullable() });

/** Resolves with an order of the trader once it is over. */
async function over(session: TradingSession, placed: Order | null): Promise<Order> {
  const { id } = placed ?? expect.fail('refused');
  return vi.waitFor(async () => {
    const order = (await ordersOf(session)).find((one) => one.id === id);
    return order && isFinal(order.status) ? order : expect.fail(order?.status);
  }, LONG);
}

/** Most orders until one is confirmed: others trade the coin, and may move its price beyond half of it. */
const TRIES = 5;

/** Expects that an order has ended because its price moved, and none of its attempts for another reason. */
function expectMoved({ attempts, failure }: Order): void {
  expect(attempts.map((attempt) => attempt.failure?.code)).toEqual(attempts.map(() => 'slippage'));
  expect(['slippage', 'impact', 'tries-used']).toContain(failure?.code);
}

/** Trades in the pool; again when the price had moved too far. Resolves with the confirmed order. */
async function tradedInPool(
  trader: Trader,
  session: TradingSession,
  asked: Parameters<typeof placeTwice>[2],
): Promise<Order> {
  for (let tries = 1; ; tries += 1) {
    const order = await over(session, await placeTwice(trader, session, asked));
    if (order.status === 'confirmed') return order;
    // Jupiter's way brought too little by then, and nothing was signed.
    if (order.failure?.code !== 'route-shortfall') expectMoved(order);
    expect(tries).toBeLessThan(TRIES);
  }
}

/** Buys for 0.05 SOL with the default slippage, while others trade the coin. The price may move beyond it; the order ends. */
async function expectBoughtByDefault(session: TradingSession, address: string): Promise<void> {
  const asked = { side: 'buy', address, lamports: SOL / 20, mode: 'local', from: 'page' };
  const accept = tradeWarningSchema.options;
  const response = await session.post('/api/trading/orders', { ...asked, accept, clientId: randomUUID() });
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  const order = await over(session, orderSchema.parse(body));
  expect(order.slippageBps).toBe(slippageBounds.default);
  if (order.status !== 'confirmed') expectMoved(order);
}

test('a coin bought on its curve, also with the default slippage, is sold in its pool, and the product agrees with the chain to the lamport [T-45]', {
  timeout: 240_000,
}, async () => {
  const { url } = await start();
  const trader = await createTrader(url, chain, 'trader');
  const session = enter(url, trader);
  const read = async (address: string) =>
    tokenSchema.parse(await (await session.get(`/api/tokens/address/${address}`)).json());
  const quoted = async (address: string) => {
    const response = await session.get(`/api/trading/quote?address=${address}&side=buy&lamports=${SOL / 20}`);
    return quoteResponseSchema.parse(await response.json());
  };
  const { address, creatorAddress } = await vi.waitFor(async () => {
    const listed = z.array(tokenSchema).parse(await (await session.get('/api/tokens?limit=20')).json());
    for (const coin of listed.slice(0, TRIED)) {
      const isTradable = coin.creatorAddress !== null && (await quoted(coin.address)).refusal === null;
      if (isTradable) return coin;
    }
    return expect.fail('no coin yet');
  }, LONG);
  const first = await over(session, await placeTwice(trader, session, { side: 'buy', address, lamports: SOL / 20 }));
  expect(first).toMatchObject({ status: 'confirmed', failure: null });
  await expectBoughtByDefault(session, address);

  await buyOut(chain, new PublicKey(address), new PublicKey(creatorAddress ?? ''));
  await vi.waitFor(async () => expect((await read(address)).stage).toBe('pool'), LONG);
  expect(await quoted(address)).toMatchObject({
    refusal: null,
    quote: { venue: 'pool', costs: { volumeRentLamports: 0 } },
  });

  const before = emulator.count();
  const bought = await tradedInPool(trader, session, { side: 'buy', address, lamports: SOL / 20 });
  expect(bought.fill?.costs.launchpadFeeLamports).toBeGreaterThan(0);
  await tradedInPool(trader, session, { side: 'sell', address, sharePercent: 50 });
  await tradedInPool(trader, session, { side: 'sell', address, sharePercent: 100 });
  expect(emulator.count()).toBeGreaterThanOrEqual(before + 3);
  await vi.waitFor(async () => {
    const open = await session.get('/api/trading/orders?state=open');
    expect(await open.json()).toEqual([]);
  }, LONG);
  await expectWholeTruth(chain, trader, session, await ordersOf(session));
});
