import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weakPasswordReason } from './weak-passwords.ts';

const common = new Set(['123456', 'password', 'hunter2']);
const reasonOf = (password: string, username = 'alice') => weakPasswordReason(password, username, common);

test.each(['123456', 'Password', 'HUNTER2', ' hunter2 ', 'ｐassword'])(
  'refuses the common password "%s"',
  (password) => {
    expect(reasonOf(password)).toBe('This is one of the most common passwords. Please choose another one.');
  },
);

test.each(['aaaaaa', '      ', '\0\0\0\0\0\0', 'AaAaAa'])('refuses the single repeated character of %j', (password) => {
  expect(reasonOf(password)).toBe('Please choose a password of different characters.');
});

test.each(['alice1', 'Alice!', 'ALICE2026', '__alice__', 'ａlice99'])('refuses the name in "%s"', (password) => {
  expect(reasonOf(password)).toBe('The password must not be the username. Please choose another one.');
});

test('compares names without letters as a whole', () => {
  expect(reasonOf('445566', '445566')).not.toBeNull();
  expect(reasonOf('445567', '445566')).toBeNull();
});

test('accepts a passphrase that contains the name', () => {
  expect(reasonOf('alice rides a correct horse')).toBeNull();
});

test('refuses a name whatever digits and signs surround it', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'0123456789_-.!?'), maxLength: 8 });
  fc.assert(
    fc.property(signs, signs, (before, after) => {
      expect(reasonOf(`${before}alice${after}`)).not.toBeNull();
    }),
  );
});
