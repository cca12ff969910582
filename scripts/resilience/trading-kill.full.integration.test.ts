import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { noteProof } from '../../api/testing/proof.ts';
import { sized } from '../../common/testing/effort.ts';
import { tokenSchema } from '../../common/tokens/model.ts';
import { orderSchema } from '../../common/trading/order.ts';
import { curveRefusal } from '../../common/trading/venue.ts';
import { privateChain } from '../testing/private-services.ts';
import { addPlans, expectOnce, ordersOfPlans, sellEverything, switchPlans } from './planner.ts';
import { chainVariable, type Product, productScene } from './product.ts';
import {
  createTrader,
  enter,
  expectWholeTruth,
  ordersOf,
  placeTwice,
  type Trader,
  type TradingSession,
  WIDE_LIMITS,
} from './trader.ts';

/** Each round ends with a kill. */
const ROUNDS = sized({ landing: 2, full: 2, soak: 100 });
const TRADERS = 3;
/** Orders of each trader in a round before the kill. */
const ORDERS = 3;
/** Purchases of each trader in a round, at most: times `SELLING_ROUNDS` fewer than the positions that an account may have. */
const ORDERS_MAX = 24;
/** Pause between two orders of a trader, ms, so that orders are under way for as long as a round waits for the plans. */
const ORDER_PAUSE = 200;
const SPENT = 5_000_000;
/** Rounds after which all positions are sold. */
const SELLING_ROUNDS = 4;
/** Kills are spread over this time, ms: a few slots of the test's chain. */
const KILL_SPREAD = 1_000;

// A hundred rounds make more transactions than the chain keeps by default, and each one is compared. A hundred sales at once, on a
// machine that other tests use too, take longer than a blockhash of short slots is valid.
const chain = await privateChain({ historyLimit: 200_000, slotMs: 200 });
const { mongo, start } = await productScene({ ...chainVariable(chain), MARKET_RATE: '60', MARKET_SEED: '11' });

/** Returns the newest coin that trades against SOL on its curve; undefined without one. */
async function newestCoin(session: TradingSession): Promise<string | undefined> {
  const response = await session.get('/api/tokens?limit=10');
  expect(response.status, await response.clone().text()).toBe(200);
  const coins = z
    .array(tokenSchema)
    .parse(await response.json())
    .filter(({ metadata: { quote }, stage }) => curveRefusal({ quote, stage }) === null);
  return coins[0]?.address;
}

/** Buys and sells until the product is gone, or the trader has made the most purchases of a round. */
async function keepTrading(trader: Trader, session: TradingSession): Promise<void> {
  for (let count = 0; count < ORDERS_MAX; ) {
    await pause(ORDER_PAUSE);
    try {
      const address = await newestCoin(session);
      if (address === undefined) continue;
      count += 1;
      const bought = await placeTwice(trader, session, { side: 'buy', address, lamports: SPENT });
      if (bought && count % 2 === 1) await placeTwice(trader, session, { side: 'sell', address, sharePercent: 50 });
    } catch (error) {
      // The connection broke before an acknowledgement.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Kills server, database and chain, in an order that changes from round to round. */
async function killAll(round: number, running: Product): Promise<void> {
  const kills = [running.kill, mongo.kill, chain.kill];
  const first = round % kills.length;
  await Promise.all([...kills.slice(first), ...kills.slice(0, first)].map((kill) => kill()));
}

/** Resolves once the plans of a trader have made this number of orders; earlier ones are kept for good. */
async function plansOrdered(session: TradingSession, count: number): Promise<number> {
  return vi.waitFor(
    async () => {
      const { length } = ordersOfPlans(await ordersOf(session));
      expect(length).toBeGreaterThanOrEqual(count);
      return length;
    },
    { timeout: 60_000, interval: 100 },
  );
}

test('no order is lost or made twice by kill -9 of server, chain and MongoDB while users and plans trade [T-08, T-09, R2]', {
  timeout: 60_000 + ROUNDS * 90_000,
}, async () => {
  let product = await start();
  const { url } = product;
  const traders = await Promise.all(
    Array.from({ length: TRADERS }, (_, index) => createTrader(url, chain, `trader-${index}`)),
  );
  const planner = await createTrader(url, chain, 'planner');
  const everybody = [...traders, planner];
  for (const trader of everybody) {
    const session = enter(url, trader);
    expect((await session.patch('/api/trading/account', { limits: WIDE_LIMITS })).status).toBe(200);
  }
  await addPlans(planner, enter(url, planner));
  let planned = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const running = product;
    const sizes = traders.map(({ acknowledged }) => acknowledged.size);
    const sessions = traders.map((trader) => enter(running.url, trader));
    const trading = traders.map((trader, index) => keepTrading(trader, sessions[index] ?? expect.fail()));
    await vi.waitFor(
      () => {
        for (const [index, { acknowledged, refusal }] of traders.entries()) {
          expect(acknowledged.size, refusal ?? undefined).toBeGreaterThanOrEqual((sizes[index] ?? 0) + ORDERS);
        }
      },
      { timeout: 60_000, interval: 10 },
    );
    planned = await plansOrdered(enter(running.url, planner), planned + 1);
    // Then at any moment of an order: signed, sent, in a block, or in its position.
    await pause((KILL_SPREAD * ((round * 7) % 10)) / 10);
    await killAll(round, running);
    await Promise.all(trading);

    product = await start();
    const plans = enter(product.url, planner);
    // Purchases that were decided before the kill have their orders, and the plans go on.
    planned = await plansOrdered(plans, planned + 1);
    await switchPlans(plans, false);
    for (const trader of everybody) {
      const session = enter(product.url, trader);
      const orders = await vi.waitFor(
        async () => {
          const open = await session.get('/api/trading/orders?state=open');
          expect(z.array(orderSchema).parse(await open.json())).toEqual([]);
          return ordersOf(session);
        },
        { timeout: 60_000, interval: 200 },
      );
      await expectWholeTruth(chain, trader, session, orders);
      expectOnce(orders);
    }
    planned = ordersOfPlans(await ordersOf(plans)).length;
    // Otherwise an account with as many positions as it may have buys nothing in later rounds.
    if (round % SELLING_ROUNDS === SELLING_ROUNDS - 1) {
      for (const trader of everybody) await sellEverything(enter(product.url, trader));
    }
    await switchPlans(plans, true);
  }
  const last = product.url;
  const bought = await Promise.all(everybody.map((trader) => ordersOf(enter(last, trader))));
  const filled = bought.flat().filter(({ fill }) => fill !== null).length;
  expect(filled).toBeGreaterThan(0);
  noteProof('kill -9 of server, chain and MongoDB', { rounds: ROUNDS, filled }, { writesLost: 0, eventsDoubled: 0 });
});
