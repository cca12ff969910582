import { expect, test } from 'vitest';
import { isLocalOrigin } from './http-server.ts';

test.each([
  [undefined, true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:5173', true],
  ['http://127.8.9.10', true],
  ['http://[::1]:3000', true],
  ['https://mint.localhost', true],
  ['null', false],
  ['', false],
  ['https://evil.example', false],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
])('a page of %s is served: %s', (origin, served) => {
  expect(isLocalOrigin(origin)).toBe(served);
});
