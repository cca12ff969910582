import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { authCalls } from '../../../common/auth/http.ts';
import { everyCall } from '../../../common/calls.ts';
import { API_REFERENCE, OPEN_API } from '../../../common/docs/paths.ts';
import type { Confirm } from '../../../common/http.ts';
import { MINUTE } from '../../../common/time.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import { testServer } from '../../test-server.ts';
import type { Reply } from '../../testing/server.ts';
import { sampleRecord, tokenRecord, tradeRecord } from '../../testing/tokens.ts';
import { tokenModels } from '../../tokens/model.ts';
import { validatorOf } from '../testing/validator.ts';
import { exampleOf } from './example.ts';
import type { JsonSchema } from './json-schema.ts';
import { EXAMPLE_ADDRESS, EXAMPLE_ID } from './named-schemas.ts';
import type { OpenApi, Operation } from './open-api.ts';

/** Whether a call may take the token away from the calls after it. */
const removesTokens = (name: string) => name.startsWith('maintenance.');

let api: OpenApi;
let cookie: string;

const server = await testServer();
beforeAll(async () => {
  const reply = await server.fetchJson(OPEN_API);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  api = z.custom<OpenApi>().parse(reply.body);
  await becomeTheExample();
  const { tokens, trades, samples } = tokenModels(server.connection);
  await tokens.insertMany([tokenRecord(1, { _id: EXAMPLE_ADDRESS })]);
  await trades.insertMany([tradeRecord(EXAMPLE_ADDRESS, 1, new Date())]);
  await samples.insertMany([sampleRecord(EXAMPLE_ADDRESS, 'minute', new Date())]);
});

/** Signs in as an administrator whose id is the one of the examples. */
async function becomeTheExample(): Promise<void> {
  await server.register('Example');
  const users = server.connection.collection('users');
  const user = await users.findOne({ username: 'Example' });
  if (user === null) throw new Error('the user is missing');
  await users.deleteOne({ _id: user._id });
  await users.insertOne({ ...user, _id: new Types.ObjectId(EXAMPLE_ID), isAdmin: true });
  cookie = await server.login('Example');
}

/** Signs in again after a call that has ended or replaced the session, as a login does. */
async function keepSession(): Promise<void> {
  const { status } = await server.fetchJson(authCalls.me.path, { cookie });
  if (status === 401) cookie = await server.login('Example');
}

const examplesIn = (schema: JsonSchema) => exampleOf(schema, api.components.schemas);

/** Makes the call with the examples of its required parameters and of its body. */
function callWithExamples(path: string, method: string, { parameters, requestBody }: Operation): Promise<Reply> {
  const required = parameters.filter((parameter) => parameter.required);
  const filled = required
    .filter(({ in: place }) => place === 'path')
    .reduce((to, { name, schema }) => to.replace(`{${name}}`, encodeURIComponent(String(examplesIn(schema)))), path);
  const query = new URLSearchParams(
    required.filter((one) => one.in === 'query').map(({ name, schema }) => [name, String(examplesIn(schema))]),
  );
  const schema = requestBody?.content['application/json'].schema;
  return server.fetchJson(query.size > 0 ? `${filled}?${query}` : filled, {
    method,
    cookie,
    ...(schema === undefined ? {} : { json: examplesIn(schema) }),
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
  });
}

test('every documented call responds to an example with a documented status and body', async () => {
  const ordered = everyCall().toSorted(
    (one, other) => Number(removesTokens(one.name)) - Number(removesTokens(other.name)),
  );
  const succeeded: string[] = [];
  for (const { name, call } of ordered) {
    const operation = api.paths[call.path]?.[call.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${name} is not documented`);
    const reply = await callWithExamples(call.path, call.method, operation);
    const documented = operation.responses[reply.status];
    expect(documented, `${name} responded ${reply.status}: ${JSON.stringify(reply.body)}`).toBeDefined();
    const schema = documented?.content?.['application/json'].schema;
    if (schema === undefined) throw new Error(`${name} documents no body for ${reply.status}`);
    const parsed = validatorOf(schema, api.components.schemas).safeParse(reply.body);
    expect(parsed.error, `${name}: ${JSON.stringify(reply.body)}`).toBeUndefined();
    if (reply.status === 200) succeeded.push(name);
    if (name.startsWith('auth.')) await keepSession();
  }
  // Some need a bot, a chain or a wallet; if most failed, the test would compare error bodies only.
  expect(succeeded.length / ordered.length).toBeGreaterThan(0.6);
  expect(succeeded).toEqual(
    expect.arrayContaining(['tokens.list', 'tokens.detail', 'rules.create', 'strategies.create']),
  );
});

test('exactly the calls that declare it need a proof of identity of the last 5 minutes', async () => {
  const declared = (kind: Confirm) => everyCall().filter(({ call }) => call.confirm === kind);
  expect(declared('replacement').map(({ name }) => name)).toEqual([
    'apiKeys.create',
    'settings.change',
    'trading.changeAccount',
    'trading.liftGuard',
    'trading.resume',
    'wallet.save',
  ]);
  expect(declared('always').map(({ name }) => name)).toEqual([
    'admin.changeUser',
    'auth.setUpSecondFactor',
    'maintenance.removeAllTokens',
    'telegram.broadcast',
    'telegram.broadcastByAddress',
  ]);
  const confirmedAt = new Date(Date.now() - 5 * MINUTE);
  await server.connection.collection('sessions').updateMany({ userId: EXAMPLE_ID }, { $set: { confirmedAt } });
  for (const { call } of declared('always')) {
    const operation = api.paths[call.path]?.[call.method.toLowerCase()];
    const reply = operation && (await callWithExamples(call.path, call.method, operation));
    expect(reply, call.path).toMatchObject({ status: 403, body: { code: 'password-needed' } });
  }
});

test('the validator refuses a body that departs from the document', async () => {
  const { path, method } = tokenCalls.list;
  const operation = api.paths[path]?.[method.toLowerCase()];
  const schema = operation?.responses[200]?.content?.['application/json'].schema;
  if (schema === undefined) throw new Error('the list of tokens is not documented');
  const { body } = await server.fetchJson('/api/tokens', { cookie: await server.login('Example') });
  const tokens = z.array(z.record(z.string(), z.unknown())).parse(body);
  expect(validatorOf(schema, api.components.schemas).safeParse(tokens).success).toBe(true);
  expect(validatorOf(schema, api.components.schemas).safeParse([{ ...tokens[0], price: 'high' }]).success).toBe(false);
});

test('the page needs no session', async () => {
  const response = await fetch(server.url + API_REFERENCE);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain('<h1>API reference</h1>');
});
