import { expect, test } from 'vitest';
import { isOwnOrigin } from './origin.ts';

test.each([
  ['no origin: not a browser', undefined, 'mint.example', true],
  ['the same host', 'https://mint.example', 'mint.example', true],
  ['the same host and port', 'http://127.0.0.1:3000', '127.0.0.1:3000', true],
  ['an explicit default port on one side', 'https://mint.example', 'mint.example:443', true],
  ['IPv6', 'http://[::1]:3000', '[::1]:3000', true],
  ['another host', 'https://evil.example', 'mint.example', false],
  ['another port', 'http://127.0.0.1:3001', '127.0.0.1:3000', false],
  ['a host with the same beginning', 'https://mint.example.evil', 'mint.example', false],
  ['a sandboxed frame', 'null', 'mint.example', false],
  ['an empty origin', '', 'mint.example', false],
  ['a file', 'file://', '', false],
  ['nonsense', 'https://', 'mint.example', false],
  ['no host', 'https://mint.example', '', false],
  ['an explicit default port on the other side', 'http://mint.example', 'MINT.example:80', true],
  ['a host without a scheme', 'mint.example', 'mint.example', false],
  ['an invalid host', 'https://mint.example', 'a b', false],
])('origin: %s [L1]', (_case, origin, host, own) => {
  expect(isOwnOrigin(origin === undefined ? {} : { origin }, host)).toBe(own);
});

test('origin: a request that the browser marks as cross-site [L1]', () => {
  expect(isOwnOrigin({ 'sec-fetch-site': 'cross-site' }, 'mint.example')).toBe(false);
  expect(isOwnOrigin({ 'sec-fetch-site': 'same-origin' }, 'mint.example')).toBe(true);
});
