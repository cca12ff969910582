import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, isBlank, plainText, withoutLinks } from './plain-text.ts';

test.each([
  ['\u202Eevil\u202C', 'evil'],
  ['a\u200Bb\uFEFFc\u0000d\u2060', 'abcd'],
  ['two\nlines\u2028three', 'two lines three'],
  ['\u2066isolate\u2069', 'isolate'],
  ['a\u3164b\u115Fc\uFE0E', 'abc'],
  ['👨‍👩‍👧 family', '👨‍👩‍👧 family'],
  ['👩🏽‍🚀 ❤️', '👩🏽‍🚀 ❤️'],
  ['a\u200Db', 'ab'],
  ['half \ud83d pair', 'half pair'],
  [`Z${'\u0327'.repeat(40)}`, 'Z\u0327\u0327'],
])('shows %j as %j', (text, plain) => expect(plainText(text)).toBe(plain));

test.each(['', ' ', '\u3164\u3164', '\u115F', '\u2800', '\u200B\n', '\uFE0F', '\u2060\u00A0', '\u034F', '\u00AD'])(
  'counts %j as blank',
  (text) => expect([isBlank(text), plainText(text)]).toEqual([true, '']),
);

test.each(['a', '\u3164a', '👍', '.', 'ㅤx'])('counts %j as visible', (text) => expect(isBlank(text)).toBe(false));

test('cuts at whole code points and leaves no joiner at the end', () => {
  expect(cutText('😀'.repeat(500), 100)).toBe('😀'.repeat(100));
  expect(cutText('👨‍👩‍👧', 2)).toBe('👨');
  expect(cutText('👨‍👩‍👧', 5)).toBe('👨‍👩‍👧');
  expect(cutText('ab cd', 3)).toBe('ab');
});

const character = fc.constantFrom(...'ab é\u200D', '😀', '👨', '\u{E0100}', '\u0301');

test('a cut never splits a pair of surrogates', () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), fc.nat(30), (text, max) => {
      // encodeURIComponent throws for half a pair.
      expect(() => encodeURIComponent(cutText(text, max))).not.toThrow();
      expect([...cutText(text, max)].length).toBeLessThanOrEqual(max);
    }),
  );
});

test.each([
  ['evil.example', 'evil.\u2060example'],
  ['http://evil.example/phish', 'http:\u2060/\u2060/\u2060evil.\u2060example/\u2060phish'],
  ['@admin t.me/x #tag $SOL /start', '@\u2060admin t.\u2060me/\u2060x #\u2060tag $\u2060SOL /\u2060start'],
  ['a。com', 'a。\u2060com'],
  ['The End.', 'The End.'],
  ['1.5', '1.\u20605'],
])('leaves no link in %j', (text, broken) => {
  expect(withoutLinks(text)).toBe(broken);
  expect(withoutLinks(broken)).toBe(broken);
});
