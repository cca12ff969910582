import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { testConnection } from '../../api/testing/database.ts';
import type { OrderRequest } from '../../api/trading/orders/place.ts';
import { type Desk, purchase, sale } from '../../api/trading/testing/desk.ts';
import { createMortal } from '../../api/trading/testing/mortal.ts';
import { rounds } from '../../common/testing/effort.ts';
import { listCoin } from '../local-chain/program/testing/listed-coin.ts';
import { SOL } from '../local-chain/testing/client.ts';
import { privateChain } from '../testing/private-services.ts';
import { createChainDesk } from './testing/chain-desk.ts';
import { expectTruth } from './testing/expect-truth.ts';

/** Crashes of a process. */
const ROUNDS = rounds(100);
/** A round ends within this time, also on a busy machine, ms. */
const ROUND_MS = 4_000;
/** Rounds at the same time. */
const LANES = 5;

const connection = await testConnection({ journal: true });

const chain = await privateChain();
const desk = await createChainDesk({ connection, chain });
const coin = (await listCoin(chain)).toBase58();

afterAll(() => desk.stop());

/** Asks a process for each order in turn, and waits until it is closed. `isOver` ends the wait. */
async function live(running: Desk, userId: string, requests: OrderRequest[], isOver: () => boolean): Promise<void> {
  for (const request of requests) {
    const placement = await running.placing.place(userId, request);
    if (placement.type !== 'placed') return;
    const { _id } = placement.order;
    while (!isOver() && (await running.models.orders.exists({ _id, open: true }))) await pause(20);
    if (isOver()) return;
  }
}

/**
 * Buys and sells all of it again, in a process that ends at a moment (or stands still, while the next one takes over). Returns
 * the call at which it ended, and how many calls it made; `confirmed`: orders that traded.
 */
async function round(moment: number, standsStill: boolean) {
  const trader = await desk.trader();
  const { userId } = trader;
  const requests = [purchase(SOL / 50, { address: coin }), sale({ address: coin })];
  const mortal = createMortal(moment, { standsStill });
  let ended: string | null = null;
  const first = await desk.process(mortal.around);
  first.startWorker({ openIds: async () => (await first.store.openIds()).slice(0, 0) });
  const life = live(first, userId, requests, () => ended !== null);
  ended = await Promise.race([mortal.died, life.then(() => null)]);
  const next = await desk.process();
  const openIds = async () => (await next.store.list(userId, { state: 'open' })).map(({ _id }) => _id.toHexString());
  next.startWorker({ openIds });
  // The user presses again, since there was no response.
  await live(next, userId, requests, () => false);
  mortal.goOn();
  if (standsStill) await life;
  // A process that had nothing more to do for the user may still end in the middle of what it tidies up.
  if (standsStill) await first.stopWorkers();
  else if (ended === null) await Promise.race([first.stopWorkers(), mortal.died]);
  await expect.poll(openIds).toEqual([]);
  await next.stopWorkers();
  const orders = await expectTruth(desk, next, trader, coin);
  expect(orders.length).toBeLessThanOrEqual(requests.length);
  expect(next.warnings).toEqual([]);
  const confirmed = orders.filter(({ status }) => status === 'confirmed').length;
  return { ended, calls: mortal.calls(), confirmed };
}

test(
  `${ROUNDS} crashes at every await of a purchase and a sale: one order, one trade, balances to the lamport [T-08, T-09, O1, O2, O8]`,
  async () => {
    const { calls, ended, confirmed } = await round(Number.POSITIVE_INFINITY, false);
    expect([ended, confirmed]).toEqual([null, 2]);
    const moments = 2 * calls;
    const places = new Set<string>();
    let [trades, number] = [0, 0];
    const lanes = Array.from({ length: LANES }, async () => {
      while (number < ROUNDS) {
        const own = number;
        number += 1;
        const moment = ROUNDS >= moments ? (own % moments) + 1 : Math.floor((own * moments) / ROUNDS) + 1;
        const result = await round(moment, own % 3 === 2);
        if (result.ended !== null) places.add(result.ended);
        trades += result.confirmed;
      }
    });
    await Promise.all(lanes);
    // All but a few ended at another place of their work, and nearly all of what they left was completed.
    expect(places.size).toBeGreaterThan(Math.min(ROUNDS, moments) / 4);
    expect(trades).toBeGreaterThan(ROUNDS * 1.6);
  },
  ROUNDS * ROUND_MS,
);
