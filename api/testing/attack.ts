import fc from 'fast-check';
import { z } from 'zod';
import type { Call } from '../../common/http.ts';
import { anyCharacter } from '../../common/testing/any-character.ts';
import { BODY_LIMIT } from '../http/body.ts';

/** One request against a call: mostly like a valid one, with something wrong about it. */
export interface Attack {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Values by field name that lead somewhere: an address that exists, credentials that fit. */
export type Examples = Readonly<Record<string, readonly unknown[]>>;

type Entries = [name: string, value: unknown][];

/** A query longer than this fails in Node's header parser (16 kB), before any of our code. */
const LONG_QUERY_VALUE = 4000;
const LONG_BODY_VALUE = 50_000;

const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '$where',
  '$gt',
  '',
  '.',
  'a.b',
  'limit ',
  '\u0000',
];
const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../..',
  [],
  [[]],
  {},
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { $regex: '.*' },
  { toString: 1 },
];

/** Requests to `call`, derived from its schemas, so that a call needs no more than its contract to be attacked. */
export function attacksOn(call: Call, examples: Examples): fc.Arbitrary<Attack> {
  return fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant<string>(call.method) },
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
      ),
      params: validEntries(call.params, examples).chain((entries) => maybeReplaced(entries)),
      query: validEntries(call.query, examples).chain((entries) => maybeSpoilt(entries, anyValue)),
      body: bodies(call, examples),
      headers: fc.record(
        { 'Content-Type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=latin1', ';') },
        { requiredKeys: [] },
      ),
    })
    .map(({ method, params, query, body, headers }) => ({
      method,
      path: pathOf(call, params) + queryText(query),
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    }));
}

/** Requests to `call` as its schemas allow them. Conditions that a schema does not name may refuse some. */
export function validRequests(call: Call, examples: Examples): fc.Arbitrary<Attack> {
  const entriesOf = (schema: z.ZodType) => validEntries(schema, examples);
  return fc
    .record({ params: entriesOf(call.params), query: entriesOf(call.query), body: entriesOf(call.body) })
    .map((entries) => ({
      method: call.method,
      path: pathOf(call, entries.params) + queryText(entries.query),
      headers: {},
      ...(entries.body.length > 0 ? { body: objectText(entries.body) } : {}),
    }));
}

/** Returns the names of an object's fields. */
export function fieldsOf(schema: z.ZodType): string[] {
  return Object.keys(propertiesOf(jsonSchema(schema)));
}

/** Cookies that are no session of ours. */
export const badCookies: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'mintwatch.sid=',
    'mintwatch.sid=%E0%A4%A; mintwatch.sid.sig=%',
    'mintwatch.sid={"$gt":""}; mintwatch.sid.sig=x',
    'mintwatch.sid=00000000-0000-0000-0000-000000000000; mintwatch.sid.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA',
    `mintwatch.sid=${'x'.repeat(4000)}`,
    '=; ;;=',
    '__proto__=1; constructor=2',
  ),
  fc.string({ unit: fc.constantFrom(...'abc=;," %{}$.[]:'), maxLength: 200 }).map((text) => `mintwatch.sid=${text}`),
);

function bodies(call: Call, examples: Examples): fc.Arbitrary<string | undefined> {
  const takesBody = Object.keys(propertiesOf(jsonSchema(call.body))).length > 0;
  const valid = validEntries(call.body, examples)
    .chain((entries) => maybeSpoilt(entries, anyValueOfBody))
    .map(objectText);
  return fc.oneof(
    { weight: takesBody ? 14 : 1, arbitrary: valid },
    { weight: takesBody ? 1 : 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
    { weight: 1, arbitrary: fc.constantFrom('{', '{"a":', 'null', '[]', '"x"', '{"a":1}}', '[['.repeat(5000)) },
    { weight: 1, arbitrary: fc.constant(`{"a":"${'x'.repeat(BODY_LIMIT)}"}`) },
  );
}

// Created once: an arbitrary of strings prepares its examples, which takes longer than a request.
const anyName = fc.oneof(fc.constantFrom(...hostileNames), fc.string({ maxLength: 20 }));
const anyValue = anyValueUpTo(LONG_QUERY_VALUE);
const anyValueOfBody = anyValueUpTo(LONG_BODY_VALUE);

/** The entries as they are, or with a field dropped, added, doubled, or replaced by something hostile or very long. */
function maybeSpoilt(entries: Entries, value: fc.Arbitrary<unknown>): fc.Arbitrary<Entries> {
  const added = fc.tuple(anyName, value).map((entry): Entries => [...entries, entry]);
  const dropped = fc
    .nat({ max: Math.max(0, entries.length - 1) })
    .map((index) => entries.filter((_, at) => at !== index));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(entries) },
    { weight: 2, arbitrary: added },
    { weight: 1, arbitrary: dropped },
    { weight: 1, arbitrary: fc.constant<Entries>([...entries, ...entries]) },
    { weight: 4, arbitrary: replaced(entries, value) },
  );
}

function maybeReplaced(entries: Entries): fc.Arbitrary<Entries> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(entries) },
    { weight: 1, arbitrary: replaced(entries, anyValue) },
  );
}

function replaced(entries: Entries, value: fc.Arbitrary<unknown>): fc.Arbitrary<Entries> {
  return fc
    .tuple(fc.nat({ max: Math.max(0, entries.length - 1) }), value)
    .map(([index, other]) => entries.map(([name, old], at): [string, unknown] => [name, at === index ? other : old]));
}

function anyValueUpTo(long: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...hostileValues) },
    { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 50 }) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(long)) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/** Written by hand, since an object in memory could hold neither a field twice nor `__proto__`. */
function objectText(entries: Entries): string {
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value ?? null)}`).join(',')}}`;
}

function queryText(entries: Entries): string {
  const pairs = entries.map(([name, value]) => `${escaped(name)}=${escaped(textOf(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function pathOf(call: Call, params: Entries): string {
  return params.reduce(
    (path, [name, value]) => path.replace(`{${name}}`, () => escaped(textOf(value))),
    String(call.path),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function escaped(text: string): string {
  // Through bytes, since half a surrogate pair can't be escaped.
  return encodeURIComponent(Buffer.from(text).toString());
}

// What follows makes valid values from a schema.

const jsonSchemaSchema = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  /** The places of a tuple. */
  prefixItems: z.array(z.unknown()).optional(),
});
type JsonSchema = z.infer<typeof jsonSchemaSchema>;

function jsonSchema(schema: z.ZodType): JsonSchema {
  return jsonSchemaSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
}

function propertiesOf(schema: JsonSchema): Record<string, unknown> {
  return schema.properties ?? {};
}

function validEntries(schema: z.ZodType, examples: Examples): fc.Arbitrary<Entries> {
  const { required = [], ...object } = jsonSchema(schema);
  const fields = Object.entries(propertiesOf(object)).map(([name, inner]) =>
    fc
      .tuple(fc.boolean(), valueLike(jsonSchemaSchema.parse(inner), examples[name] ?? []))
      .map(([present, value]): Entries => (present || required.includes(name) ? [[name, value]] : [])),
  );
  return fc.tuple(...fields).map((entries) => entries.flat());
}

function valueLike(schema: JsonSchema, examples: readonly unknown[] = []): fc.Arbitrary<unknown> {
  const made = generated(schema);
  return examples.length === 0 ? made : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...examples) }, made);
}

function generated(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => generated(jsonSchemaSchema.parse(option))));
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      if (schema.prefixItems !== undefined) {
        return fc.tuple(...schema.prefixItems.map((inner) => generated(jsonSchemaSchema.parse(inner))));
      }
      return fc.array(generated(jsonSchemaSchema.parse(schema.items ?? {})), { maxLength: 5 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(propertiesOf(schema)).map(([name, inner]) => [name, generated(jsonSchemaSchema.parse(inner))]),
        ),
      );
    default:
      return fc.jsonValue();
  }
}

function text({ pattern, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
  // Character classes by Unicode property are more than the generator understands; any text will do for those.
  return pattern && !pattern.includes('\\p') ? fc.stringMatching(new RegExp(pattern)) : plain;
}
