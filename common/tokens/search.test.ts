import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesSearch, searchTerms } from './search.ts';

const address = '9BB6NFEcjBCtnNLFko2FqVQBq8HHM13kCyYcdQbgpump';

describe('search', () => {
  const terms = searchTerms('The $Moon-Dog  Coin', 'mDog', address);

  test.each(['the', 'MOON', '$moon', 'dog', 'coin', 'mdog', 'moon coin', 'coin the', '9bb6', '9BB6NFEc', ''])(
    'finds by %j',
    (query) => expect(matchesSearch(terms, query)).toBe(true),
  );

  test.each(['oon', 'moon cat', 'pump', 'cats'])('does not find by %j', (query) =>
    expect(matchesSearch(terms, query)).toBe(false),
  );

  test('finds a token without name and symbol by its address', () => {
    expect(searchTerms(null, null, address)).toEqual([address.toLowerCase()]);
  });

  // fast-check's own unit for any code point takes longer to prepare than all the rest of the test.
  const anything = fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code));
  const character = fc.oneof(
    { weight: 5, arbitrary: anything },
    fc.constantFrom(' ', '\u3000', '-', '$', 'a', 'Σ', 'İ'),
  );

  test('any name gives few and short terms, and its first word finds it', () => {
    fc.assert(
      fc.property(fc.array(character, { maxLength: 400 }), (characters) => {
        const name = characters.join('');
        const made = searchTerms(name, null, address);
        expect(made.length).toBeLessThanOrEqual(24);
        expect(made.filter((term) => term.length > 64)).toEqual([]);
        const first = name.split(/\s+/u).find((word) => word !== '');
        if (first !== undefined && first.length < 30) expect(matchesSearch(made, first)).toBe(true);
      }),
    );
  });
});
