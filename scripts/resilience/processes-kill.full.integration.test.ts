import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { alertModel } from '../../api/alerts/model.ts';
import { linkedChat, storedUser } from '../../api/alerts/testing/alerts.ts';
import { settingsModel } from '../../api/settings/model.ts';
import { testFolder } from '../../api/testing/folder.ts';
import { noteProof } from '../../api/testing/proof.ts';
import { alertsPerHour } from '../../common/settings/model.ts';
import { sized } from '../../common/testing/effort.ts';
import { orderSchema } from '../../common/trading/order.ts';
import { freePort } from '../../realtime/testing/free-port.ts';
import { startRedis } from '../../realtime/testing/redis.ts';
import { startTelegramEmulator } from '../telegram-emulator/emulator.ts';
import { privateChain, privateMongo } from '../testing/private-services.ts';
import { addPlans, expectOnce, ordersOfPlans, switchPlans } from './planner.ts';
import { ADMIN, chainVariable, type ServerProcess, skipPast, startProcess } from './product.ts';
import { createTrader, enter, expectWholeTruth, ordersOf, placeTwice, type Trader, WIDE_LIMITS } from './trader.ts';

/** Kills, one process after another, from a random one on. */
const KILLS = sized({ landing: 2, full: 5, soak: 50 });
/** Greatest time of load before a kill, ms. */
const LOAD_MS = 2_000;
/** Pause between two purchases by hand, ms: orders that wait for a processor are no subject of this test. */
const BUY_EVERY_MS = 300;
const SUBSCRIBERS = 10;
/** One alert for every new token; those of prices may repeat. */
const ALL_ALERTS = {
  minLiquidity: 0,
  maxRisk: 100,
  newTokenAlerts: true,
  priceChangeAlerts: false,
  alertsPerHour: alertsPerHour.max,
};
const SPENT = 5_000_000;
const WAIT = { timeout: 120_000, interval: 100 };

/** Creates a process of the server that is started again when it ends by itself, as by a supervisor: a worker that lost its lease does. */
function createProcess(env: Record<string, string>) {
  let running: ServerProcess | null = null;

  /** Resolves once it serves or stands by. */
  async function start(): Promise<void> {
    let standsBy = () => {};
    const isStandby = new Promise<void>((resolve) => {
      standsBy = resolve;
    });
    const started = startProcess(env, (line) => {
      if (line.startsWith('standing by')) standsBy();
    });
    running = started;
    void started.gone.then(() => (running === started ? start().catch(() => {}) : undefined));
    await Promise.race([isStandby, started.url]);
  }
  return {
    start,
    async kill(): Promise<void> {
      const killed = running;
      running = null;
      await killed?.kill();
    },
  };
}

describe.skipIf(inject('redisUrl') === null)('two workers, two processes for clients, and Redis', async () => {
  const redis = (await startRedis()) ?? expect.fail('redis-server is missing');
  const mongo = await privateMongo();
  const chain = await privateChain();
  const emulator = await startTelegramEmulator();
  const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
  const shared = {
    ...chainVariable(chain),
    ...{ MONGODB_URI: mongo.uri, DATA_DIR: await testFolder('processes'), REDIS_URL: redis.url },
    ...{ CHANNEL_SECRET: 'a-secret-of-the-processes', SESSION_KEYS: 'the-key-of-all-processes' },
    ...{ ADMIN_PASSWORD: ADMIN.password, MARKET_RATE: '20', MARKET_SEED: '11' },
    ...{ TELEGRAM_BOT_TOKEN: emulator.token, TELEGRAM_API_ROOT: emulator.apiRoot },
  };
  const ports = [String(await freePort()), String(await freePort())];
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const workers = [0, 1].map(() => createProcess({ ...shared, ROLES: 'worker' }));
  const fronts = ports.map((PORT) => createProcess({ ...shared, ROLES: 'http,realtime', PORT }));
  const victims = [...workers, ...fronts, { start: redis.start, kill: () => redis.kill() }];

  beforeAll(async () => {
    await skipPast(mongo.uri);
    for (const one of [...workers, ...fronts]) await one.start();
  }, 180_000);
  afterAll(async () => {
    await Promise.all([...workers, ...fronts].map((one) => one.kill()));
    await connection.close();
    await emulator.stop();
    await redis.remove();
  });

  /** Buys by both processes for clients in turn, until `signal` aborts. What one that is away does not take is not repeated. */
  async function keepBuying(trader: Trader, signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const session = enter(urls[turn % urls.length] ?? '', trader);
      try {
        const coins = await (await session.get('/api/tokens?limit=10')).json();
        const [coin] = z.array(z.object({ address: z.string() })).parse(coins);
        if (coin) await placeTwice(trader, session, { side: 'buy', address: coin.address, lamports: SPENT });
      } catch {
        // The process was just killed.
      }
      await pause(BUY_EVERY_MS);
    }
  }

  async function createSubscriber(): Promise<number> {
    const id = await storedUser(connection, Date.now() - 60_000);
    await settingsModel(connection).create({ _id: id, alerts: ALL_ALERTS });
    return Number(await linkedChat(connection, id));
  }

  test(`no order and no alert is lost or made twice after kill -9 of any of them, ${KILLS} times`, {
    timeout: 180_000 + KILLS * 180_000,
  }, async () => {
    emulator.open(...(await Promise.all(Array.from({ length: SUBSCRIBERS }, createSubscriber))));
    const trader = await createTrader(urls[0] ?? '', chain, 'trader');
    const session = enter(urls[0] ?? '', trader);
    expect((await session.patch('/api/trading/account', { limits: WIDE_LIMITS })).status).toBe(200);
    await addPlans(trader, session);
    const ending = new AbortController();
    const buying = keepBuying(trader, ending.signal);
    const goesOn = async () => {
      const before = trader.acknowledged.size;
      await vi.waitFor(() => expect(trader.acknowledged.size).toBeGreaterThanOrEqual(before + 3), WAIT);
    };
    const first = Math.floor(Math.random() * victims.length);
    for (let count = 0; count < KILLS; count += 1) {
      await goesOn();
      await pause(Math.random() * LOAD_MS);
      const victim = victims[(first + count) % victims.length];
      await victim?.kill();
      await victim?.start();
    }
    await goesOn();
    // A token is alerted once its risk is known, which takes longer than a few kills.
    await vi.waitFor(async () => expect(await alertModel(connection).findOne({ ref: null })).not.toBeNull(), WAIT);
    ending.abort();
    await buying;
    await switchPlans(session, false);
    const orders = await vi.waitFor(async () => {
      const open = await session.get('/api/trading/orders?state=open');
      expect(z.array(orderSchema).parse(await open.json())).toEqual([]);
      return ordersOf(session);
    }, WAIT);
    await expectWholeTruth(chain, trader, session, orders);
    expectOnce(orders);
    const alerts = await expectAlertsOnce();
    const size = { kills: KILLS, orders: orders.length, ofPlans: ordersOfPlans(orders).length, alerts };
    console.log(JSON.stringify(size));
    noteProof('kill -9 of any of several processes', size, { writesLost: 0, eventsDoubled: 0 });
  });

  /** Expects one alert at most of each user, token and kind, and one message of each. Returns their number. */
  async function expectAlertsOnce(): Promise<number> {
    const messages = emulator.sent().map(({ chatId, text }) => `${chatId} ${text}`);
    expect(new Set(messages).size).toBe(messages.length);
    // Alerts about orders and positions have a reference, and may concern one token several times.
    const stored = await alertModel(connection).find({ ref: null }).lean();
    expect(new Set(stored.map(({ userId, address, type }) => `${userId} ${address} ${type}`)).size).toBe(stored.length);
    expect(stored.length).toBeGreaterThan(0);
    return stored.length;
  }
});
