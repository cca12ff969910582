import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { auditCalls } from '../../common/audit/http.ts';
import { webhookCalls } from '../../common/webhook/http.ts';
import { testServer } from '../test-server.ts';
import { person, tabOf } from '../testing/people.ts';
import { signatureOf } from './service.ts';

const PATH = webhookCalls.get.path;
const server = await testServer();
const alice = await person(server, 'Alice');
const bob = await person(server, 'Bob');

const save = (url: string) => alice.call(PATH, { method: 'PUT', json: { url } });
const get = async (who = alice) => webhookCalls.get.output.parse((await who.call(PATH)).body);

test('shows the secret once and only the host of the address, stores both sealed, and records each change', async () => {
  const tab = await tabOf(server, alice);
  const saved = webhookCalls.save.output.parse((await save('https://hooks.example/services/T0/secret-part')).body);
  expect(saved.secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(saved.webhook).toMatchObject({ host: 'hooks.example', last: null });
  expect(await get()).toEqual(saved.webhook);
  expect(await get(bob)).toBeNull();
  const stored = JSON.stringify(await server.connection.collection('webhooks').find().toArray());
  expect(stored).not.toContain('secret-part');
  expect(stored).not.toContain(saved.secret);
  const again = webhookCalls.save.output.parse((await save('https://hooks.example/other')).body);
  expect(again.secret).not.toBe(saved.secret);
  expect((await alice.call(PATH, { method: 'DELETE' })).body).toEqual({ ok: true });
  expect((await alice.call(PATH, { method: 'DELETE' })).status).toBe(404);
  expect(await get()).toBeNull();
  await tab.settled();
  expect(tab.received.at(-1)).toEqual({ subject: 'webhook', op: 'saved', item: null });
  const { body } = await alice.call(`/api/users/${alice.id}/audit`);
  const actions = auditCalls.ofUser.output.parse(body).entries.map(({ action, object }) => `${action} ${object}`);
  expect(actions.slice(0, 3)).toEqual([
    'webhook-deleted hooks.example',
    'webhook-saved hooks.example',
    'webhook-saved hooks.example',
  ]);
});

test.each([
  'http://127.0.0.1/x',
  'http://[::1]/x',
  'https://169.254.169.254/latest',
  'http://2130706433/',
  'http://localhost:3000/',
  'https://hooks.example:25/',
  'ftp://hooks.example/',
  'https://user:password@hooks.example/',
  'hooks.example',
])('refuses %s, and names the field', async (url) => {
  const reply = await save(url);
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  expect(reply.body).toHaveProperty('details.url');
});

test('nothing is tested without a webhook', async () => {
  expect((await bob.call(webhookCalls.test.path, { method: 'POST', json: {} })).status).toBe(404);
});

test('the signature is an HMAC of time and body with the secret', () => {
  const expected = createHmac('sha256', 'whsec_x').update('1770000000.{"a":1}').digest('hex');
  expect(signatureOf('whsec_x', 1_770_000_000_999, '{"a":1}')).toBe(`t=1770000000,v1=${expected}`);
});
