import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { testFolder } from '../../api/testing/folder.ts';
import { noteProof } from '../../api/testing/proof.ts';
import { sized } from '../../common/testing/effort.ts';
import { orderSchema } from '../../common/trading/order.ts';
// Declares the type of the provided 'redisUrl'.
import type {} from '../../realtime/testing/redis.ts';
import { privateChain, privateMongo } from '../testing/private-services.ts';
import { expectOnce } from './planner.ts';
import { ADMIN, chainVariable, type ServerProcess, startProcess } from './product.ts';
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

/** Rounds of each way to lose the holder. */
const ROUNDS = sized({ landing: 1, full: 1, soak: 25 });
/** A standby takes over within this time after the holder's last sign of life, ms. How fast it starts then depends on the machine. */
const TAKEOVER = 10_000;
const SPENT = 5_000_000;
const WAIT = { timeout: 60_000, interval: 50 };

const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('two workers and a process for clients', () => {
  let shared: Record<string, string>;
  let chain: Awaited<ReturnType<typeof privateChain>>;
  let url: string;
  let holder: ServerProcess;
  let standby: ServerProcess;

  /** Resolves when the present standby takes over. */
  let takesOver: Promise<void>;

  /** Starts a worker that stands by. */
  async function startStandby(): Promise<ServerProcess> {
    let standsBy: () => void = () => {};
    const isStandby = new Promise<void>((resolve) => {
      standsBy = resolve;
    });
    let begins: () => void = () => {};
    takesOver = new Promise<void>((resolve) => {
      begins = resolve;
    });
    const started = startProcess({ ...shared, ROLES: 'worker' }, (line) => {
      if (line.startsWith('standing by')) standsBy();
      if (line === 'taking over') begins();
    });
    await isStandby;
    return started;
  }

  beforeAll(async () => {
    const mongo = await privateMongo();
    chain = await privateChain();
    shared = {
      ...chainVariable(chain),
      ...{ MONGODB_URI: mongo.uri, DATA_DIR: await testFolder('takeover'), REDIS_URL: redisUrl ?? '' },
      ...{ CHANNEL_SECRET: 'a-secret-of-the-processes', SESSION_KEYS: 'the-key-of-all-processes' },
      ...{ ADMIN_PASSWORD: ADMIN.password, MARKET_RATE: '60', MARKET_SEED: '11' },
    };
    holder = startProcess({ ...shared, ROLES: 'worker' });
    await holder.url;
    standby = await startStandby();
    const front = startProcess({ ...shared, ROLES: 'http,realtime' });
    url = await front.url;
    return async () => {
      await Promise.all([front, holder, standby].map((one) => one.kill()));
    };
  }, 120_000);

  /** Buys until `signal` aborts. A request that no worker takes is repeated under its client id by the next one. */
  async function keepBuying(trader: Trader, session: TradingSession, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const response = await session.get('/api/tokens?limit=10');
      const coins = response.ok ? z.array(z.object({ address: z.string() })).parse(await response.json()) : [];
      const [coin] = coins;
      if (coin) await placeTwice(trader, session, { side: 'buy', address: coin.address, lamports: SPENT });
      else await pause(50);
    }
  }

  const acknowledges = (trader: Trader, more: number) => {
    const before = trader.acknowledged.size;
    return vi.waitFor(() => expect(trader.acknowledged.size).toBeGreaterThanOrEqual(before + more), WAIT);
  };

  test('no order is lost or made twice when the holder dies or freezes, and a standby goes on within 10 s [T-08, O9]', {
    timeout: 120_000 + ROUNDS * 240_000,
  }, async () => {
    const trader = await createTrader(url, chain, 'trader');
    const session = enter(url, trader);
    expect((await session.patch('/api/trading/account', { limits: WIDE_LIMITS })).status).toBe(200);
    const takeovers: number[] = [];
    const served: number[] = [];
    for (let round = 0; round < ROUNDS * 2; round++) {
      const ending = new AbortController();
      const buying = keepBuying(trader, session, ending.signal);
      await acknowledges(trader, 3);
      const former = holder;
      const lostAt = performance.now();
      const isFrozen = round % 2 === 1;
      if (isFrozen) former.signal('SIGSTOP');
      else await former.kill();
      await takesOver;
      takeovers.push(performance.now() - lostAt);
      await standby.url;
      served.push(performance.now() - lostAt);
      // A frozen holder goes on after its successor has begun, notices that, and ends without a further change.
      if (isFrozen) {
        former.signal('SIGCONT');
        expect(await former.gone).toBe(1);
      }
      holder = standby;
      standby = await startStandby();
      await acknowledges(trader, 2);
      ending.abort();
      await buying;
      const orders = await vi.waitFor(async () => {
        const open = await session.get('/api/trading/orders?state=open');
        expect(z.array(orderSchema).parse(await open.json())).toEqual([]);
        return ordersOf(session);
      }, WAIT);
      await expectWholeTruth(chain, trader, session, orders);
      expectOnce(orders);
      for (const id of trader.acknowledged.values()) expect(orders.map((order) => order.id)).toContain(id);
    }
    const longest = (times: readonly number[]) => Math.round(Math.max(...times));
    expect(longest(takeovers)).toBeLessThan(TAKEOVER);
    const size = { rounds: ROUNDS * 2, longestTakeoverMs: longest(takeovers), longestUntilServedMs: longest(served) };
    noteProof('kill -9 and freeze of the worker', size, { writesLost: 0, eventsDoubled: 0 });
  });
});
