import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { type Audit, openAudit } from '../audit/service.ts';
import { createDefaults } from '../templates/defaults.ts';
import { templateModels } from '../templates/model.ts';
import { openTemplates, type Templates } from '../templates/service.ts';
import { testConnection } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { type AdminRights, createAdminRights } from '../users/admin-rights.ts';
import { userModel } from '../users/model.ts';
import { openUsers, type Users } from '../users/service.ts';
import { createUserAdmin, type UserAdmin } from './users.ts';

const clock = { now: Date.now };
const ids = Array.from({ length: 200 }, () => new Types.ObjectId());
const [first = new Types.ObjectId()] = ids;
const userId = first.toHexString();
const by = { user: { _id: first, username: 'User 0' }, address: '198.51.100.7' };
const before = 'f'.repeat(24);

const connection = await testConnection({ monitorCommands: true });
let audit: Audit;
let users: Users;
let userAdmin: UserAdmin;
let rights: AdminRights;
let templates: Templates;
let explained: Explained;

beforeAll(async () => {
  audit = await openAudit(connection, clock);
  users = await openUsers(connection, clock);
  const model = userModel(connection);
  await model.insertMany(
    ids.map((_id, number) => ({
      _id,
      username: `User ${number}`,
      usernameKey: `user ${number}`,
      passwordHash: 'x',
      isAdmin: number < 2,
      isActive: true,
      createdAt: new Date(number),
    })),
  );
  for (const id of ids) await audit.record('user-looked-up', by, id.toHexString());
  for (let number = 0; number < 20; number += 1) {
    await audit.record('login-failed', { user: null, name: 'unknown', address: by.address }, userId);
  }
  rights = createAdminRights(connection);
  userAdmin = createUserAdmin({
    model,
    rights,
    wallets: { addressesOf: async () => new Map() },
    links: {
      countLinked: async () => 0,
      countActive: async () => 0,
      ofUsers: async () => new Map(),
      usersByChatIdPrefix: async () => [userId],
    },
    adminActions: audit,
  });
  templates = await openTemplates({ connection, adminActions: audit, clock });
  for (let number = 0; number < 30; number += 1) {
    await templates.create({ name: `${number}`, type: `type-${number % 5}`, template: 'x', isDefault: false }, by);
  }
  explained = explainer(connection);
});

const limit = 5;
const action = 'user-looked-up';

test.each<[string, () => Promise<unknown>]>([
  ['the whole audit', () => audit.list(null, { limit })],
  ['its next page', () => audit.list(null, { limit, before })],
  ['one action', () => audit.list(null, { limit, action, before })],
  ['one user', () => audit.list({ userId }, { limit, before })],
  ['one user and action', () => audit.list({ userId }, { limit, action, before })],
  ['a nameless actor', () => audit.list({ name: 'unknown' }, { limit, before })],
  ['a nameless actor and action', () => audit.list({ name: 'unknown' }, { limit, action: 'login-failed' })],
  ['entries about a user', () => audit.listAbout(userId, { limit })],
  ['their next page', () => audit.listAbout(userId, { limit, before })],
  ['usernames', () => users.namesOf([userId])],
  ['all users', () => userAdmin.list({ limit, skip: 10 })],
  ['the numbers of users', () => userAdmin.stats()],
  ['granting', () => rights.grant(ids[5]?.toHexString() ?? '', async () => {})],
  ['withdrawing', () => rights.withdraw(ids[5]?.toHexString() ?? '', async () => {})],
  ['the default of a type', () => templates.defaultOf('type-1')],
  ['the oldest of a type', () => createDefaults(templateModels(connection)).of('type-9')],
])('reads %s by an index, without sorting', async (_name, run) => {
  expectIndexed(await explained.plans(run));
});

test.each(['user 1', '700'])('finds users with the prefix %s by an index', async (q) => {
  const found = await explained.plans(() => userAdmin.list({ q, limit, skip: 0 }));
  expectIndexed(found, { sorts: true });
});

test('reads the list of templates in index order', async () => {
  const [records] = await explained.plans(() => templates.list());
  expect(records).toContain('IXSCAN');
  expect(records).not.toContain('SORT');
});
