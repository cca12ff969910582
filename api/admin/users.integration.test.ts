import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { auditPageSchema } from '../../common/audit/model.ts';
import { startTestServer, testServer } from '../test-server.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import { PROCESSES } from '../testing/server.ts';
import { testWallet } from '../testing/wallets.ts';

const PATH = adminCalls.users.path;
const FORBIDDEN = {
  status: 403,
  body: { error: "You don't have permission to access this resource", code: 'forbidden' },
};
const LAST = { status: 409, body: { code: 'last-admin' } };

const server = await testServer({ env: PROCESSES });
const root = await person(server, 'Root', { isAdmin: true });
const alice = await person(server, 'Alice');

const users = () => server.connection.collection('users');
const link = (user: Person, chatId: string, goneAt: Date | null = null) =>
  server.connection.collection('telegramLinks').insertOne({
    _id: new Types.ObjectId(user.id),
    chatId,
    telegramUserId: chatId,
    username: null,
    linkedAt: new Date(),
    goneAt,
  });

async function list(query = ''): Promise<{ users: AdminUser[]; total: string | null }> {
  const { status, headers, body } = await root.call(`${PATH}${query}`);
  expect(status).toBe(200);
  return { users: adminCalls.users.output.parse(body), total: headers.get('X-Total-Count') };
}
const names = async (query: string) => (await list(query)).users.map(({ username }) => username);
const setAdmin = (by: Person, id: string, isAdmin: unknown) =>
  by.call(`${PATH}/${id}`, { method: 'PATCH', json: { isAdmin } });

test('lists users with their public fields, newest first [S3-14, S7.3-13]', async () => {
  const linked = await person(server, 'Linked');
  await link(linked, '70012345');
  const { walletAddress, privateKey } = testWallet(9);
  await linked.call(`/api/users/${linked.id}/wallet`, { method: 'POST', json: { walletAddress, privateKey } });
  const { users: found } = await list();
  const entry = found.find(({ id }) => id === linked.id);
  expect(entry).toEqual({
    id: linked.id,
    username: 'Linked',
    isAdmin: false,
    isActive: true,
    telegramId: '70012345',
    walletAddress,
    createdAt: expect.any(String),
  });
  expect(Object.keys(found.find(({ id }) => id === alice.id) ?? {})).toEqual([
    'id',
    'username',
    'isAdmin',
    'isActive',
    'createdAt',
  ]);
  const times = found.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort((a, b) => b.localeCompare(a)));
});

test('finds users by a prefix of the name or of the chat id, by page [S7.3-13]', async () => {
  const people = [];
  for (const name of ['Zoe 1', 'Zoe 2', 'zoe 3', 'Azoe']) people.push(await person(server, name));
  const [first] = people;
  if (first) await link(first, '80055');
  expect(await names('?q=zoe')).toEqual(['zoe 3', 'Zoe 2', 'Zoe 1']);
  expect(await names('?q=%20ZOE%202%20')).toEqual(['Zoe 2']);
  expect(await names('?q=800')).toEqual(['Zoe 1']);
  expect(await names('?q=0055')).toEqual([]);
  expect(await names('?q=.*')).toEqual([]);
  expect(await list('?q=zoe&limit=1&skip=1')).toMatchObject({ users: [{ username: 'Zoe 2' }], total: '3' });
  const { total } = await list('?limit=1');
  expect(Number(total)).toBe(await users().countDocuments());
});

test('refuses other users [S7.3-13, S7.3-14, S7.3-15, S6-07, S8.1-03]', async () => {
  const calls: [string, object][] = [
    [PATH, {}],
    [adminCalls.userStats.path, {}],
    [`${PATH}/${alice.id}`, { method: 'PATCH', json: { isAdmin: true } }],
  ];
  for (const [path, options] of calls) {
    expect(await alice.call(path, options)).toMatchObject(FORBIDDEN);
    expect((await server.fetchJson(path, options)).status).toBe(401);
  }
  expect(await users().findOne({ username: 'Alice' })).toMatchObject({ isAdmin: false });
});

test('counts all users, linked users and active chats [S3-24, S7.3-14]', async () => {
  const before = adminCalls.userStats.output.parse((await root.call(adminCalls.userStats.path)).body);
  await link(await person(server, 'Here'), '90001');
  await link(await person(server, 'Gone'), '90002', new Date());
  expect((await root.call(adminCalls.userStats.path)).body).toEqual({
    telegramUsers: before.telegramUsers + 2,
    totalUsers: before.totalUsers + 2,
    activeUsers: before.activeUsers + 1,
  });
});

test('grants and withdraws rights, and records each change once [S4-23, S7.3-15]', async () => {
  const carol = await person(server, 'Carol');
  expect(await carol.call(PATH)).toMatchObject(FORBIDDEN);
  expect(await setAdmin(root, carol.id, true)).toMatchObject({ status: 200, body: { id: carol.id, isAdmin: true } });
  expect(await setAdmin(root, carol.id, true)).toMatchObject({ status: 200, body: { isAdmin: true } });
  expect((await carol.call('/api/auth/me')).body).toMatchObject({ isAdmin: true });
  expect((await carol.call(PATH)).status).toBe(200);
  expect(await setAdmin(root, carol.id, false)).toMatchObject({ status: 200, body: { id: carol.id, isAdmin: false } });
  expect(await setAdmin(root, carol.id, false)).toMatchObject({ status: 200, body: { isAdmin: false } });
  expect(await carol.call(PATH)).toMatchObject(FORBIDDEN);
  const { body } = await carol.call(`/api/users/${carol.id}/audit`);
  const by = { actor: 'Root', subject: 'Carol', address: null };
  const byRoot = auditPageSchema.parse(body).entries.filter(({ actor }) => actor === 'Root');
  expect(byRoot).toMatchObject([
    { action: 'admin-revoked', ...by },
    { action: 'admin-granted', ...by },
  ]);
});

test('refuses unknown users and invalid input [S7.3-15]', async () => {
  expect(await setAdmin(root, 'f'.repeat(24), true)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(await setAdmin(root, 'f'.repeat(24), false)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  for (const wrong of ['yes', 1, null]) expect((await setAdmin(root, alice.id, wrong)).status).toBe(400);
});

test('closes the sockets of a user whose rights changed [S4-23, L1]', async () => {
  const dave = await person(server, 'Dave');
  const before = await socketOf(server, dave);
  expect(await before.emitWithAck('subscribe', { topic: 'admin' })).toMatchObject({ code: 'forbidden' });
  const dropped = (socket: typeof before) => new Promise<string>((resolve) => socket.once('disconnect', resolve));
  const first = dropped(before);
  await setAdmin(root, dave.id, true);
  expect(await first).toBe('io server disconnect');
  const admin = await socketOf(server, dave);
  expect(await admin.emitWithAck('subscribe', { topic: 'admin' })).toEqual({ ok: true });
  const second = dropped(admin);
  await setAdmin(root, dave.id, false);
  await second;
  const after = await socketOf(server, dave);
  expect(await after.emitWithAck('subscribe', { topic: 'admin' })).toMatchObject({ code: 'forbidden' });
});

/** Makes exactly these users administrators; each test restores `root` at its end. */
async function setAdmins(...admins: Person[]): Promise<void> {
  const ids = admins.map(({ id }) => new Types.ObjectId(id));
  await users().updateMany({ _id: { $nin: ids } }, { $set: { isAdmin: false } });
  await users().updateMany({ _id: { $in: ids } }, { $set: { isAdmin: true } });
}
const admins = () => users().countDocuments({ isAdmin: true });

test('keeps the last active administrator [S6-08]', async () => {
  const inactive = await person(server, 'Inactive');
  await setAdmins(root, inactive);
  await users().updateOne({ username: 'Inactive' }, { $set: { isActive: false } });
  expect(await setAdmin(root, root.id, false)).toMatchObject({
    ...LAST,
    body: { error: 'This is the last administrator. Make another user an administrator first.' },
  });
  expect((await root.call(PATH)).status).toBe(200);
  expect((await setAdmin(root, inactive.id, false)).status).toBe(200);
  expect(await setAdmin(root, root.id, false)).toMatchObject(LAST);
});

test('keeps an administrator when several withdraw each other’s rights at once on two servers [S6-08]', async () => {
  const other = await startTestServer({ env: { ...PROCESSES, ROLES: 'http' }, mongoUri: server.mongoUri });
  try {
    const crowd = [root];
    for (const name of ['Mallory', 'Trent', 'Victor']) crowd.push(await person(server, name));
    for (let round = 0; round < 6; round += 1) {
      const two = crowd.slice(0, 2 + (round % 3));
      await setAdmins(...two);
      const replies = await Promise.all(
        two.map((by, index) => {
          const target = two[(index + 1) % two.length] ?? by;
          const through = index % 2 === 0 ? server : other;
          const options = { method: 'PATCH', json: { isAdmin: false }, cookie: by.cookie };
          return through.fetchJson(`${PATH}/${target.id}`, options);
        }),
      );
      expect(await admins()).toBeGreaterThanOrEqual(1);
      // Exactly the confirmed changes were made.
      const done = replies.filter(({ status }) => status === 200).length;
      expect(done).toBeGreaterThanOrEqual(1);
      expect(await admins()).toBe(two.length - done);
      for (const { status } of replies) expect([200, 403, 409, 429]).toContain(status);
    }
  } finally {
    await other.stop();
    await setAdmins(root);
  }
}, 60_000);
