import { expect, test } from 'vitest';
import { everyCall } from '../../../common/calls.ts';
import { clientEvents, connectionEvents, feedEvents, roomEvents } from '../../../common/live/events.ts';
import { PROTOCOL_VERSION } from '../../../common/live/protocol.ts';
import { validatorOf } from '../testing/validator.ts';
import { exampleOf } from './example.ts';
import { SCHEMA_PATH } from './json-schema.ts';
import { type Operation, openApi } from './open-api.ts';
import { referencePage } from './page.ts';

const api = openApi('1.2.3');
const { schemas } = api.components;

function operationOf(name: string): Operation {
  const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));
  const found = operations.find(({ operationId }) => operationId === name);
  if (found === undefined) throw new Error(`${name} is not documented`);
  return found;
}

test.each(everyCall())('documents $name with examples that its contract accepts', ({ name, call }) => {
  const operation = operationOf(name);
  expect(api.paths[call.path]?.[call.method.toLowerCase()]).toBe(operation);
  expect(operation.summary).toMatch(/^\S.*\S\.$/);
  for (const place of ['path', 'query'] as const) {
    const parameters = operation.parameters.filter(({ in: at, required }) => at === place && required);
    const values = parameters.map((parameter) => [parameter.name, exampleOf(parameter.schema, schemas)]);
    const contract = place === 'path' ? call.params : call.query;
    expect(contract.safeParse(Object.fromEntries(values)).error).toBeUndefined();
  }
  // An optional one may exclude another, so each is compared with its own schema.
  for (const { schema } of operation.parameters) {
    expect(validatorOf(schema, schemas).safeParse(exampleOf(schema, schemas)).error).toBeUndefined();
  }
  const body = operation.requestBody?.content['application/json'].schema;
  const example = body === undefined ? {} : exampleOf(body, schemas);
  expect(call.body.safeParse(example).error).toBeUndefined();
  expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '429', '500', '503']));
});

test('documents every event of the socket with its rooms and payload', () => {
  const names = [feedEvents, roomEvents, connectionEvents, clientEvents].flatMap((events) => Object.keys(events));
  expect(new Set(api['x-live-events'].map(({ name }) => name))).toEqual(new Set(names));
  expect(api['x-live-events']).toHaveLength(names.length);
  const byName = new Map(api['x-live-events'].map((event) => [event.name, event]));
  expect(byName.get('new-token')).toMatchObject({ from: 'server', rooms: ['tokens'], numbered: true });
  expect(byName.get('new-token')?.payload.properties?.token).toEqual({ $ref: `${SCHEMA_PATH}Token` });
  expect(byName.get('alert')).toMatchObject({ rooms: ['user:{userId}'], payload: { $ref: `${SCHEMA_PATH}Alert` } });
  expect(byName.get('subscribe')).toMatchObject({ from: 'client', rooms: [] });
});

test('the page describes the handshake of the socket', () => {
  expect(referencePage(api)).toContain(`auth.protocol ${PROTOCOL_VERSION}`);
});

test('every reference to a schema leads to one', () => {
  const text = JSON.stringify(api);
  const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
  expect(new Set(used).size).toBeGreaterThan(20);
  for (const ref of used) expect(Object.keys(schemas)).toContain(ref.slice(SCHEMA_PATH.length));
  expect(text).not.toContain('$defs');
  // A client may compile patterns without the flag `u`, which changes the meaning of these.
  expect(text).not.toMatch(/"pattern":"[^"]*\\\\p\{/);
});

test('the page has every call and event, its links lead somewhere, and it loads nothing from elsewhere', () => {
  const page = referencePage(api);
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  for (const { name } of everyCall()) expect(ids).toContain(name);
  for (const { name } of api['x-live-events']) expect(ids).toContain(`event-${name}`);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(50);
  for (const link of links) expect(ids).toContain(link);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  // The content security policy allows no inline script.
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/theme.js">']);
  expect(page).not.toMatch(/ on\w+=/);
});
