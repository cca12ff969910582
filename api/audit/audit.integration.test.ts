import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { auditCalls } from '../../common/audit/http.ts';
import type { AuditPage } from '../../common/audit/model.ts';
import { testServer } from '../test-server.ts';
import { type Person, person } from '../testing/people.ts';
import { noLimits } from '../testing/server.ts';
import { openAudit } from './service.ts';

const FORBIDDEN = {
  status: 403,
  body: { error: "You don't have permission to access this resource", code: 'forbidden' },
};

const server = await testServer({ limits: { ...noLimits, loginPerAccount: { tries: 3, seconds: 600 } } });
const root = await person(server, 'Root', { isAdmin: true });
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');

async function pageOf(reader: Person, path: string): Promise<AuditPage> {
  const { status, body } = await reader.call(path);
  expect(status).toBe(200);
  return auditCalls.list.output.parse(body);
}
const all = (query: string) => pageOf(root, `/api/admin/audit?${query}`);
const own = (reader: Person, query = '', userId = reader.id) => pageOf(reader, `/api/users/${userId}/audit?${query}`);
const fail = (username: string) =>
  server.fetchJson('/api/auth/login', { method: 'POST', json: { username, password: 'a wrong guess' } });

test('records a failed login with the affected user, but never an unknown username', async () => {
  expect((await fail('alice')).status).toBe(401);
  expect((await fail('my-password-by-mistake')).status).toBe(401);
  const { entries } = await all('action=login-failed&limit=2');
  const from = { action: 'login-failed', actor: 'unknown', object: null, address: '127.0.0.1' };
  expect(entries).toMatchObject([
    { ...from, subject: null },
    { ...from, subject: 'Alice' },
  ]);
  expect(JSON.stringify(await server.connection.collection('audit').find().toArray())).not.toContain('mistake');
  expect((await own(alice)).entries).toContainEqual(entries[1]);
});

test('records no failed login beyond the rate limit', async () => {
  const guesses = [];
  for (let number = 0; number < 6; number += 1) guesses.push((await fail('Bob')).status);
  expect(guesses).toEqual([401, 401, 401, 429, 429, 429]);
  expect((await own(bob)).entries.filter(({ action }) => action === 'login-failed')).toHaveLength(3);
});

test('records lookups of other users by administrators, by id and by name', async () => {
  const carol = await person(server, 'Carol');
  await root.call(`/api/users/${carol.id}`);
  await root.call('/api/users?username=CAROL');
  await root.call(`/api/users/${root.id}`);
  await root.call('/api/users?username=missing');
  await carol.call(`/api/users/${carol.id}`);
  await alice.call(`/api/users/${carol.id}`);
  const lookup = { action: 'user-looked-up', actor: 'Root', subject: 'Carol', object: null };
  expect((await all('action=user-looked-up')).entries).toMatchObject([lookup, lookup]);
  expect((await own(carol)).entries).toMatchObject([lookup, lookup, { action: 'registered', actor: 'Carol' }]);
});

test('shows a look at the data of all users to each of them, once an hour for each kind', async () => {
  const ivan = await person(server, 'Ivan', { isAdmin: true });
  for (const path of ['/api/admin/users', '/api/admin/users?q=a', '/api/admin/audit', '/api/admin/audit?limit=1']) {
    expect((await ivan.call(path)).status).toBe(200);
  }
  const later = await person(server, 'Later');
  const listing = { action: 'users-listed', actor: 'Ivan', subject: null, address: null };
  const byIvan = async (reader: Person) => (await own(reader)).entries.filter(({ actor }) => actor === 'Ivan');
  expect(await byIvan(alice)).toMatchObject([
    { ...listing, object: 'audit log' },
    { ...listing, object: 'users' },
  ]);
  expect(await byIvan(later)).toEqual([]);
});

test('shows a stop of all trading to every user', async () => {
  const judy = await person(server, 'Judy', { isAdmin: true });
  const by = { user: { _id: new Types.ObjectId(judy.id), username: 'Judy' }, address: '127.0.0.1' };
  const audit = await openAudit(server.connection, { now: Date.now });
  await audit.record('trading-stopped-all', by, null);
  const later = await person(server, 'Registered later');
  const stops = async (reader: Person) =>
    (await own(reader)).entries.filter(({ action }) => action === 'trading-stopped-all');
  expect(await stops(alice)).toMatchObject([{ actor: 'Judy', subject: null, address: null }]);
  expect(await stops(later)).toEqual([]);
});

test('hides an administrator’s address from other users', async () => {
  const gina = await person(server, 'Gina', { isAdmin: true });
  await root.call(`/api/users/${gina.id}`);
  await gina.call(`/api/users/${gina.id}/wallet/reveal`, { method: 'POST', json: { password: 'a wrong guess' } });
  await fail('Gina');
  const asAdmin = (await own(gina)).entries.map(({ action, address }) => [action, address]);
  expect(asAdmin).toContainEqual(['user-looked-up', '127.0.0.1']);
  expect((await root.call(`/api/admin/users/${gina.id}`, { method: 'PATCH', json: { isAdmin: false } })).status).toBe(
    200,
  );
  const asUser = (await own(gina)).entries.map(({ action, address }) => [action, address]);
  expect(asUser).toContainEqual(['admin-revoked', null]);
  expect(asUser).toContainEqual(['user-looked-up', null]);
  // The user sees the addresses of failed attempts by strangers.
  expect(asUser).toContainEqual(['login-failed', '127.0.0.1']);
  expect(asUser).toContainEqual(['key-reveal-refused', '127.0.0.1']);
});

test('shows the whole log to administrators only, and to users their own part [S8.1-03]', async () => {
  expect(await alice.call('/api/admin/audit')).toMatchObject(FORBIDDEN);
  expect(await alice.call(`/api/users/${bob.id}/audit`)).toMatchObject(FORBIDDEN);
  expect(await alice.call(`/api/users/${'f'.repeat(24)}/audit`)).toMatchObject(FORBIDDEN);
  expect((await server.fetchJson('/api/admin/audit')).status).toBe(401);
  expect((await server.fetchJson(`/api/users/${bob.id}/audit`)).status).toBe(401);
});

test('records an administrator’s lookup of a user’s entries once, not per page', async () => {
  // As Bob reads it: a query of the administrator for Bob's entries is a look itself.
  const looks = async () => (await own(bob)).entries.filter(({ action }) => action === 'user-looked-up').length;
  const before = await looks();
  const { entries } = await own(root, 'limit=2', bob.id);
  expect(entries[0]).toMatchObject({ action: 'user-looked-up', actor: 'Root', subject: 'Bob' });
  await own(root, `limit=2&before=${entries[1]?.id}`, bob.id);
  await own(bob);
  await own(root);
  await own(root, '', 'f'.repeat(24));
  expect(await looks()).toBe(before + 1);
});

test('records a lookup that begins with a further page, or filters by an actor without a user', async () => {
  const olga = await person(server, 'Olga', { isAdmin: true });
  const byOlga = async () =>
    (await own(bob)).entries.filter(({ actor }) => actor === 'Olga').map(({ object }) => object);
  const [newest] = (await own(bob, 'limit=1')).entries;
  await own(olga, `limit=2&before=${newest?.id}`, bob.id);
  expect(await byOlga()).toEqual(['audit log']);
  await own(olga, '', bob.id);
  await pageOf(olga, '/api/admin/audit?user=bob');
  expect(await byOlga()).toEqual(['audit log']);
  await pageOf(olga, '/api/admin/audit?user=no-such-user');
  expect(await byOlga()).toHaveLength(1);
  await pageOf(olga, '/api/admin/audit?user=unknown&limit=1');
  const looks = (await own(bob)).entries.filter(({ actor }) => actor === 'Olga').map(({ action }) => action);
  expect(looks).toEqual(['users-listed', 'user-looked-up']);
});

test('returns pages without a gap, newest first', async () => {
  const dave = await person(server, 'Dave');
  for (let number = 0; number < 7; number += 1) await root.call(`/api/users/${dave.id}`);
  const found = [];
  let before = '';
  for (let pages = 0; pages < 10; pages += 1) {
    const { entries, next } = await own(dave, `limit=3${before}`);
    expect(entries.length).toBeLessThanOrEqual(3);
    found.push(...entries);
    if (next === null) break;
    before = `&before=${next}`;
  }
  expect(found).toEqual((await own(dave, 'limit=200')).entries);
  // The lookups, and Dave's registration.
  expect(found).toHaveLength(8);
  const times = found.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => b.localeCompare(a)));
});

test('filters by a user, as actor or subject, and by an action', async () => {
  const erin = await person(server, 'Erin', { isAdmin: true });
  await erin.call(`/api/users/${bob.id}`);
  await root.call(`/api/users/${erin.id}`);
  await fail('Erin');
  const actions = async (query: string) =>
    (await all(query)).entries.map(({ action, actor, subject }) => [action, actor, subject]);
  const looks = [
    ['user-looked-up', 'Root', 'Erin'],
    ['user-looked-up', 'Erin', 'Bob'],
  ];
  expect(await actions('user=erin')).toEqual([
    ['login-failed', 'unknown', 'Erin'],
    ...looks,
    // Under the name at that time (testing/people.ts).
    ['registered', 'Erin of a test', 'Erin'],
  ]);
  // The first query was a look itself.
  expect(await actions('user=Erin&action=user-looked-up')).toEqual([['user-looked-up', 'Root', 'Erin'], ...looks]);
  expect(await actions('user=no-such-user')).toEqual([]);
  const unknown = await actions('user=unknown');
  expect(unknown.length).toBeGreaterThan(0);
  expect(new Set(unknown.map(([, actor]) => actor))).toEqual(new Set(['unknown']));
});

test.each(['action=nonsense', 'before=1', 'limit=0', 'limit=201', 'subject=x'])('refuses %s', async (query) => {
  expect(await root.call(`/api/admin/audit?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
});

test('limits lookups of users; beyond the limit none is shown or recorded', async () => {
  const limits = { ...noLimits, adminActionPerUser: { tries: 2, seconds: 600 } };
  const frank = await person(server, 'Frank', { isAdmin: true });
  await server.restart({ limits });
  const replies = [];
  for (let number = 0; number < 4; number += 1) replies.push(await frank.call(`/api/users/${bob.id}`));
  await server.restart();
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  expect((await all('user=Frank&action=user-looked-up')).entries).toHaveLength(2);
});
