import { io } from 'socket.io-client';
import { expect, test, vi } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { rooms } from '../../common/live/rooms.ts';
import { type UserData, userDataSchema } from '../../common/live/user-data.ts';
import { settingsSchema } from '../../common/settings/model.ts';
import { testServer } from '../test-server.ts';
import { PASSWORD } from '../testing/server.ts';
import { testWallet, userIdOf } from '../testing/wallets.ts';

const server = await testServer();

const address = (number: number) => testWallet(number).walletAddress;
const alerts = { minLiquidity: 1.5, maxRisk: 45, newTokenAlerts: false, priceChangeAlerts: true, alertsPerHour: 12 };
const noWallet = { walletAddress: null, hasKey: false, savedAt: null };

let users = 0;
async function newUser() {
  users += 1;
  const username = `Settler ${users}`;
  const cookie = await server.register(username);
  const id = await userIdOf(server, cookie);
  return {
    username,
    cookie,
    id,
    get: async () => settingsSchema.parse((await server.fetchJson('/api/settings', { cookie })).body),
    change: (json: unknown) => server.fetchJson('/api/settings', { method: 'PATCH', json, cookie }),
    wallet: (call: string, json: unknown) =>
      server.fetchJson(`/api/users/${id}/wallet${call}`, { method: 'POST', json, cookie }),
  };
}

/** Everything a tab of this user hears of the user's data. */
async function listen({ cookie, id }: { cookie: string; id: string }) {
  const received: UserData[] = [];
  const socket = io(server.url, {
    transports: ['websocket'],
    forceNew: true,
    extraHeaders: { cookie },
    auth: { protocol: PROTOCOL_VERSION },
  });
  socket.on('user-data', (change) => received.push(userDataSchema.parse(change)));
  await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
  expect(await socket.emitWithAck('subscribe', { topic: rooms.user(id) })).toEqual({ ok: true });
  return { received, socket };
}

test('who has set nothing has the defaults [S3-25]', async () => {
  const user = await newUser();
  expect(await user.get()).toEqual({
    wallet: noWallet,
    telegramUsername: null,
    alerts: { minLiquidity: 0.5, maxRisk: 30, newTokenAlerts: true, priceChangeAlerts: true, alertsPerHour: 6 },
  });
});

test('alert settings saved without the limit of an hour keep it, at first its default', async () => {
  const user = await newUser();
  const { alertsPerHour: _, ...specified } = alerts;
  await user.change({ alerts: specified });
  expect((await user.get()).alerts).toEqual({ ...alerts, alertsPerHour: 6 });
  await user.change({ alerts });
  await user.change({ alerts: { ...specified, maxRisk: 50 } });
  expect((await user.get()).alerts).toEqual({ ...alerts, maxRisk: 50 });
  for (const alertsPerHour of [0, 61, 2.5])
    expect(await user.change({ alerts: { ...alerts, alertsPerHour } })).toMatchObject({ status: 400 });
});

test('settings are returned, stored, and present after a restart in another browser [S2.8-08]', async () => {
  const user = await newUser();
  const reply = await user.change({ walletAddress: address(1), telegramUsername: '@some_user', alerts });
  expect(reply.status).toBe(200);
  const settings = settingsSchema.parse(reply.body);
  expect(settings).toEqual({
    wallet: { walletAddress: address(1), hasKey: false, savedAt: expect.any(String) },
    telegramUsername: 'some_user',
    alerts,
  });
  expect(await user.get()).toEqual(settings);
  await server.restart();
  expect(await user.get()).toEqual(settings);
});

test('settings belong to the caller; without a session there are none [S6-04]', async () => {
  const [user, other] = [await newUser(), await newUser()];
  await user.change({ telegramUsername: 'mine_alone' });
  expect((await other.get()).telegramUsername).toBeNull();
  expect((await server.fetchJson('/api/settings')).status).toBe(401);
  expect(await server.fetchJson('/api/settings', { method: 'PATCH', json: {} })).toMatchObject({ status: 401 });
});

test.each(['', '   ', '0x52908400098527886E0F7030069857D2E4169EE7', '11111111111111111111111111111111111111111111'])(
  'the wallet address "%s" is refused beside its field [S5-06]',
  async (walletAddress) => {
    const user = await newUser();
    expect(await user.change({ walletAddress })).toMatchObject({
      status: 400,
      body: { details: { walletAddress: ['Please enter a valid wallet address.'] } },
    });
    expect((await user.get()).wallet).toEqual(noWallet);
  },
);

test('changes of different fields at the same time do not overwrite each other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const user = await newUser();
    await Promise.all([
      user.change({ telegramUsername: 'same_time' }),
      user.change({ alerts }),
      user.change({ walletAddress: address(2) }),
    ]);
    expect(await user.get()).toMatchObject({
      telegramUsername: 'same_time',
      alerts,
      wallet: { walletAddress: address(2) },
    });
  }
});

test('an address replaces a wallet with a key only when that is agreed to, and the key stays recoverable', async () => {
  const user = await newUser();
  await user.wallet('', testWallet(3));
  const refused = await user.change({ walletAddress: address(4), telegramUsername: 'not_now' });
  expect(refused).toMatchObject({ status: 409, body: { code: 'wallet-has-key' } });
  expect(await user.get()).toMatchObject({ wallet: { walletAddress: address(3) }, telegramUsername: null });
  const agreed = await user.change({ walletAddress: address(4), replaceKey: true });
  expect(settingsSchema.parse(agreed.body).wallet).toMatchObject({ walletAddress: address(4), hasKey: false });
  expect(await user.wallet('/reveal', { password: PASSWORD })).toMatchObject({ status: 404, body: { code: 'no-key' } });
  const { body } = await server.fetchJson(`/api/users/${user.id}/wallet/previous`, { cookie: user.cookie });
  expect(body).toMatchObject([{ walletAddress: address(3) }]);
});

test('the address of the present wallet keeps its key, with or without replaceKey', async () => {
  const user = await newUser();
  await user.wallet('', testWallet(5));
  for (const replaceKey of [false, true]) {
    const { body } = await user.change({ walletAddress: address(5), replaceKey });
    expect(settingsSchema.parse(body).wallet).toMatchObject({ walletAddress: address(5), hasKey: true });
  }
});

test('every other tab of the user, and no other user, receives a change exactly as the response has it [S6-04]', async () => {
  const [user, other] = [await newUser(), await newUser()];
  const [tab, stranger] = [await listen(user), await listen(other)];
  // S6-04: on the socket as well.
  expect(await stranger.socket.emitWithAck('subscribe', { topic: rooms.user(user.id) })).toMatchObject({
    code: 'forbidden',
  });
  const saved = await user.wallet('', testWallet(6));
  const settings = await user.change({ telegramUsername: 'told_you' });
  const replaced = await user.change({ walletAddress: address(7), replaceKey: true });
  // None of these changes anything.
  await user.change({});
  await user.change({ walletAddress: address(7) });
  await user.wallet('', { ...testWallet(6), walletAddress: address(7) });
  const other2 = await other.change({ telegramUsername: 'somebody_else' });
  await vi.waitFor(() => expect(stranger.received).toHaveLength(1));
  await vi.waitFor(() => expect(tab.received).toHaveLength(5));
  expect(stranger.received).toEqual([{ subject: 'settings', op: 'saved', item: other2.body }]);
  const afterSave = settingsSchema.parse(settings.body);
  expect(tab.received).toEqual([
    { subject: 'wallet', op: 'saved', item: saved.body },
    { subject: 'settings', op: 'saved', item: { ...afterSave, telegramUsername: null } },
    { subject: 'settings', op: 'saved', item: settings.body },
    { subject: 'wallet', op: 'saved', item: settingsSchema.parse(replaced.body).wallet },
    { subject: 'settings', op: 'saved', item: replaced.body },
  ]);
  expect(JSON.stringify(tab.received)).not.toContain(testWallet(6).privateKey);
  tab.socket.close();
  stranger.socket.close();
});

test('after many concurrent changes the last event carries the stored state', async () => {
  const user = await newUser();
  const { received, socket } = await listen(user);
  const names = Array.from({ length: 20 }, (_, number) => `changing_${number}`);
  await Promise.all(names.map((telegramUsername) => user.change({ telegramUsername })));
  await vi.waitFor(() => expect(received).toHaveLength(names.length));
  expect(received.at(-1)).toEqual({ subject: 'settings', op: 'saved', item: await user.get() });
  socket.close();
});
