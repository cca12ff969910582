import fc from 'fast-check';
import { expect, test } from 'vitest';
import { usernameSchema } from './model.ts';
import { usernameProblem, visibleName } from './username.ts';

test.each([
  ['a variation selector', 'admin\uFE0F', 'admin'],
  ['a grapheme joiner', 'adm\u034Fin', 'admin'],
  ['a Hangul filler', 'admin\u3164', 'admin'],
  ['a blank Braille pattern', '\u2800admin', 'admin'],
  ['spaces around a filler', 'admin \u115F', 'admin'],
])('drops %s from a username', (_what, typed, username) => {
  expect(usernameSchema.parse(typed)).toBe(username);
});

test('counts only visible characters for the shortest username', () => {
  expect(usernameSchema.safeParse('ab\u3164\u3164').success).toBe(false);
  expect(usernameSchema.safeParse('\u3164\u3164\u3164').success).toBe(false);
});

test.each([
  'alice',
  'José_99',
  'Nguyễn',
  'Алиса 7',
  'Ελένη',
  '田中さん',
  'tanaka田中',
  '김 minji',
  'नमस्ते',
  '🚀 moon',
  'ﬁne',
])('accepts the username %s', (username) => {
  expect(usernameProblem(username)).toBeNull();
});

test.each(['аlice', 'alicе', 'раypal', 'αlice', 'Αлиса', 'a\u13A0b', 'ᏏᎪᎷ', '𐌀bc'])(
  'refuses %s, whose letters are of two alphabets or of an unused one',
  (username) => {
    expect(usernameProblem(username)).toBe('Username must use the letters of one alphabet');
  },
);

test('refuses more than two marks on a letter, however they are written', () => {
  expect(usernameProblem('Z\u0301\u0302\u0303\u0304alg')).toBe('Username must have at most 2 marks on a letter');
  expect(usernameProblem('e\u0302\u0301n')).toBeNull();
});

const character = fc.constantFrom(...'ab é.1', '\uFE0F', '\u034F', '\u3164', '\u2800', '\u115F', '😀', '\u0301', ' ');

test('no username contains a character that is dropped', () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (typed) => {
      const parsed = usernameSchema.safeParse(typed);
      if (parsed.success) expect(visibleName(parsed.data)).toBe(parsed.data);
    }),
  );
});
