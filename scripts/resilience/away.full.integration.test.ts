import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { alertModel } from '../../api/alerts/model.ts';
import { linkedChat, storedUser } from '../../api/alerts/testing/alerts.ts';
import { settingsModel } from '../../api/settings/model.ts';
import { noteProof } from '../../api/testing/proof.ts';
import { alertsPerHour } from '../../common/settings/model.ts';
import { sized } from '../../common/testing/effort.ts';
import { freePort } from '../../realtime/testing/free-port.ts';
import { startTelegramEmulator } from '../telegram-emulator/emulator.ts';
import { privateChain } from '../testing/private-services.ts';
import { chainVariable, productScene } from './product.ts';
import { createTrader, enter, expectWholeTruth, ordersOf, placeTwice, type TradingSession } from './trader.ts';

const AWAY_MS = sized({ landing: 2_000, full: 5_000, soak: 20_000 });
const SPENT = 5_000_000;
const SOON = { timeout: 60_000, interval: 200 };

/** Both come back at the address that the product knows. */
const chain = await privateChain({ port: await freePort() });
const telegramPort = await freePort();
let telegram = await startTelegramEmulator({ port: telegramPort });
const { token, apiRoot } = telegram;
const { mongo, start } = await productScene({
  ...chainVariable(chain),
  // Few enough that the hour's 60 alerts last until Telegram is back.
  MARKET_RATE: '20',
  MARKET_SEED: '13',
  TELEGRAM_BOT_TOKEN: token,
  TELEGRAM_API_ROOT: apiRoot,
});
const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
afterAll(async () => {
  await connection.close();
  await telegram.stop();
});

const READS = ['/api/auth/me', '/api/tokens', '/api/tokens/stats', '/api/bot/status', '/api/trading/account'];

/** Asks for what a page shows, in turns, until `isOver`. Returns the statuses of 500 and above, other than 503. */
async function keepReading(session: TradingSession, isOver: () => boolean): Promise<number[]> {
  const failed: number[] = [];
  for (let count = 0; !isOver(); count += 1) {
    const { status } = await session.get(READS[count % READS.length] ?? '');
    if (status >= 500 && status !== 503) failed.push(status);
  }
  return failed;
}

test(`${AWAY_MS / 1_000} s without the node, and without Telegram, lose and double nothing`, {
  timeout: 240_000,
}, async () => {
  const user = await storedUser(connection, Date.now() - 60_000);
  const chat = Number(await linkedChat(connection, user));
  const alerts = { minLiquidity: 0, maxRisk: 100, newTokenAlerts: true, priceChangeAlerts: false };
  await settingsModel(connection).create({ _id: user, alerts: { ...alerts, alertsPerHour: alertsPerHour.max } });
  telegram.open(chat);
  const product = await start();
  const trader = await createTrader(product.url, chain, 'trader');
  const session = enter(product.url, trader);
  const tokens = z.array(z.object({ address: z.string() }));
  const buy = async () => {
    const [newest] = tokens.parse(await (await session.get('/api/tokens?limit=1')).json());
    return newest ? placeTwice(trader, session, { side: 'buy', address: newest.address, lamports: SPENT }) : null;
  };
  await vi.waitFor(async () => expect(await buy()).not.toBeNull(), SOON);
  let isOver = false;
  const reading = keepReading(session, () => isOver);

  await chain.stop();
  await buy();
  await pause(AWAY_MS);
  await chain.start();
  await vi.waitFor(async () => expect(await buy()).not.toBeNull(), SOON);
  await vi.waitFor(async () => {
    const open = await session.get('/api/trading/orders?state=open');
    expect(await open.json()).toEqual([]);
  }, SOON);
  const orders = await ordersOf(session);
  await expectWholeTruth(chain, trader, session, orders);

  await vi.waitFor(() => expect(telegram.sent(chat).length).toBeGreaterThan(2), SOON);
  const before = telegram.sent(chat).map(({ text }) => text);
  await telegram.stop();
  await pause(AWAY_MS);
  telegram = await startTelegramEmulator({ port: telegramPort, token });
  telegram.open(chat);
  await vi.waitFor(() => expect(telegram.sent(chat).length).toBeGreaterThan(2), SOON);
  await vi.waitFor(() => expect(telegram.isPolled()).toBe(true), SOON);

  isOver = true;
  const failed = await reading;
  expect(failed).toEqual([]);
  const messages = [...before, ...telegram.sent(chat).map(({ text }) => text)];
  expect(new Set(messages).size).toBe(messages.length);
  const stored = await alertModel(connection).find({ userId: user }).lean();
  expect(new Set(stored.map(({ address, type }) => `${address} ${type}`)).size).toBe(stored.length);
  expect(await product.stop()).toBe(0);
  noteProof(
    'node and Telegram away',
    { seconds: AWAY_MS / 1_000, orders: orders.length, alerts: stored.length },
    {
      writesLost: 0,
      eventsDoubled: messages.length - new Set(messages).size,
      serverErrors: failed.length,
      crashes: 0,
    },
  );
});
