import { type Connection, Types } from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HOUR, MINUTE } from '../../../common/time.ts';
import type { OrderStatus } from '../../../common/trading/machine.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { openAudit } from '../../audit/service.ts';
import { type FakeClock, fakeClock } from '../../market/testing/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { openTemplates } from '../../templates/service.ts';
import { connectTestDatabase } from '../../testing/database.ts';
import { expectIndexed, explainer } from '../../testing/explain.ts';
import { addressNumber } from '../../testing/tokens.ts';
import { type OrderRecord, orderModel } from '../../trading/orders/model.ts';
import { presentOrder } from '../../trading/orders/present.ts';
import { positionModel } from '../../trading/positions/model.ts';
import { presentPosition, stuckIdOf } from '../../trading/positions/present.ts';
import { filledOrder } from '../../trading/positions/testing/orders.ts';
import { openPosition } from '../../trading/positions/testing/position.ts';
import { stopModel } from '../../trading/stop/model.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import { alertModel } from '../model.ts';
import { createAlertStore } from '../store.ts';
import { linkedChat, startAlerts, storedUser } from '../testing/alerts.ts';
import { detectedToken } from '../testing/tokens.ts';
import { alertOfOrder } from './trade-alert.ts';
import { createTradeAlertStore } from './trades.ts';

const PATIENCE = { timeout: 15_000 };

/** Opens a database of the test's own: catching up begins where the processes of this database ended. */
async function openDatabase(): Promise<Connection> {
  const connection = await connectTestDatabase({ monitorCommands: true });
  onTestFinished(() => connection.close());
  await ensureIndexes(orderModel(connection));
  await ensureIndexes(stopModel(connection));
  await ensureIndexes(positionModel(connection));
  return connection;
}

interface Server {
  messages: string[];
  process: Awaited<ReturnType<typeof startAlerts>>;
}

/** A user with a chat, and server processes over one database. */
async function world() {
  const connection = await openDatabase();
  const clock = fakeClock(Date.now());
  const userId = await storedUser(connection, clock.now());
  const chatId = await linkedChat(connection, userId);
  const messages: string[] = [];
  const created: string[] = [];
  const start = async (options: { catchUpInterval?: number } = {}) => {
    const server = await startAlerts(connection, {
      clock,
      ...options,
      async send(chat, text) {
        if (chat === chatId) messages.push(text);
        return 'sent';
      },
    });
    server.bus.on('alert-created', ({ userId: of, alert }) => {
      if (of === userId) created.push(`${alert.type} ${alert.ref}`);
    });
    return server;
  };
  const order = (fields: Partial<OrderRecord> = {}, side: 'buy' | 'sell' = 'buy'): OrderRecord => ({
    ...filledOrder(new Types.ObjectId(userId), side, 100_000_000),
    open: false,
    ...fields,
    times: { created: clock.now(), held: null, signed: null, sent: null, decided: clock.now() },
  });
  const alerts = () =>
    alertModel(connection)
      .find({ userId: new Types.ObjectId(userId) })
      .sort({ _id: 1 })
      .lean();
  return { connection, clock, userId, start, order, alerts, messages, created };
}

const emitted = (server: Server['process'], userId: string, order: OrderRecord) =>
  server.bus.emit('order-changed', { userId, key: order.key, order: presentOrder(order) });

test('the end of an order gives one alert and one message, however many processes report it how often [T-22]', async () => {
  const { userId, start, order, alerts, messages, created } = await world();
  const servers = [await start(), await start(), await start()];
  const bought = order();
  for (const server of servers) for (let time = 0; time < 5; time += 1) emitted(server, userId, bought);
  for (const { trades } of servers) await trades.settled();
  const ref = bought._id.toHexString();
  expect(await alerts()).toMatchObject([{ type: 'trade_bought', ref, address: bought.token.address }]);
  expect(created).toEqual([`trade_bought ${ref}`]);
  await vi.waitFor(() => expect(messages).toEqual(['trade_bought OTTR']), PATIENCE);
  // Another order of the same token is another alert.
  const next = order();
  for (const server of servers) emitted(server, userId, next);
  for (const { trades } of servers) await trades.settled();
  for (const server of servers) await server.stop();
  expect(await alerts()).toHaveLength(2);
});

test.each<[OrderStatus, 'buy' | 'sell', string | null]>([
  ['created', 'buy', null],
  ['held', 'buy', null],
  ['sent', 'buy', null],
  ['confirmed', 'buy', 'trade_bought'],
  ['confirmed', 'sell', 'trade_sold'],
  ['failed', 'buy', 'trade_failed'],
  ['cancelled', 'sell', 'trade_failed'],
  ['unknown', 'buy', 'trade_unknown'],
])('an order that is %s (%s) gives the alert %s', async (status, side, type) => {
  const { userId, start, order, alerts } = await world();
  const server = await start();
  emitted(server, userId, order({ status }, side));
  await server.trades.settled();
  await server.stop();
  expect((await alerts()).map((alert) => alert.type)).toEqual(type === null ? [] : [type]);
});

test('an order whose end was stored right before a crash is alerted by the next start, once', async () => {
  const { connection, clock, userId, start, order, alerts, messages } = await world();
  await (await start()).stop();
  // However long the server was down.
  const ended = [order(), order({ status: 'failed', fill: null, failure: reason('expired') }), order({}, 'sell')];
  const open = order({ status: 'unknown', open: true, fill: null });
  const waiting = order({ status: 'sent', open: true, fill: null });
  const late = [open, waiting].map((record) => ({ ...record, times: { ...record.times, decided: null } }));
  await orderModel(connection).insertMany([...ended, ...late]);
  clock.pass(3 * 86_400_000);
  for (let starts = 0; starts < 3; starts += 1) {
    const server = await start();
    for (const record of ended) emitted(server, userId, record);
    await server.trades.settled();
    if (starts === 2) await vi.waitFor(() => expect(messages).toHaveLength(4), PATIENCE);
    await server.stop();
  }
  expect(new Set((await alerts()).map(({ type, ref }) => `${type} ${ref}`))).toEqual(
    new Set([
      `trade_bought ${ended[0]?._id.toHexString()}`,
      `trade_failed ${ended[1]?._id.toHexString()}`,
      `trade_sold ${ended[2]?._id.toHexString()}`,
      `trade_unknown ${open._id.toHexString()}`,
    ]),
  );
  expect(messages).toHaveLength(4);
  // An alert that comes late is as new to the bell as any other.
  for (const { at } of await alerts()) expect(at.getTime()).toBe(clock.now());
});

test('a sale is alerted once it is closed, with its profit, also when no event reported that', async () => {
  const { connection, clock, userId, start, order, alerts } = await world();
  const server = await start({ catchUpInterval: 20 });
  const sale = order({ open: true }, 'sell');
  await orderModel(connection).create(sale);
  emitted(server, userId, sale);
  await server.trades.settled();
  clock.pass(10 * MINUTE);
  // The catch-up has passed the time of its verdict since.
  const other = order();
  await orderModel(connection).create(other);
  await vi.waitFor(async () => expect(await alerts()).toHaveLength(1), PATIENCE);
  const closed = { ...sale, open: false, profitLamports: 10_000_000 };
  await orderModel(connection).updateOne({ _id: sale._id }, { $set: { open: false, profitLamports: 10_000_000 } });
  await vi.waitFor(async () => expect((await alerts()).map(({ type }) => type)).toContain('trade_sold'), PATIENCE);
  await server.stop();
  expect(alertOfOrder(userId, presentOrder(closed))?.variables['trade.profit']).toMatch(
    /^\+0\.01 SOL \(\+1\d\.\d %\)$/,
  );
});

test('an order that no event reported is found while the server runs', async () => {
  const { connection, start, order, alerts } = await world();
  const server = await start({ catchUpInterval: 20 });
  await server.trades.settled();
  await orderModel(connection).create(order());
  await vi.waitFor(async () => expect(await alerts()).toHaveLength(1), PATIENCE);
  await server.stop();
});

test('neither the limit of an hour nor a blacklist nor price alerts switched off hold a trade back [T-22]', async () => {
  const { connection, userId, start, order, alerts, messages } = await world();
  const server = await start();
  await server.change(userId, { alertsPerHour: 1, priceChangeAlerts: false });
  const black = [{ address: order().token.address, addedAt: new Date() }];
  await watchlistsModel(connection).create({ _id: new Types.ObjectId(userId), black });
  for (let number = 0; number < 6; number += 1) emitted(server, userId, order());
  await server.trades.settled();
  await vi.waitFor(() => expect(messages).toHaveLength(6), PATIENCE);
  expect(await alerts()).toHaveLength(6);
  expect(server.alerts.hour(userId)).toMatchObject({ received: 0, heldBack: 0 });
  await server.stop();
});

test('an alert about a trade is no baseline of price alerts', async () => {
  const { connection, clock, userId, start, order } = await world();
  const server = await start();
  emitted(server, userId, order());
  await server.trades.settled();
  await server.stop();
  const found = [];
  for await (const alert of createAlertStore(connection).earlier({ since: clock.now() - MINUTE, limit: 1_000 })) {
    if (alert.userId.toHexString() === userId) found.push(alert);
  }
  expect(found).toEqual([]);
});

const report = (clock: FakeClock, fields: Partial<StopReport> = {}): StopReport => ({
  ...{ id: new Types.ObjectId().toHexString(), at: new Date(clock.now()).toISOString(), by: 'telegram' },
  ...{ cancelled: 2, out: 1, sells: true, positions: [], endedAt: null, version: 1, ...fields },
});

test('a stop and a stuck sale give one alert each, with the default texts', async () => {
  const { connection, clock, userId } = await world();
  const templates = await openTemplates({ connection, adminActions: { record: async () => {} }, clock });
  const server = await startAlerts(connection, { clock, templates });
  const stop = report(clock);
  for (const outcome of [stop, { ...stop, endedAt: stop.at }]) {
    server.bus.emit('stop-report-changed', { userId, report: outcome });
    await server.trades.settled();
  }
  const bought = filledOrder(new Types.ObjectId(userId), 'buy', 100_000_000, {
    token: { address: addressNumber(7), name: 'Dog', symbol: 'DOG', decimals: 6 },
  });
  emitted(server, userId, bought);
  const failed = { ...bought, _id: new Types.ObjectId(), status: 'failed' as const, fill: null };
  emitted(server, userId, { ...failed, cause: { kind: 'rule', name: 'Early' }, failure: reason('expired') });
  await server.trades.settled();
  const texts = (await server.alerts.list(userId, 10)).map(({ type, text }) => [type, text]);
  await server.stop();
  expect(Object.fromEntries(texts)).toEqual({
    trading_stopped:
      'Trading stopped\n\nYou stopped it in Telegram. Nothing is bought until you resume it. 2 orders that waited were cancelled. 1 order sent before is followed to the end. Open positions are being sold.',
    trade_bought: `Bought Dog (DOG), Local chain\n\n100 tokens for 0.1 SOL\nLeft your wallet: 0.100000008 SOL with all costs\nAsked for by: you\n\n${addressNumber(7)}`,
    trade_failed: `Order failed: buy Dog (DOG), Local chain\n\nNo block took the transaction before it expired.\nAsked for by: rule Early\n\n${addressNumber(7)}`,
  });
  expect(texts).toHaveLength(3);
});

test('a stop in Telegram, to which the bot replies, gives no second message there', async () => {
  const { connection, clock, userId, start } = await world();
  const server = await start();
  const [inTelegram, onWebsite] = [report(clock), report(clock, { by: 'user' })];
  for (const one of [inTelegram, onWebsite]) server.bus.emit('stop-report-changed', { userId, report: one });
  await server.trades.settled();
  await server.stop();
  const stored = await alertModel(connection).find({ ref: { $in: [inTelegram.id, onWebsite.id] } });
  const withMessage = new Map(stored.map(({ ref, telegram }) => [ref, telegram !== null]));
  expect([withMessage.get(inTelegram.id), withMessage.get(onWebsite.id)]).toEqual([false, true]);
});

test('a sale that does not get through gives one alert each time it gets stuck, also before the start', async () => {
  const { connection, userId, start, alerts } = await world();
  const [first, second] = [new Types.ObjectId(), new Types.ObjectId()];
  const stuckBy = (stuckId: Types.ObjectId) => ({
    ...{ kind: 'stop loss' as const, sharePercent: 100, steps: [], next: null },
    ...{ failures: 3, stuckId },
  });
  const stuck = { ...openPosition(new Types.ObjectId(userId)), status: 'stuck' as const, exit: stuckBy(first) };
  await positionModel(connection).create(stuck);
  const server = await start();
  const changes = [
    stuck,
    { ...stuck, status: 'closing' as const },
    stuck,
    { ...stuck, status: 'open' as const, exit: null },
    { ...stuck, exit: stuckBy(second) },
  ];
  for (const one of changes) {
    server.bus.emit('position-changed', { userId, position: presentPosition(one, null), stuckId: stuckIdOf(one) });
  }
  await server.trades.settled();
  await server.stop();
  const sent = (await alerts()).map(({ type, ref }) => `${type} ${ref}`);
  expect(sent).toHaveLength(2);
  expect(new Set(sent)).toEqual(new Set([first, second].map((id) => `exit_stuck ${id.toHexString()}`)));
});

test('a password that a stranger sends gives one alert an hour, also when nothing was announced', async () => {
  const { connection, clock, userId, start, alerts } = await world();
  const by = { user: { _id: new Types.ObjectId(userId), username: 'Owner' }, address: '198.51.100.7' };
  const audit = await openAudit(connection, clock);
  await (await start()).stop();
  for (let time = 0; time < 3; time += 1) await audit.record('password-exposed', by, userId);
  const server = await start();
  server.bus.emit('password-exposed', { userId, at: clock.now() });
  await server.trades.settled();
  await server.stop();
  const hour = new Date(Math.floor(clock.now() / HOUR) * HOUR);
  const found = (await alerts()).map(({ type, ref }) => [type, new Types.ObjectId(ref ?? '').getTimestamp()]);
  expect(found).toEqual([['password_exposed', hour]]);
});

test('a token named with links brings none into a message', async () => {
  const { connection, clock, userId } = await world();
  const templates = await openTemplates({ connection, adminActions: { record: async () => {} }, clock });
  const server = await startAlerts(connection, { clock, templates });
  const { name, symbol } = detectedToken(1, 0, { name: 'win at evil.example', symbol: 't.me/x' });
  const token = { address: addressNumber(8), name, symbol, decimals: 6 };
  emitted(server, userId, filledOrder(new Types.ObjectId(userId), 'buy', 1, { token }));
  await server.trades.settled();
  const [alert] = await server.alerts.list(userId, 1);
  await server.stop();
  expect(alert?.text).not.toMatch(/evil\.example|t\.me/);
});

test('reads trades without an alert by index', async () => {
  const connection = await openDatabase();
  const store = createTradeAlertStore(connection);
  const plans = await explainer(connection).plans(async () => {
    for await (const event of store.since(Date.now() - MINUTE)) {
      expect(event).toMatchObject({ userId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    }
  });
  expect(plans.length).toBeGreaterThanOrEqual(4);
  expectIndexed(plans, { sorts: true });
});
