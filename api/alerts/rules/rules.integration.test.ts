import { Types } from 'mongoose';
import { beforeEach, expect, test } from 'vitest';
import type { AlertChannels } from '../../../common/alerts/rules/model.ts';
import { defaultChannels, PRESET_ALERTS_PER_HOUR } from '../../../common/alerts/rules/model.ts';
import { HOUR, MINUTE } from '../../../common/time.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { fakeClock } from '../../market/testing/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { openPresets } from '../../presets/service.ts';
import { testConnection } from '../../testing/database.ts';
import { addressNumber, tokenRecord } from '../../testing/tokens.ts';
import { tokenModels } from '../../tokens/model.ts';
import { presentToken } from '../../tokens/present.ts';
import { watchlistsModel } from '../../watchlists/model.ts';
import { type AlertRecord, alertModel } from '../model.ts';
import { type AlertsProcess, linkedChat, startAlerts, storedUser } from '../testing/alerts.ts';

const connection = await testConnection();
const clock = fakeClock(Date.now());
await ensureIndexes(alertModel(connection));

let server: AlertsProcess;
let userId: string;
let number = 0;

beforeEach(async () => {
  clock.pass(HOUR - (clock.now() % HOUR));
  userId = await storedUser(connection, clock.now() - 1_000);
  server = await start();
  return () => server.stop();
});

const start = (options: Partial<Parameters<typeof startAlerts>[1]> = {}) =>
  startAlerts(connection, { clock, ...options });

async function restart(options: Parameters<typeof start>[0] = {}) {
  await server.stop();
  server = await start(options);
}

const caller = () => ({ _id: new Types.ObjectId(userId), username: 'one', isAdmin: false });

const forPreset = (preset: string, perHour = 6, channels: Partial<AlertChannels> = {}) =>
  server.rules.createForPreset(caller(), { preset, perHour, channels: { ...defaultChannels, ...channels } });

/** Stores and detects a token. */
async function detect(fields: Partial<Token> = {}): Promise<Token> {
  number += 1;
  const record = tokenRecord(50_000 + number, { createdAt: clock.now(), riskScore: 90, price: 1 });
  await tokenModels(connection).tokens.insertMany([record]);
  const token = { ...presentToken(record), ...fields };
  server.live.set(token.address, record);
  server.detect(token);
  await server.rules.settled();
  return token;
}

const stretched = { curveProgress: 70 };
const records = () => alertModel(connection).find({ userId }).sort({ _id: 1 }).lean<AlertRecord[]>();

test('a token that begins to match a preset causes one alert, with its reason, across a restart', async () => {
  await forPreset('Final stretch');
  const token = await detect({ curveProgress: 10 });
  server.patch(token, stretched);
  await server.rules.settled();
  const [alert] = await server.alerts.list(userId, 10);
  expect(alert).toMatchObject({
    ...{ type: 'preset_match', address: token.address },
    cause: { why: { preset: 'Final stretch', condition: { field: 'curve', bound: 'min', value: 60 } }, sound: 'tick' },
  });
  expect(server.created.map((event) => event.alert)).toEqual([alert]);
  await restart({ known: [{ ...token, ...stretched }] });
  await server.rules.settled();
  server.patch(token, { curveProgress: 10 });
  await server.rules.settled();
  clock.pass(1_000);
  server.patch(token, { curveProgress: 90 });
  await server.rules.settled();
  expect(await records()).toHaveLength(1);
  expect(server.created).toEqual([]);
});

test('a match that a stop kept from being stored is found again by the next start', async () => {
  await forPreset('Final stretch');
  clock.pass(1_000);
  await server.stop();
  const record = tokenRecord(60_000, { createdAt: clock.now() });
  await tokenModels(connection).tokens.insertMany([record]);
  server = await start({ known: [{ ...presentToken(record), ...stretched }] });
  await server.rules.settled();
  expect(await records()).toMatchObject([{ address: addressNumber(60_000), cause: { why: { condition: null } } }]);
});

test('an alert comes at most so often an hour, the rest is counted, and mentioned in the next message', async () => {
  await linkedChat(connection, userId);
  const { id } = await forPreset('Final stretch', 2, { telegram: true });
  for (let at = 0; at < 5; at += 1) await detect(stretched);
  expect(await records()).toHaveLength(2);
  expect(await server.rules.list(caller())).toMatchObject([{ id, received: 2, heldBack: 3, problem: null }]);
  expect(server.rules.heldBack(userId)).toEqual({
    presets: [{ name: 'Final stretch', limit: 2, heldBack: 3, dropped: 0 }],
    allPresets: { limit: PRESET_ALERTS_PER_HOUR, heldBack: 0 },
  });
  await restart();
  await detect(stretched);
  expect(await records()).toHaveLength(2);
  clock.pass(HOUR);
  await detect(stretched);
  const stored = await records();
  expect(stored).toHaveLength(3);
  expect(stored.at(-1)?.telegram?.note).toBe('1 more matched last hour; limit 2.');
});

test('matches beyond a full queue count as dropped, unless the limit of the hour was used up before', async () => {
  await restart({ waitingMax: 3 });
  await linkedChat(connection, userId);
  await forPreset('Final stretch', 2, { telegram: true });
  const burst = async () => {
    for (let at = 0; at < 6; at += 1) {
      number += 1;
      const record = tokenRecord(100_000 + number, { createdAt: clock.now() });
      const token = { ...presentToken(record), ...stretched };
      server.live.set(token.address, record);
      server.detect(token);
    }
    await server.rules.settled();
  };
  await burst();
  // One is being written while three wait.
  const counts = { received: 2, heldBack: 2, dropped: 2 };
  expect(await server.rules.list(caller())).toMatchObject([counts]);
  expect(server.rules.heldBack(userId).presets).toMatchObject([{ limit: 2, heldBack: 2, dropped: 2 }]);
  await burst();
  expect(await server.rules.list(caller())).toMatchObject([{ ...counts, heldBack: 8 }]);
  clock.pass(HOUR);
  await detect(stretched);
  expect((await records()).at(-1)?.telegram?.note).toBe(
    '8 more matched last hour; limit 2.\n2 dropped last hour: too many at once.',
  );
});

test('a muted alert, one without its preset and one with a field that is gone do nothing, and say why', async () => {
  const presets = await openPresets({ connection, bus: server.bus, clock });
  const choice = { f: 'curve:60-' };
  const [gone, outdated] = await Promise.all(
    ['Gone', 'Outdated'].map((name) => presets.create(caller(), userId, { name, choice })),
  );
  await forPreset(gone?.id ?? '');
  await forPreset(outdated?.id ?? '');
  const muted = await forPreset('Final stretch');
  await detect(stretched);
  expect(await records()).toHaveLength(3);
  await presets.remove(caller(), gone?.id ?? '');
  const old = { $set: { choice: { f: 'curve:60-,halo:1-', colour: 'red' } } };
  await connection.collection('presets').updateOne({ _id: new Types.ObjectId(outdated?.id) }, old);
  server.bus.emit('preset-changed', {
    ...{ userId, change: { subject: 'presets', op: 'deleted', item: { id: gone?.id ?? '' } } },
  });
  expect(await server.rules.change(caller(), muted.id, { muted: true })).toMatchObject({
    mutedUntil: new Date(clock.now() + HOUR).toISOString(),
  });
  await server.rules.settled();
  await detect(stretched);
  expect(await records()).toHaveLength(3);
  expect(await server.rules.list(caller())).toMatchObject([
    { name: 'Gone', problem: 'This preset was deleted. Choose another one.' },
    {
      name: 'Outdated',
      problem: 'This preset names what no longer exists: halo:1-, colour. Save it again, or choose another one.',
    },
    { name: 'Final stretch', problem: null },
  ]);
  await server.rules.change(caller(), muted.id, { muted: false });
  await detect(stretched);
  expect(await records()).toHaveLength(4);
});

test('an alert at a price fires once, by a trade that reaches it, and is gone then', async () => {
  const token = await detect();
  const atPrice = (value: number, unit: 'price' | 'market-cap' = 'price') =>
    server.rules.createAtPrice(caller(), {
      ...{ address: token.address, target: { unit, value }, channels: defaultChannels },
    });
  const rise = await atPrice(2);
  const fall = await atPrice(0.5);
  expect([rise, fall]).toMatchObject([{ direction: 'up' }, { direction: 'down' }]);
  const trade = async (...prices: number[]) => {
    const trades = prices.map((price, at) => ({
      ...{ id: String(at), at: new Date(clock.now()).toISOString(), side: 'buy' as const, wallet: 'w', price },
      ...{ sol: 1, tokens: 1, signature: null, slot: null },
    }));
    server.bus.emit('trade', { address: token.address, trades });
    await server.rules.settled();
  };
  await trade(1.9);
  expect(await records()).toEqual([]);
  // Back below it at once: the trade counts, not the last price.
  await trade(2.1, 1);
  await trade(3, 4);
  expect(await records()).toMatchObject([{ type: 'price_target', ref: rise.id, cause: { why: { direction: 'up' } } }]);
  expect(await server.rules.list(caller())).toMatchObject([{ id: fall.id }]);
  await restart();
  await trade(2.5, 0.4);
  expect((await records()).map(({ ref }) => ref)).toEqual([rise.id, fall.id]);
  expect(await server.rules.list(caller())).toEqual([]);
});

test('after a crash between an alert at a price and its end, it does not fire again', async () => {
  const token = await detect();
  const target = { unit: 'price' as const, value: 2 };
  const { id } = await server.rules.createAtPrice(caller(), {
    address: token.address,
    target,
    channels: defaultChannels,
  });
  const [stored] = await connection
    .collection('alertRules')
    .find({ userId: new Types.ObjectId(userId) })
    .toArray();
  const cross = async () => {
    const trade = {
      id: 'a',
      at: new Date(clock.now()).toISOString(),
      side: 'buy',
      wallet: 'w',
      price: 2,
      sol: 1,
      tokens: 1,
    } as const;
    server.bus.emit('trade', { address: token.address, trades: [{ ...trade, signature: null, slot: null }] });
    await server.rules.settled();
  };
  await cross();
  if (stored) await connection.collection('alertRules').insertOne(stored);
  await restart();
  expect(await server.rules.list(caller())).toMatchObject([{ id }]);
  await cross();
  expect(await records()).toHaveLength(1);
  expect(server.created).toEqual([]);
  expect(await server.rules.list(caller())).toEqual([]);
});

test('an alert at a price whose coin is on the blacklist stays, and is compared again after a minute', async () => {
  const token = await detect();
  const target = { unit: 'price' as const, value: 2 };
  await server.rules.createAtPrice(caller(), { address: token.address, target, channels: defaultChannels });
  const black = [{ address: token.address, addedAt: new Date(clock.now()) }];
  await watchlistsModel(connection).create({ _id: new Types.ObjectId(userId), black });
  const rise = async () => {
    server.patch(token, { price: 3 });
    await server.rules.settled();
    return [(await records()).length, (await server.rules.list(caller())).length];
  };
  expect(await rise()).toEqual([0, 1]);
  await watchlistsModel(connection).deleteMany({});
  expect(await rise()).toEqual([0, 1]);
  clock.pass(MINUTE);
  expect(await rise()).toEqual([1, 0]);
});

test('a user receives at most 120 alerts by preset in an hour, however often the alerts are set up again', async () => {
  await linkedChat(connection, userId);
  const { id } = await forPreset('Final stretch', 60);
  await detect(stretched);
  const [first] = await records();
  if (!first) throw new Error('no alert');
  const others = Array.from({ length: PRESET_ALERTS_PER_HOUR - 2 }, () => ({
    ...first,
    _id: new Types.ObjectId(),
    ref: new Types.ObjectId().toHexString(),
  }));
  await alertModel(connection).collection.insertMany(others);
  await server.rules.remove(caller(), id);
  await restart();
  const again = await forPreset('Final stretch', 60);
  await forPreset('Final stretch', 60, { telegram: true });
  await detect(stretched);
  expect(await records()).toHaveLength(PRESET_ALERTS_PER_HOUR);
  await detect(stretched);
  expect(await records()).toHaveLength(PRESET_ALERTS_PER_HOUR);
  expect(await server.rules.list(caller())).toMatchObject([
    { id: again.id, received: 1, heldBack: 0 },
    { received: 0, heldBack: 0 },
  ]);
  const allPresets = { limit: PRESET_ALERTS_PER_HOUR, heldBack: 3 };
  expect(server.rules.heldBack(userId)).toEqual({ presets: [], allPresets });
  clock.pass(HOUR);
  await detect(stretched);
  expect(await records()).toHaveLength(PRESET_ALERTS_PER_HOUR + 2);
  const note = '3 more matched last hour; limit 120 for all presets together.';
  expect((await records()).flatMap(({ telegram }) => telegram?.note ?? [])).toEqual([note]);
});

test('the count of left-out matches after a start omits those that have their alert', async () => {
  await forPreset('Final stretch', 2);
  clock.pass(1_000);
  const tokens: Token[] = [];
  for (let at = 0; at < 3; at += 1) tokens.push(await detect(stretched));
  await restart({ known: tokens });
  await server.rules.settled();
  expect(await records()).toHaveLength(2);
  expect(await server.rules.list(caller())).toMatchObject([{ received: 2, heldBack: 1 }]);
});

test('a user has at most 20 different presets watched; a deleted alert makes room', async () => {
  const presets = await openPresets({ connection, bus: server.bus, clock });
  const made: string[] = [];
  for (let holders = 1; holders <= 21; holders += 1) {
    const choice = { f: `holders:${holders}-` };
    made.push((await presets.create(caller(), userId, { name: `P${holders}`, choice })).id);
    await forPreset(made.at(-1) ?? '');
    clock.pass(1);
  }
  const problems = async () =>
    (await server.rules.list(caller())).flatMap((rule) => (rule.kind === 'preset' ? (rule.problem ?? []) : []));
  expect(await problems()).toEqual(['You watch as many different presets as one user can. Delete another alert.']);
  await forPreset(made[0] ?? '');
  expect(await problems()).toHaveLength(1);
  const [, second] = await server.rules.list(caller());
  await server.rules.remove(caller(), second?.id ?? '');
  await server.rules.settled();
  expect(await problems()).toEqual([]);
});

test('alerts go to the webhook of users who have one, again after a failure, and not again after a crash', async () => {
  const bodies: unknown[] = [];
  let failures = 2;
  const webhooks = {
    ofUsers: async (ids: readonly string[]) => new Set(ids),
    async deliver(_userId: string, body: string) {
      failures -= 1;
      if (failures >= 0) return { problem: 'The service answered 503.', isFinal: false };
      bodies.push(JSON.parse(body));
      return { problem: null, isFinal: true };
    },
  };
  await restart({ webhooks });
  await forPreset('Final stretch', 6, { webhook: true });
  const token = await detect(stretched);
  await expect.poll(async () => (await records()).map(({ webhook }) => webhook?.state), PATIENCE).toEqual(['sent']);
  expect(bodies).toMatchObject([
    { type: 'preset_match', reason: 'passed Final stretch', token: { address: token.address, symbol: token.symbol } },
  ]);
  const begun = { 'webhook.state': 'queued', 'webhook.isBegun': true };
  await alertModel(connection).updateMany({ userId }, { $set: begun });
  await restart({ webhooks });
  expect((await records()).map(({ webhook }) => webhook?.reason)).toEqual(['outcome unknown']);
  expect(bodies).toHaveLength(1);
});

/** Enough for two pauses between attempts on a busy machine. */
const PATIENCE = { timeout: 15_000 };
