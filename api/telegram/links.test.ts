import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { linkCodeHash, newLinkCode, withoutSecrets } from './links.ts';

test('codes differ, fit into a Telegram link, and are stored as a hash', () => {
  const codes = new Set(Array.from({ length: 100 }, () => newLinkCode(randomBytes)));
  expect(codes.size).toBe(100);
  for (const code of codes) {
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{16}$/);
    expect(linkCodeHash(code)).not.toContain(code);
    expect(linkCodeHash(` ${code.toLowerCase()} `)).toBe(linkCodeHash(code));
  }
});

test('masks link codes and long keys', () => {
  const code = newLinkCode(randomBytes);
  expect(withoutSecrets(`/start ${code}`)).toBe('/start ••••');
  expect(withoutSecrets(`/START@our_bot   short`)).toBe('/START@our_bot   ••••');
  expect(withoutSecrets(`my code is ${code.toLowerCase()}.`)).toBe('my code is ••••.');
  expect(withoutSecrets(`key ${'0f'.repeat(64)}`)).toBe('key ••••');
  expect(withoutSecrets('/token DOG')).toBe('/token DOG');
  expect(withoutSecrets('/start')).toBe('/start');
});

test('masks private keys in the form of wallet files, and recovery phrases', () => {
  const bytes = Array.from({ length: 64 }, (_, byte) => byte);
  expect(withoutSecrets(`my wallet: ${JSON.stringify(bytes)} ok`)).toBe('my wallet: •••• ok');
  expect(withoutSecrets(bytes.join(', '))).toBe('••••');
  const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  expect(withoutSecrets(words)).toBe('••••');
  expect(withoutSecrets(`here: ${words.replaceAll(' ', '\n')}`)).toBe('here: ••••');
  expect(withoutSecrets('/alerts new on')).toBe('/alerts new on');
  expect(withoutSecrets('What is the price of DOG, and will it go up?')).toBe(
    'What is the price of DOG, and will it go up?',
  );
});
