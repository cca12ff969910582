import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../api/testing/chain.ts';
import { testConnection } from '../../api/testing/database.ts';
import type { Executor } from '../../api/trading/executors/executor.ts';
import type { OrderRecord } from '../../api/trading/orders/model.ts';
import type { OrderRequest } from '../../api/trading/orders/place.ts';
import { type Desk, purchase, sale } from '../../api/trading/testing/desk.ts';
import { rounds } from '../../common/testing/effort.ts';
import { listCoin } from '../local-chain/program/testing/listed-coin.ts';
import { post, request, SOL } from '../local-chain/testing/client.ts';
import { privateChain } from '../testing/private-services.ts';
import { type ChainDesk, type ChainTrader, createChainDesk } from './testing/chain-desk.ts';
import { expectTruth } from './testing/expect-truth.ts';

/** Traders of the storm. */
const TRADERS = rounds(6);
/** Time for which the node is away, ms. */
const AWAY_MS = rounds(2_000);
/** Duration of the storm, ms. */
const STORM_MS = 3_000;
const LONG = { timeout: 120_000, interval: 50 };

const connection = await testConnection({ journal: true });
let rpcUrl: string;
let desk: ChainDesk;
let running: Desk;
/** How the next sends are made; then as usual. */
let sends: ((send: Executor['send'], ...of: Parameters<Executor['send']>) => ReturnType<Executor['send']>)[] = [];

const chain = await privateChain();
const coin = (await listCoin(chain)).toBase58();

beforeEach(async () => {
  rpcUrl = `${chain.rpcUrl}/${randomUUID()}`;
  sends = [];
  const sending = (send: Executor['send']): Executor['send'] => {
    return (...of) => sends.shift()?.(send, ...of) ?? send(...of);
  };
  desk = await createChainDesk({ connection, chain, rpcUrl, sending });
  running = await desk.process();
  running.startWorker();
});
afterEach(async () => {
  await running.stopWorkers();
  desk.stop();
  expect(running.warnings).toEqual([]);
});

const inject = (fault: Fault) => post(rpcUrl, request('test_inject', [fault]));
const clearFaults = () => post(rpcUrl, request('test_clearFaults'));
const expireBlockhashes = () => post(rpcUrl, request('test_expireBlockhashes'));

const buying = (fields: Partial<OrderRequest> = {}) => purchase(SOL / 50, { address: coin, ...fields });
const exit = () => sale({ address: coin, cause: { kind: 'exit', name: 'stop loss' }, slippageBps: 1_500 });

const place = ({ userId }: ChainTrader, wanted: OrderRequest) => running.place(userId, wanted);
async function closed({ _id }: OrderRecord): Promise<void> {
  await expect.poll(() => running.models.orders.exists({ _id, open: true }), LONG).toBeNull();
}

/** Buys in a situation, and expects one purchase and the truth. Returns the outcomes of its attempts. */
async function bought(situation: () => unknown, outcomes: (string | null)[]): Promise<OrderRecord> {
  const trader = await desk.trader();
  await situation();
  await closed(await place(trader, buying()));
  await clearFaults();
  const [order] = await expectTruth(desk, running, trader, coin);
  expect(order).toMatchObject({ status: 'confirmed', attempts: outcomes.map((outcome) => ({ outcome })) });
  return order ?? expect.fail('no order');
}

describe('a purchase', () => {
  test('is made once when the network drops it', async () => {
    const order = await bought(() => inject({ kind: 'drop', method: 'sendTransaction', times: 2 }), ['landed']);
    // Also after the third one, until a look finds it.
    expect(order.attempts[0]?.sends).toBeGreaterThanOrEqual(3);
  });

  test('is made once when the node responds late', async () => {
    await bought(() => inject({ kind: 'delay', ms: 5_000, method: 'sendTransaction' }), ['landed']);
  });

  test.each<[string, Fault]>([
    ['an error', { kind: 'error', code: -32_603, message: 'Internal error', method: 'sendTransaction' }],
    ['too many requests', { kind: 'status', status: 429, method: 'sendTransaction' }],
    ['a broken connection', { kind: 'disconnect', method: 'sendTransaction' }],
  ])('is made once when the node responds to its send with %s', async (_, fault) => {
    await bought(() => inject(fault), ['landed']);
  });

  test('is made once when the response to its send is lost [T-09, O3]', async () => {
    // However slow the looks are, none comes late enough to send again.
    running.time.stop();
    const lost = async (send: Executor['send'], ...of: Parameters<Executor['send']>) => {
      await send(...of);
      return { type: 'no-response' } as const;
    };
    expect((await bought(() => sends.push(lost), ['landed'])).attempts[0]?.sends).toBe(1);
  });

  test('is made once when the response to its send is wrong [T-09, O3]', async () => {
    const lie = async () => ({ type: 'forwarded' }) as const;
    expect((await bought(() => sends.push(lie, lie), ['landed'])).attempts[0]?.sends).toBeGreaterThanOrEqual(3);
  });

  test('is not made at a worse price than agreed when the preflight refuses it', async () => {
    const mover = await desk.trader();
    const moved = async (send: Executor['send'], ...of: Parameters<Executor['send']>) => {
      await closed(await place(mover, purchase((SOL / 10) * 9, { address: coin })));
      return send(...of);
    };
    const trader = await desk.trader();
    sends.push(moved);
    await closed(await place(trader, buying({ slippageBps: 300 })));
    const [order] = await expectTruth(desk, running, trader, coin);
    expect(order).toMatchObject({ status: 'failed', fill: null, failure: { code: 'slippage' } });
    expect(order?.attempts.map(({ outcome, sends: count }) => [outcome, count])).toEqual([['refused', 1]]);
    await expectTruth(desk, running, mover, coin);
  });

  test('is made once when its blockhash expires in the slot of its send [O4]', async () => {
    for (let round = 0; round < 3; round += 1) {
      const trader = await desk.trader();
      sends.push(async (send, ...of) => {
        const [result] = await Promise.all([send(...of), pause(round * 10).then(expireBlockhashes)]);
        return result;
      });
      await closed(await place(trader, buying()));
      const orders = await expectTruth(desk, running, trader, coin);
      expect(orders.map(({ status }) => status)).toEqual(['confirmed']);
    }
  });

  test('is made again when its blockhash expired before any node had it', async () => {
    const dropped = async () => {
      await expireBlockhashes();
      return { type: 'no-response' } as const;
    };
    await bought(() => sends.push(dropped), ['expired', 'landed']);
  });
});

test(`orders stay as they are while the node is away for ${AWAY_MS} ms, and end truly afterwards`, async () => {
  const traders = await Promise.all(Array.from({ length: 6 }, () => desk.trader()));
  const orders: OrderRecord[] = [];
  const load = traders.map(async (trader, at) => {
    await pause(at * 30);
    const placement = await running.placing.place(trader.userId, buying());
    if (placement.type === 'placed') orders.push(placement.order);
    else expect(placement).toMatchObject({ type: 'refused', reason: { code: 'node-away' } });
  });
  await expect.poll(() => orders.length).toBeGreaterThan(0);
  await inject({ kind: 'status', status: 503, times: 1_000_000 });
  await Promise.all(load);
  await pause(AWAY_MS);
  await clearFaults();
  for (const order of orders) await closed(order);
  const ended = await Promise.all(traders.map((trader) => expectTruth(desk, running, trader, coin)));
  expect(ended.flat()).toHaveLength(orders.length);
}, 120_000);

test(`${TRADERS} traders buy and sell through a storm of faults, and every order tells the truth`, async () => {
  const traders = await Promise.all(Array.from({ length: TRADERS }, () => desk.trader()));
  const calm = new AbortController();
  const methods = ['sendTransaction', 'getSignatureStatuses', 'getLatestBlockhash', 'getEpochInfo', 'getTransaction'];
  const storm = (async () => {
    for (let number = 0; !calm.signal.aborted; number += 1) {
      const method = methods[number % methods.length] ?? '';
      const kinds: Fault[] = [
        { kind: 'drop', times: 2 },
        { kind: 'delay', ms: Math.random() * 1_500, method },
        { kind: 'error', code: -32_005, message: 'Node is behind', method },
        { kind: 'status', status: 500, method },
        { kind: 'disconnect', method },
      ];
      const fault = kinds[Math.floor(Math.random() * kinds.length)];
      if (fault) await inject(fault);
      if (number % 10 === 9) await expireBlockhashes();
      await pause(50);
    }
    await clearFaults();
  })();
  // Orders end in the storm and after it.
  const calmer = setTimeout(() => calm.abort(), STORM_MS);
  let orders = 0;
  await Promise.all(
    traders.map(async (trader) => {
      for (const wanted of [buying(), buying(), exit(), buying(), exit()]) {
        const placement = await running.placing.place(trader.userId, wanted);
        if (placement.type !== 'placed') continue;
        await closed(placement.order);
        orders += 1;
      }
    }),
  );
  clearTimeout(calmer);
  calm.abort();
  await storm;
  for (const trader of traders) await expectTruth(desk, running, trader, coin);
  expect(orders).toBeGreaterThan(TRADERS);
}, 600_000);
