import fc from 'fast-check';
import { Types } from 'mongoose';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { templateCalls } from '../../common/templates/http.ts';
import { alertTypes, TEMPLATES_MAX, type Template, type TemplateInput } from '../../common/templates/model.ts';
import { rounds } from '../../common/testing/effort.ts';
import { testServer } from '../test-server.ts';
import { type Person, person } from '../testing/people.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import { templateModels } from './model.ts';
import { createTemplates, openTemplates, type Templates } from './service.ts';

const PATH = templateCalls.list.path;
const FORBIDDEN = {
  status: 403,
  body: { error: "You don't have permission to access this resource", code: 'forbidden' },
};
const input: TemplateInput = { name: 'First', type: 'test', template: 'Hello {token.name}', isDefault: false };
const clock = { now: Date.now };
const admin = { user: { _id: new Types.ObjectId(), username: 'Admin' }, address: '127.0.0.1' };
const tokenOf = (number: number) => presentToken(tokenRecord(number));

let root: Person;
let alice: Person;
/** Two more processes on the same database. */
let others: [Templates, Templates];

const server = await testServer();
beforeAll(async () => {
  root = await person(server, 'Root', { isAdmin: true });
  alice = await person(server, 'Alice');
  const models = templateModels(server.connection);
  const deps = { connection: server.connection, models, adminActions: { record: async () => {} }, clock };
  others = [createTemplates(deps), createTemplates(deps)];
});

const stored = () => templateModels(server.connection);
const list = async () => templateCalls.list.output.parse((await root.call(PATH)).body);
const ofType = async (type: string) => (await list()).filter((template) => template.type === type);
const defaultsOf = async (type: string) =>
  (await ofType(type)).filter(({ isDefault }) => isDefault).map(({ name }) => name);
const change = (id: string, json: unknown) => root.call(`${PATH}/${id}`, { method: 'PATCH', json });
const remove = (id: string) => root.call(`${PATH}/${id}`, { method: 'DELETE' });

async function create(given: Partial<TemplateInput> = {}): Promise<Template> {
  const { status, body } = await root.call(PATH, { method: 'POST', json: { ...input, ...given } });
  expect(status).toBe(200);
  return templateCalls.create.output.parse(body);
}

beforeEach(async () => {
  await stored().templates.deleteMany({ type: /^test/ });
  await stored().types.deleteMany({ _id: /^test/ });
});

test('the first start creates one default for each alert, listed by type and name [S3-52, S7.3-16]', async () => {
  const found = (await list()).map(({ name, type, isDefault }) => [type, name, isDefault]);
  expect(found).toEqual([
    ['exit_stuck', 'Sale does not get through', true],
    ['new_token', 'New token', true],
    ['new_token', 'New token, in one line', false],
    ['password_exposed', 'Password known to others', true],
    ['preset_match', 'Preset matched', true],
    ['price_alert', 'Price alert', true],
    ['price_target', 'Price reached', true],
    ['trade_bought', 'Bought', true],
    ['trade_failed', 'Order failed', true],
    ['trade_sold', 'Sold', true],
    ['trade_unknown', 'No verdict yet', true],
    ['trading_stopped', 'Trading stopped', true],
    ['wallet_replaced', 'Wallet replaced', true],
  ]);
  const [one] = others;
  for (const type of alertTypes) {
    const { template = '' } = (await one.defaultOf(type)) ?? {};
    expect(one.preview(template, tokenOf(1)).unknown).toEqual([]);
  }
  expect(await one.defaultOf('of no template')).toBeNull();
});

test('changes of an administrator to the seeds persist over any number of starts', async () => {
  const before = await list();
  for (const { id } of before) expect((await remove(id)).status).toBe(200);
  const deps = { connection: server.connection, adminActions: { record: async () => {} }, clock };
  await Promise.all([openTemplates(deps), openTemplates(deps)]);
  expect(await list()).toEqual([]);
  // The state before the first start.
  await stored().types.deleteMany({});
  await Promise.all([openTemplates(deps), openTemplates(deps)]);
  expect((await list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('refuses everyone but administrators [S7.3-16, S7.3-17, S7.3-18, S7.3-19, S8.1-03]', async () => {
  const { id } = await create();
  const calls: [string, object][] = [
    [PATH, {}],
    [PATH, { method: 'POST', json: input }],
    [`${PATH}/${id}`, { method: 'PATCH', json: input }],
    [`${PATH}/${id}`, { method: 'DELETE' }],
    [`${PATH}/preview`, { method: 'POST', json: { template: 'x' } }],
  ];
  for (const [path, options] of calls) {
    expect(await alice.call(path, options)).toMatchObject(FORBIDDEN);
    expect((await server.fetchJson(path, options)).status).toBe(401);
  }
  expect(await ofType('test')).toHaveLength(1);
});

test('the first template of a type becomes its default in any case, further ones on request [S3-52, S7.3-17]', async () => {
  const first = await create();
  expect(first).toMatchObject({ ...input, isDefault: true });
  expect(await create({ name: 'Second' })).toMatchObject({ isDefault: false });
  expect(await create({ name: 'Elsewhere', type: 'test-2' })).toMatchObject({ isDefault: true });
  expect(await defaultsOf('test')).toEqual(['First']);
});

test('setting isDefault replaces the current default, in a new and in a changed template [S4-24]', async () => {
  const first = await create();
  await create({ name: 'Second', isDefault: true });
  expect(await defaultsOf('test')).toEqual(['Second']);
  const { body } = await change(first.id, { ...input, name: 'First again', isDefault: true });
  expect(body).toMatchObject({ name: 'First again', isDefault: true });
  expect(await defaultsOf('test')).toEqual(['First again']);
});

test('refuses to unset the default, and changes nothing [S7.3-18]', async () => {
  const { id } = await create();
  await create({ name: 'Second' });
  expect(await change(id, { ...input, name: 'Other', isDefault: false })).toMatchObject({
    status: 409,
    body: {
      code: 'default-needed',
      error: 'Each type needs a default. Make another template of this type the default instead.',
    },
  });
  expect(await defaultsOf('test')).toEqual(['First']);
  expect((await change(id, { ...input, name: 'Other', isDefault: true })).status).toBe(200);
  expect(await defaultsOf('test')).toEqual(['Other']);
});

test('a template that changes its type leaves a default behind and does not replace one [S7.3-18]', async () => {
  const oldest = await create();
  await create({ name: 'Second' });
  await create({ name: 'There', type: 'test-2' });
  expect((await change(oldest.id, { ...input, type: 'test-2' })).body).toMatchObject({ isDefault: false });
  expect([await defaultsOf('test'), await defaultsOf('test-2')]).toEqual([['Second'], ['There']]);
  expect((await change(oldest.id, input)).body).toMatchObject({ isDefault: false });
  await change(oldest.id, { ...input, isDefault: true });
  expect([await defaultsOf('test'), await defaultsOf('test-2')]).toEqual([['First'], ['There']]);
  expect((await change(oldest.id, { ...input, type: 'test-3' })).body).toMatchObject({ isDefault: true });
});

test('after the default is deleted the oldest remaining template is the default [S7.3-19]', async () => {
  const [first, , third] = [
    await create(),
    await create({ name: 'Second' }),
    await create({ name: 'Third', isDefault: true }),
  ];
  expect(await remove(third.id)).toMatchObject({ status: 200, body: { id: third.id } });
  expect(await defaultsOf('test')).toEqual(['First']);
  await remove(first.id);
  expect(await defaultsOf('test')).toEqual(['Second']);
  expect(await remove(first.id)).toMatchObject({ status: 404, body: { code: 'not-found' } });
  expect(await change(first.id, input)).toMatchObject({ status: 404 });
});

test.each<[string, object, string]>([
  ['no name', { name: ' ' }, 'Please enter a name'],
  ['no type', { type: '' }, 'Please enter a type'],
  ['no content', { template: ' \n' }, 'Please enter the content'],
  ['too much content', { template: 'x'.repeat(2_001) }, ''],
  ['a type with a line break', { type: 'a\nb' }, ''],
])('refuses a template with %s and names the field [S5-25]', async (_what, wrong, text) => {
  const { id } = await create();
  const [field = ''] = Object.keys(wrong);
  const refusal = {
    status: 400,
    body: { details: { [field]: expect.arrayContaining([expect.stringContaining(text)]) } },
  };
  expect(await root.call(PATH, { method: 'POST', json: { ...input, ...wrong } })).toMatchObject(refusal);
  expect(await change(id, { ...input, ...wrong })).toMatchObject(refusal);
  expect(await ofType('test')).toHaveLength(1);
});

test('audits each change with its administrator', async () => {
  const { id } = await create({ name: 'Watched' });
  await change(id, { ...input, name: 'Renamed', isDefault: true });
  await remove(id);
  const { body } = await root.call('/api/admin/audit?limit=3');
  expect(body).toMatchObject({
    entries: [
      { action: 'template-deleted', actor: 'Root', subject: null, object: 'Renamed (test)' },
      { action: 'template-changed', actor: 'Root', subject: null, object: 'Watched (test)' },
      { action: 'template-created', actor: 'Root', subject: null, object: 'Watched (test)' },
    ],
  });
});

test('two processes create at most 200 templates, and a deleted one frees its place', async () => {
  const there = await stored().templates.countDocuments();
  for (let number = there; number < TEMPLATES_MAX - 3; number += 1) await others[0].create(input, admin);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, number) => others[number % 2 === 0 ? 0 : 1].create(input, admin)),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await stored().templates.countDocuments()).toBe(TEMPLATES_MAX);
  expect(await root.call(PATH, { method: 'POST', json: input })).toMatchObject({
    status: 409,
    body: { code: 'limit-reached' },
  });
  const [one] = await ofType('test');
  await remove(one?.id ?? '');
  await create();
});

const types = ['test-a', 'test-b'] as const;
const step = fc.record({
  by: fc.integer({ min: 0, max: 1 }),
  kind: fc.constantFrom('create', 'create', 'change', 'change', 'remove'),
  target: fc.nat(5),
  type: fc.constantFrom(...types),
  isDefault: fc.boolean(),
});

test('each type with templates has exactly one default while two processes create, change and delete [S4-24]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      await stored().templates.deleteMany({ type: /^test-/ });
      await stored().types.deleteMany({ _id: /^test-/ });
      const made: string[] = [];
      for (const type of types) made.push((await others[0].create({ ...input, type }, admin)).id);
      const run = async ({ by, kind, target, type, isDefault }: (typeof steps)[number]) => {
        const templates = others[by === 0 ? 0 : 1];
        const id = made[target % made.length] ?? '';
        const given = { ...input, name: `${by} ${target}`, type, isDefault };
        if (kind === 'create') made.push((await templates.create(given, admin)).id);
        else if (kind === 'change') await templates.change(id, given, admin);
        else await templates.remove(id, admin);
      };
      // Also read during the changes.
      const reads = Promise.all([others[0].list(), others[1].list()]);
      const outcomes = await Promise.allSettled(steps.map(run));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(['not-found', 'default-needed']).toContain(outcome.reason.code);
      }
      for (const found of [...(await reads), await others[0].list(), await others[1].list()]) {
        for (const type of new Set(found.map((template) => template.type))) {
          const defaults = found.filter((template) => template.type === type && template.isDefault);
          expect(defaults).toHaveLength(1);
        }
      }
      for (const type of types) {
        const [chosen] = (await others[1].list()).filter((template) => template.type === type && template.isDefault);
        expect((await others[0].defaultOf(type))?.id).toBe(chosen?.id);
      }
    }),
    { numRuns: rounds(25), seed: 12 },
  );
}, 60_000);

test('one of many simultaneous choices of the default wins [S4-24]', async () => {
  const made = [];
  for (let number = 0; number < 8; number += 1) made.push(await create({ name: `Number ${number}` }));
  const responses = await Promise.all(made.map(({ id, name }) => change(id, { ...input, name, isDefault: true })));
  expect(responses.map(({ status }) => status)).toEqual(made.map(() => 200));
  expect(await defaultsOf('test')).toHaveLength(1);
});

test('previews the text for one token or the newest one, and names unknown placeholders', async () => {
  const path = templateCalls.preview.path;
  const preview = (json: object) => root.call(path, { method: 'POST', json });
  expect(await preview({ template: 'x' })).toMatchObject({ status: 404, body: { code: 'token-not-found' } });
  const { tokens } = tokenModels(server.connection);
  await tokens.insertMany([tokenRecord(1, { createdAt: Date.now() - 180_000 }), tokenRecord(2)]);
  const template = '{token.name}: {token.price}, {timeAgo(token.createdAt)}, risk {token.risk}, {token.x}';
  expect(await preview({ template, address: addressNumber(1) })).toMatchObject({
    status: 200,
    body: {
      text: 'Coin 1: 0.00000003, 3 minutes ago, risk –, {token.x}',
      address: addressNumber(1),
      unknown: ['token.x'],
    },
  });
  expect((await preview({ template })).body).toMatchObject({ address: addressNumber(2) });
  const unknown = await preview({ template, address: addressNumber(3) });
  expect(unknown).toMatchObject({ status: 404, body: { code: 'token-not-found' } });
});
