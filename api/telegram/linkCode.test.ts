import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { linkCodeHash, newLinkCode, withoutSecrets } from './linkCode.ts';

test('codes differ, fit into a Telegram link, and are stored as something else', () => {
  const codes = new Set(Array.from({ length: 100 }, () => newLinkCode(randomBytes)));
  expect(codes.size).toBe(100);
  for (const code of codes) {
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{16}$/);
    expect(linkCodeHash(code)).not.toContain(code);
    expect(linkCodeHash(` ${code.toLowerCase()} `)).toBe(linkCodeHash(code));
  }
});

test('link codes and long keys are masked in what administrators see', () => {
  const code = newLinkCode(randomBytes);
  expect(withoutSecrets(`/start ${code}`)).toBe('/start ••••');
  expect(withoutSecrets(`/START@our_bot   short`)).toBe('/START@our_bot   ••••');
  expect(withoutSecrets(`my code is ${code.toLowerCase()}.`)).toBe('my code is ••••.');
  expect(withoutSecrets(`key ${'0f'.repeat(64)}`)).toBe('key ••••');
  expect(withoutSecrets('/token DOG')).toBe('/token DOG');
  expect(withoutSecrets('/start')).toBe('/start');
});
