import { expect, test } from 'vitest';
import { createSigningKeys } from './session-keys.ts';

const COOKIE = 'mintwatch.sid=11111111-2222-3333-4444-555555555555';

test('signs with the first key, as keygrip does', () => {
  // Made by keygrip 1.1.0.
  expect(createSigningKeys(['the first key', 'the second key']).sign(COOKIE)).toBe('igWDxUl4wMGFmIpogPs9tM4YElk');
});

test('accepts the signature of any key, and again from memory', () => {
  const keys = createSigningKeys(['new', 'old']);
  const [byNew, byOld] = ['new', 'old'].map((key) => createSigningKeys([key]).sign(COOKIE));
  for (let round = 0; round < 2; round += 1) {
    expect(keys.index(COOKIE, byNew ?? '')).toBe(0);
    expect(keys.index(COOKIE, byOld ?? '')).toBe(1);
    expect(keys.verify(COOKIE, byOld ?? '')).toBe(true);
  }
});

test('refuses other signatures, also of data that another signature fits', () => {
  const keys = createSigningKeys(['a key']);
  const signature = keys.sign(COOKIE);
  expect(keys.verify(COOKIE, signature)).toBe(true);
  for (const [data, other] of [
    [`${COOKIE}6`, signature],
    [COOKIE, signature.slice(1)],
    [COOKIE, ''],
    [COOKIE, `${signature}\n`],
    [COOKIE, createSigningKeys(['another']).sign(COOKIE)],
  ] as const) {
    expect(keys.index(data, other)).toBe(-1);
  }
});
