import { expect, test } from 'vitest';
import { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { toPublicError } from './errors.ts';
import { addressKey } from './limits.ts';
import { loggable } from './loggable.ts';
import { isSameHost } from './origin.ts';
import { validate } from './validate.ts';

function detailsOf(schema: z.ZodType, input: unknown) {
  try {
    validate(schema, input);
  } catch (error) {
    if (error instanceof PublicError) return error.details;
  }
  throw new Error('it was accepted');
}

const schema = z.strictObject({
  name: z.string().min(2, 'too short'),
  inner: z.strictObject({ n: z.int() }).optional(),
});

test('an unknown field is named, also further in', () => {
  expect(detailsOf(schema, { name: 'ab', more: 1 })).toEqual({ more: ['is not known'] });
  expect(detailsOf(schema, { name: 'ab', inner: { n: 1, $gt: '' } })).toEqual({ 'inner.$gt': ['is not known'] });
});

test('a prototype key is refused, and named', () => {
  const poisoned = detailsOf(schema, JSON.parse('{"name":"ab","__proto__":{"x":1}}'));
  expect(Object.keys(poisoned ?? {})).toEqual(['__proto__']);
  expect(detailsOf(schema, { name: 'ab', constructor: 1 })).toHaveProperty('constructor');
});

test('an operator object in place of a string is refused, and the field named', () => {
  expect(detailsOf(schema, { name: { $gt: '' } })).toHaveProperty('name');
});

test('a thousand unknown fields make a short answer', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`.repeat(50), 1]));
  expect(JSON.stringify(detailsOf(schema, many)).length).toBeLessThan(5000);
});

test.each([
  ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ['https://mint.example', 'mint.example', true],
  ['https://mint.example', 'mint.example:443', true],
  ['http://mint.example', 'MINT.example:80', true],
  ['https://evil.example', 'mint.example', false],
  ['http://127.0.0.1:3001', '127.0.0.1:3000', false],
  ['null', 'mint.example', false],
  ['mint.example', 'mint.example', false],
  ['https://mint.example', '', false],
  ['file://', '', false],
])('origin %s against host %s', (origin, host, same) => {
  expect(isSameHost(origin, host)).toBe(same);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['not an address', 'not an address'],
])('the limits count %s as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test('an unknown error says nothing about itself', () => {
  expect(toPublicError(new Error('mongodb://root:secret@db')).body()).toEqual({
    error: 'Something went wrong on our side. Please try again.',
    code: 'internal',
  });
});

test('the log has no credentials of an address', () => {
  const line = JSON.stringify(loggable(new Error('failed: mongodb://root:secret@db:27017/x')));
  expect(line).toContain('db:27017');
  expect(line).not.toContain('secret');
});
