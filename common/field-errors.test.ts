import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls, everyCall } from './calls.ts';
import { fieldErrors, parseInput } from './field-errors.ts';
import { clientEvents } from './live/events.ts';

function errorsOf(schema: z.ZodType, input: unknown) {
  const parsed = parseInput(schema, input);
  return parsed.success ? 'accepted' : fieldErrors(parsed.issues);
}

test('prefers the message of the schema', () => {
  expect(errorsOf(calls.auth.login.body, { username: 'ab', password: '1' })).toEqual({
    username: ['Username must be at least 3 characters'],
    password: ['Password must be at least 6 characters'],
  });
});

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'is required'],
  [z.enum(['a', 'b']), undefined, 'is required'],
  [z.union([z.string(), z.number()]), undefined, 'is required'],
  [z.string(), 5, 'must be text'],
  [z.number(), '5', 'must be a number'],
  [z.int(), 5.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), {}, 'must be a list'],
  [z.strictObject({}), [], 'must be an object'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(3), 'ab', 'must be at least 3 characters long'],
  [z.string().max(3), 'abcd', 'must be at most 3 characters long'],
  [z.array(z.int()).min(1), [], 'must not be empty'],
  [z.array(z.int()).min(2), [1], 'must be at least 2 items long'],
  [z.int().min(0), -1, 'must be at least 0'],
  [z.enum(['10m', '1h']), '2h', 'must be one of 10m, 1h'],
  [z.literal('0'), '1', 'must be 0'],
  [z.string().regex(/^a/), 'b', 'is not in the right form'],
  [z.union([z.string(), z.number()]), true, 'is not valid'],
])('case %#: reports in plain words', (schema, input, text) => {
  expect(errorsOf(z.strictObject({ field: schema }), { field: input })).toEqual({ field: [text] });
});

test.each([
  ...everyCall().flatMap(({ name, call }) => [
    [`${name}, query`, call.query] as const,
    [`${name}, body`, call.body] as const,
    [`${name}, params`, call.params] as const,
  ]),
  ...Object.entries(clientEvents),
])('never shows a message written for programmers: %s', (_name, schema) => {
  const fields = Object.keys(z.object({ shape: z.record(z.string(), z.unknown()) }).parse(schema).shape);
  for (const value of [undefined, null, '', 'x'.repeat(1000), -1, 1.5, [], {}, true]) {
    const input = Object.fromEntries(fields.map((field) => [field, value]));
    for (const text of Object.values(errorsOf(schema, input)).flat()) {
      expect(text).not.toMatch(/invalid|too (small|big)|expected|received|undefined|unrecognized/i);
    }
  }
});

test('masks the name of an unknown field that may be a private key', () => {
  const names = ['ab'.repeat(64), `x.${'ab'.repeat(20)}`, 'e'.repeat(39)];
  expect(errorsOf(z.strictObject({}), Object.fromEntries(names.map((name) => [name, 1])))).toEqual({
    '***': ['is not known'],
    'x.***': ['is not known'],
    ['e'.repeat(39)]: ['is not known'],
  });
});

test('keeps the report of a thousand errors short', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index} `.repeat(50), 1]));
  expect(JSON.stringify(errorsOf(z.strictObject({}), many)).length).toBeLessThan(5000);
  let picky = z.string();
  for (let count = 0; count < 50; count += 1) picky = picky.regex(/^a/);
  const { field = [] } = z
    .record(z.string(), z.array(z.string()))
    .parse(errorsOf(z.object({ field: picky }), { field: 'b' }));
  expect(field).toHaveLength(5);
});
