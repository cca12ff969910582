import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DAY } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { type TradingStatus, tradingStatusSchema } from '../../../common/trading/status.ts';
import { createEventBus } from '../../events/bus.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import { type OrderRecord, orderModel } from '../orders/model.ts';
import { orderRecord } from '../testing/order-record.ts';
import { createTradingStatus } from './service.ts';

const NOON = Date.UTC(2026, 10, 23, 12);
const connection = await testConnection();
let now = NOON;
let stopped: { at: Date; by: 'admin' } | null = null;
let isLocked = false;
let isWatched = false;
const bus = createEventBus(() => {});
const emitted: TradingStatus[] = [];
bus.on('trading-status-changed', (status) => void emitted.push(status));

await ensureIndexes(orderModel(connection));

const statusOf = (server: TradingStatus['server'] = 'local') =>
  createTradingStatus({
    model: orderModel(connection),
    accounts: {
      server,
      stopAll: { read: async () => stopped, stop: async () => true, resume: async () => true, since: async () => [] },
    },
    isLocked: () => isLocked,
    isWatched: () => isWatched,
    bus,
    clock: { now: () => now },
    log: pino({ level: 'silent' }),
  });

const times = (created: number, sent: number | null = null, decided: number | null = null): OrderRecord['times'] => ({
  ...{ created, held: created, signed: sent, sent, decided },
});
let keys = 0;
async function store(fields: Partial<OrderRecord>): Promise<void> {
  keys += 1;
  await orderModel(connection).create(orderRecord({ key: `page:${keys}`, ...fields }));
}

test('is empty without orders, and names the state of trading', async () => {
  const none = { p50: null, p99: null };
  expect(await statusOf().read()).toEqual({
    ...{ server: 'local', state: 'running', stoppedAt: null, oldestAt: null },
    orders: { created: 0, held: 0, sent: 0, unknown: 0 },
    today: { confirmed: 0, failed: 0, failures: {} },
    ...{ decisionMs: none, confirmationMs: none, engine: null, tape: null },
  });
  isLocked = true;
  expect((await statusOf().read()).state).toBe('locked');
  stopped = { at: new Date(NOON), by: 'admin' };
  expect(await statusOf().read()).toMatchObject({ state: 'stopped', stoppedAt: new Date(NOON).toISOString() });
  expect((await statusOf('off').read()).state).toBe('off');
  [stopped, isLocked] = [null, false];
});

test('counts orders by state, ends of the day by reason, and latencies [T-23]', async () => {
  const over = { open: false };
  await store({ status: 'created', times: times(NOON - 50) });
  await store({ status: 'held', times: times(NOON - 90) });
  await store({ status: 'sent', times: times(NOON - 70, NOON - 60) });
  await store({ status: 'unknown', times: times(NOON - 100, NOON - 99) });
  for (const spent of [10, 20, 30]) {
    await store({
      ...over,
      status: 'confirmed',
      times: times(NOON - 900, NOON - 900 + spent, NOON - 900 + 11 * spent),
    });
  }
  const slippage = reason('slippage', { slippageBps: 500 });
  await store({ ...over, status: 'failed', failure: slippage, times: times(NOON, NOON + 5, NOON + 7) });
  await store({ ...over, status: 'failed', failure: slippage, times: times(NOON, NOON + 5, NOON + 8) });
  await store({ ...over, status: 'cancelled', failure: reason('stopped'), times: times(NOON, null, NOON + 9) });
  // Yesterday.
  await store({ ...over, status: 'confirmed', times: times(NOON - DAY, NOON - DAY + 1_000, NOON - DAY + 2_000) });
  const status = await statusOf().read();
  expect(tradingStatusSchema.parse(status)).toEqual(status);
  expect(status).toMatchObject({
    orders: { created: 1, held: 1, sent: 1, unknown: 1 },
    oldestAt: new Date(NOON - 100).toISOString(),
    today: { confirmed: 3, failed: 3, failures: { slippage: 2, stopped: 1 } },
    decisionMs: { p50: 20, p99: 1_000 },
    confirmationMs: { p50: 300, p99: 1_000 },
  });
});

test('is emitted only while an administrator watches, and only when it has changed', async () => {
  const status = statusOf();
  status.start();
  isWatched = true;
  await expect.poll(() => emitted.length).toBe(1);
  await store({ status: 'created', times: times(NOON) });
  now += 10_000;
  await expect.poll(() => emitted.at(-1)?.orders.created).toBe(2);
  expect(emitted).toHaveLength(2);
  status.stop();
});
