import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesSearch, searchText, searchWords } from './search.ts';

const address = '9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump';
const finds = (text: string, query: string) => matchesSearch(text, searchWords(query));

describe('search', () => {
  const text = searchText('Hyper Lemon  Season', '$LMN', address);

  test.each([
    'hyper',
    'LEMON',
    'per L',
    'emon',
    'season hyper',
    '$lmn',
    'lmn',
    'lemon lmn',
    '9bb6',
    'cdQbgpu',
    'ＬＥＭＯＮ',
    '',
  ])('finds by %j', (query) => expect(finds(text, query)).toBe(true));

  test.each(['lime', 'hyper lime', 'q8', 'lemonseason', 'season9bb6'])('does not find by %j', (query) =>
    expect(finds(text, query)).toBe(false),
  );

  test('finds styled letters by plain ones', () => {
    expect(finds(searchText('𝐏𝐄𝐏𝐄', null, address), 'pepe')).toBe(true);
  });

  test('finds a token without name and symbol by its address', () => {
    expect(finds(searchText(null, null, address), address)).toBe(true);
  });

  // fast-check's own unit for any code point takes longer to prepare than all the rest of the test.
  const anything = fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code));
  const character = fc.oneof(
    { weight: 5, arbitrary: anything },
    fc.constantFrom(' ', '\u3000', '-', '$', 'a', 'Σ', 'İ'),
  );

  test('any name gives a short text, and its first word finds it', () => {
    fc.assert(
      fc.property(fc.array(character, { maxLength: 400 }), (characters) => {
        const name = characters.join('');
        const made = searchText(name, null, address);
        expect(made.length).toBeLessThanOrEqual(200 + 1 + address.length);
        const [first] = searchWords(name);
        if (first !== undefined && searchWords(name.slice(0, 30))[0] === first) expect(finds(made, first)).toBe(true);
      }),
    );
  });
});
