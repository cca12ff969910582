import { expect, test } from 'vitest';
import { z } from 'zod';
import { previousWalletSchema, walletSchema } from '../../common/wallet/model.ts';
import { testServer } from '../test-server.ts';
import { PASSWORD } from '../testing/server.ts';
import { type TestWallet, testWallet, userIdOf } from '../testing/wallets.ts';

const server = await testServer();
const admin = await server.login('admin', server.adminPassword ?? '');

let users = 0;
/** A new user and their calls. */
async function newUser() {
  users += 1;
  const cookie = await server.register(`Owner ${users}`);
  const id = await userIdOf(server, cookie);
  return { cookie, id, ...callsOn(id, cookie) };
}

function callsOn(id: string, cookie: string) {
  const path = `/api/users/${id}/wallet`;
  const post = (call: string, json: unknown) =>
    server.fetchJson(`${path}${call}`, {
      method: 'POST',
      json,
      cookie,
      headers: { 'X-Forwarded-For': '198.51.100.7' },
    });
  return {
    get: () => server.fetchJson(path, { cookie }),
    save: (wallet: TestWallet) => post('', wallet),
    reveal: (password?: string) => post('/reveal', { password: password ?? PASSWORD }),
    previous: async () =>
      z.array(previousWalletSchema).parse((await server.fetchJson(`${path}/previous`, { cookie })).body),
    listPrevious: () => server.fetchJson(`${path}/previous`, { cookie }),
    recover: (walletId: string, password?: string) =>
      post('/recover', { id: walletId, password: password ?? PASSWORD }),
  };
}

/** The audit's entries of a user's wallet, oldest first. */
async function audited(userId: string) {
  const records = await server.connection.collection('audit').find().sort({ at: 1, _id: 1 }).toArray();
  return records
    .filter(
      ({ subjectId, action }) => String(subjectId) === userId && /^(wallet|key|user-looked)-/.test(String(action)),
    )
    .map(({ action, actorName, object, address }) => ({ action, actorName, object, address }));
}

test('a user saves a wallet with its key; the response is the wallet without it [S3-15, S3-17, S7.2-01]', async () => {
  const user = await newUser();
  expect((await user.get()).body).toEqual({ walletAddress: null, hasKey: false, savedAt: null });
  const reply = await user.save(testWallet(1));
  expect(reply.status).toBe(200);
  expect(walletSchema.parse(reply.body)).toMatchObject({ walletAddress: testWallet(1).walletAddress, hasKey: true });
  expect(JSON.stringify(reply.body)).not.toContain(testWallet(1).privateKey);
  expect((await user.get()).body).toEqual(reply.body);
  expect(await audited(user.id)).toEqual([
    {
      action: 'wallet-saved',
      actorName: `Owner ${users}`,
      object: testWallet(1).walletAddress,
      address: '198.51.100.7',
    },
  ]);
});

test('another user’s wallet is 403, whether that user exists; administrators may [S7.2-01, S6-04]', async () => {
  const [user, other] = [await newUser(), await newUser()];
  await user.save(testWallet(1));
  const unknownId = 'a'.repeat(24);
  for (const id of [user.id, unknownId]) {
    const calls = callsOn(id, other.cookie);
    for (const call of [
      calls.get(),
      calls.save(testWallet(2)),
      calls.reveal(),
      calls.listPrevious(),
      calls.recover(unknownId),
    ]) {
      expect(await call).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
  }
  const byAdmin = callsOn(user.id, admin);
  expect((await byAdmin.get()).body).toMatchObject({ walletAddress: testWallet(1).walletAddress });
  expect((await byAdmin.listPrevious()).status).toBe(200);
  expect((await byAdmin.get()).status).toBe(200);
  const looks = server.connection.collection('audit').find({ action: 'user-looked-up' }).sort({ _id: 1 });
  expect(await looks.toArray()).toMatchObject([
    { actorName: 'admin', object: 'wallet' },
    { actorName: 'admin', object: 'replaced wallets' },
  ]);
  expect((await byAdmin.save(testWallet(2))).status).toBe(200);
  expect((await user.get()).body).toMatchObject({ walletAddress: testWallet(2).walletAddress, hasKey: true });
  expect((await audited(user.id)).at(-1)).toMatchObject({ action: 'wallet-replaced', actorName: 'admin' });
  expect(await callsOn(unknownId, admin).get()).toMatchObject({
    status: 404,
    body: { error: 'There is no such user.' },
  });
  expect((await server.fetchJson(`/api/users/${user.id}/wallet`)).status).toBe(401);
});

test('a key that does not belong to the address is refused beside its field, and nothing changes [S7.2-01]', async () => {
  const user = await newUser();
  await user.save(testWallet(1));
  const reply = await user.save({ ...testWallet(2), privateKey: testWallet(3).privateKey });
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'key-mismatch',
      details: { privateKey: ['This private key does not belong to this wallet address.'] },
    },
  });
  expect((await user.get()).body).toMatchObject({ walletAddress: testWallet(1).walletAddress });
});

test('stored data does not contain the key and opens for this user alone [S3-18]', async () => {
  const [user, thief] = [await newUser(), await newUser()];
  await user.save(testWallet(4));
  await thief.save(testWallet(5));
  const wallets = server.connection.collection('wallets');
  const stored = await wallets.find().toArray();
  expect(JSON.stringify(stored)).not.toContain(testWallet(4).privateKey.slice(0, 16));
  const own = stored.find(({ _id }) => String(_id) === user.id);
  const stolen = { walletAddress: own?.walletAddress, sealedKey: own?.sealedKey };
  const its = stored.find(({ _id }) => String(_id) === thief.id)?._id;
  if (!its) throw new Error('the wallet is not stored');
  await wallets.updateOne({ _id: its }, { $set: stolen });
  const reply = await thief.reveal();
  expect(reply).toMatchObject({ status: 500, body: { code: 'key-unreadable' } });
  expect((await audited(thief.id)).at(-1)).toMatchObject({ action: 'key-unreadable' });
  expect(JSON.stringify(reply.body)).not.toContain(testWallet(4).privateKey.slice(0, 16));
});

test('a reveal asks for the password, returns the key in hex and is recorded [S7.2-03, S3-16]', async () => {
  const user = await newUser();
  expect(await user.reveal()).toMatchObject({ status: 409, body: { code: 'no-wallet' } });
  await user.save(testWallet(6));
  const wrong = await user.reveal('not the password');
  expect(wrong).toMatchObject({
    status: 403,
    body: { code: 'wrong-password', details: { password: ['This is not your password.'] } },
  });
  const reply = await user.reveal();
  expect(reply).toMatchObject({ status: 200, body: testWallet(6) });
  expect(testWallet(6).privateKey).toMatch(/^[0-9a-f]{128}$/);
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect((await audited(user.id)).map(({ action }) => action)).toEqual([
    'wallet-saved',
    'key-reveal-refused',
    'key-revealed',
  ]);
});

test('not even an administrator reveals or recovers another user’s wallet, and the attempt is recorded [S7.2-03]', async () => {
  const user = await newUser();
  await user.save(testWallet(1));
  await user.save(testWallet(2));
  const id = (await user.previous())[0]?.id ?? '';
  const byAdmin = callsOn(user.id, admin);
  for (const password of [PASSWORD, server.adminPassword ?? '']) {
    expect(await byAdmin.reveal(password)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
  expect(await byAdmin.recover(id, PASSWORD)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await audited(user.id)).slice(-3)).toMatchObject([
    { action: 'key-reveal-refused', actorName: 'admin' },
    { action: 'key-reveal-refused', actorName: 'admin' },
    { action: 'wallet-recover-refused', actorName: 'admin' },
  ]);
});

test('saving the same wallet again changes nothing', async () => {
  const user = await newUser();
  const { body } = await user.save(testWallet(7));
  expect((await user.save(testWallet(7))).body).toEqual(body);
  expect(await user.previous()).toEqual([]);
  expect(await audited(user.id)).toHaveLength(1);
});

test('a replaced wallet with a key can be had back for 30 days, with the password', async () => {
  const user = await newUser();
  await user.save(testWallet(8));
  await user.save(testWallet(9));
  const previous = await user.previous();
  expect(previous).toMatchObject([{ walletAddress: testWallet(8).walletAddress }]);
  const [{ id, replacedAt, recoverableUntil } = { id: '', replacedAt: '', recoverableUntil: '' }] = previous;
  expect(Date.parse(recoverableUntil) - Date.parse(replacedAt)).toBe(30 * 86_400_000);
  expect(JSON.stringify(previous)).not.toContain(testWallet(8).privateKey.slice(0, 16));

  expect(await user.recover(id, 'not the password')).toMatchObject({ status: 403, body: { code: 'wrong-password' } });
  expect((await user.recover(id)).body).toMatchObject({ walletAddress: testWallet(8).walletAddress, hasKey: true });
  expect((await user.reveal()).body).toEqual(testWallet(8));
  expect((await user.previous()).map(({ walletAddress }) => walletAddress)).toEqual([testWallet(9).walletAddress]);
  expect((await audited(user.id)).map(({ action }) => action)).toEqual([
    'wallet-saved',
    'wallet-replaced',
    'wallet-recover-refused',
    'wallet-recovered',
    'key-revealed',
  ]);
});

test('a copy older than 30 days is gone, even before the TTL index removes it', async () => {
  const user = await newUser();
  await user.save(testWallet(10));
  await user.save(testWallet(11));
  const id = (await user.previous())[0]?.id ?? '';
  await server.connection
    .collection('replacedWallets')
    .updateOne({ walletAddress: testWallet(10).walletAddress }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await user.previous()).toEqual([]);
  expect(await user.recover(id)).toMatchObject({
    status: 404,
    body: { code: 'not-found', error: 'This wallet can no longer be recovered.' },
  });
});

test('replaced wallets and the audit are swept by TTL indexes', async () => {
  for (const [collection, field, seconds] of [
    ['replacedWallets', 'expiresAt', 0],
    ['audit', 'at', 365 * 86_400],
  ] as const) {
    const indexes = await server.connection.collection(collection).indexes();
    const ttl = indexes.find(({ key }) => Object.keys(key).join() === field);
    expect(ttl?.expireAfterSeconds).toBe(seconds);
  }
});

test('wallets saved in 12 tabs at once: one is the wallet, and no key of the others is lost', async () => {
  const user = await newUser();
  const wallets = Array.from({ length: 12 }, (_, number) => testWallet(20 + number));
  const replies = await Promise.all(wallets.map((wallet) => user.save(wallet)));
  expect(replies.map(({ status }) => status)).toEqual(wallets.map(() => 200));
  const current = walletSchema.parse((await user.get()).body);
  const previous = await user.previous();
  const found = [current.walletAddress, ...previous.map(({ walletAddress }) => walletAddress)];
  expect(found).toHaveLength(wallets.length);
  expect(new Set(found)).toEqual(new Set(wallets.map(({ walletAddress }) => walletAddress)));
  for (const { id, walletAddress } of previous) {
    expect((await user.recover(id)).status).toBe(200);
    expect((await user.reveal()).body).toEqual(wallets.find((wallet) => wallet.walletAddress === walletAddress));
  }
});

test('a wallet and its key outlive a restart; another master key is refused in one line [S3-18, S2.8-08]', async () => {
  const user = await newUser();
  await user.save(testWallet(12));
  await server.restart();
  expect((await user.reveal()).body).toEqual(testWallet(12));
  for (const env of [{ WALLET_MASTER_KEY: '77'.repeat(32) }, { WALLET_MASTER_KEY: '' }]) {
    await expect(server.restart({ env })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        /^The stored wallets are encrypted with another master key \([0-9a-f]{16}\)\. Set/,
      ),
    });
  }
  await server.restart();
});
