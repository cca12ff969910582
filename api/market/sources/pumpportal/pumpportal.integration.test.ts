import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Source } from '../source.ts';
import { eventually, type TestContext, testContext } from '../testing/source-context.ts';
import { storedToken } from '../testing/stored-token.ts';
import { createPumpPortal, type PumpPortalOptions } from './pumpportal.ts';

const NOW = 1_785_412_801_234;
const KEY = 'very-secret-key';
const SLB = '97QUsKyZ1tDbBkWzowCixaZHPfMHz3ME8LQzwa9Upump';

function fixture(name: string): string {
  return readFileSync(path.join(import.meta.dirname, 'fixtures', name), 'utf8');
}

/** Starts PumpPortal on loopback: it acknowledges subscriptions and sends scripted frames. */
async function startPortal() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const requests: { method: string; keys?: string[] }[] = [];
  const addresses: string[] = [];
  const portal = {
    requests,
    addresses,
    acknowledgements: new Map([
      ['subscribeNewToken', fixture('ack_subscribeNewToken.json')],
      ['subscribeMigration', fixture('ack_subscribeMigration.json')],
    ]),
    methods: () => requests.map(({ method }) => method),
    send: (raw: string) => {
      for (const socket of server.clients) socket.send(raw);
    },
    drop: () => {
      for (const socket of server.clients) socket.terminate();
    },
    url: () => `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/data`, // never a string for a TCP server
    async close() {
      portal.drop();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connection', (socket: WebSocket, upgrade) => {
    addresses.push(upgrade.url ?? '');
    socket.on('message', (data) => {
      const request = JSON.parse(data.toString());
      requests.push(request);
      const acknowledgement = portal.acknowledgements.get(request.method);
      if (acknowledgement !== undefined) socket.send(acknowledgement);
    });
  });
  return portal;
}

let portal: Awaited<ReturnType<typeof startPortal>>;
let source: Source | undefined;

beforeEach(async () => {
  portal = await startPortal();
});
afterEach(async () => {
  await source?.stop();
  source = undefined;
  await portal.close();
});

async function start(
  options: Partial<PumpPortalOptions> = {},
  context: TestContext = testContext(),
): Promise<TestContext> {
  source = createPumpPortal({
    url: portal.url(),
    key: null,
    clock: { now: () => NOW },
    random: () => 0,
    ...options,
    times: { retryBaseMs: 10, retryMaxMs: 20, ...options.times },
  });
  await source.start(context);
  return context;
}

const live = () => eventually(() => source?.status().state).toBe('live');

test('observes launches and migrations once, without quote mints', async () => {
  const context = await start();
  await live();
  expect(portal.methods()).toEqual(['subscribeNewToken', 'subscribeMigration']);
  const create = fixture('create.json');
  for (const raw of [create, create, fixture('create_usdc_quoted_anomaly.json'), fixture('migrate.json')]) {
    portal.send(raw);
  }
  await eventually(() => context.observations.length).toBe(2);
  expect(context.observations).toMatchObject([
    { kind: 'listed', address: SLB, mayBegin: true, receivedAt: NOW },
    { kind: 'listed', mayBegin: false, listing: { stage: 'pool' } },
  ]);
  expect(source?.status()).toEqual({ state: 'live', lastEventAt: NOW });
  expect(source?.figures?.()).toMatchObject({ errors: 0, malformed: 0, key: 'optional-missing', reason: null });
});

test('counts garbage and goes on', async () => {
  const context = await start();
  await live();
  for (const raw of ['', 'not JSON', '[1]', '{"txType":"create","mint":5}']) portal.send(raw);
  portal.send(fixture('create_bonk.json'));
  await eventually(() => context.observations.length).toBe(1);
  expect(source?.figures?.()).toMatchObject({ malformed: 4, errors: 0 });
  expect(source?.status().state).toBe('live');
});

test('reconnects after a lost connection', async () => {
  const context = await start();
  await live();
  portal.drop();
  await eventually(() => portal.methods().length).toBe(4);
  await live();
  portal.send(fixture('create.json'));
  await eventually(() => context.observations.length).toBe(1);
  expect(source?.figures?.()).toMatchObject({ errors: 1, lastErrorAt: NOW });
});

test('reconnects after silence, is down while unreachable and never logs the key', async () => {
  const context = await start({ key: KEY, times: { silenceMs: 60 } });
  await eventually(() => portal.addresses.length).toBeGreaterThanOrEqual(2);
  expect(portal.addresses[0]).toBe(`/api/data?api-key=${KEY}`);
  await portal.close();
  await eventually(() => source?.status().state).toBe('down');
  expect(source?.figures?.()).toMatchObject({ reason: 'PumpPortal could not be reached.', key: 'set' });
  expect(context.logged.join()).not.toContain(KEY);
  portal = await startPortal();
});

test('is down while subscriptions are not acknowledged', async () => {
  portal.acknowledgements.clear();
  await start({ times: { openMs: 30 } });
  await eventually(() => source?.status().state).toBe('down');
});

test('subscribes with a key to trades of new and stored coins, also after a lost connection', async () => {
  const stored = storedToken(NOW, { address: 'BzqYzBGydDrwjnYVtWfupr8GFoSxpCQdTkjRppBKpump' });
  const trades = () =>
    portal.requests.filter(({ method }) => method === 'subscribeTokenTrade').flatMap(({ keys }) => keys);
  const context = await start({ key: KEY, trades: true }, testContext([stored]));
  await live();
  portal.send(fixture('create.json'));
  await eventually(trades).toEqual([stored.address, SLB]);
  portal.send(fixture('trade_sell_2026_shape.json'));
  await eventually(() => context.observations.at(-1)?.kind).toBe('trade');
  portal.drop();
  await eventually(trades).toEqual([stored.address, SLB, stored.address, SLB]);
  portal.send(fixture('error_trade_needs_funded_key.json'));
  await eventually(() => source?.figures?.().reason).toContain('funded with at least 0.02 SOL');
  expect(source?.status().state).toBe('live');
});

test('observes nothing after stop and does not reconnect', async () => {
  const context = await start();
  await live();
  await source?.stop();
  portal.send(fixture('create.json'));
  expect(source?.status().state).toBe('stopped');
  expect(context.observations).toEqual([]);
  expect(portal.addresses).toHaveLength(1);
});

test('unsubscribes from the oldest coin beyond the limit', async () => {
  await start({ key: KEY, trades: true, tracked: 1 });
  await live();
  portal.send(fixture('create.json'));
  portal.send(fixture('create_bonk.json'));
  await eventually(() => portal.requests.findLast(({ method }) => method === 'unsubscribeTokenTrade')?.keys).toEqual([
    SLB,
  ]);
});
