import { expect, test } from 'vitest';
import { symbolKey } from './creator-history.ts';

test.each([
  ['lower case', 'usdc'],
  ['spaces', ' U S D C '],
  ['a zero-width space', 'US\u200BDC'],
  ['a direction mark', '\u202EUSDC\u202C'],
  ['NUL', 'USDC\u0000'],
  ['a Cyrillic letter', 'USD\u0421'],
  ['full-width letters', '\uFF35\uFF33\uFF24\uFF23'],
  ['mathematical letters', '\u{1D414}\u{1D412}\u{1D403}\u{1D402}'],
  ['an accent', 'USDC\u0301'],
])('a symbol with %s has the key of USDC', (_case, symbol) => expect(symbolKey(symbol)).toBe(symbolKey('USDC')));

test.each([
  ['PEPE', 'POPE'],
  ['CAT', 'DOG'],
  ['\u72AC', '\u732B'],
])('%s and %s are two symbols', (one, other) => expect(symbolKey(one)).not.toBe(symbolKey(other)));

test.each([null, '', ' ', 'Unknown', '\u200B', '\u0000\u202E'])('%j is no symbol', (symbol) =>
  expect(symbolKey(symbol)).toBeNull(),
);
