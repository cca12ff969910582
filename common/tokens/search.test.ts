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

  test('a token without name and symbol is found by its address', () => {
    expect(searchTerms(null, null, address)).toEqual([address.toLowerCase()]);
  });

  test('whatever is written into a name, the terms stay few and short, and the first word finds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const made = searchTerms(name, null, address);
        expect(made.length).toBeLessThanOrEqual(24);
        expect(made.filter((term) => term.length > 64)).toEqual([]);
        const first = name.split(/\s+/u).find((word) => word !== '');
        if (first !== undefined && first.length < 30) expect(matchesSearch(made, first)).toBe(true);
      }),
    );
  });
});
