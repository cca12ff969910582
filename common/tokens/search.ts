// Bounds keep the index small for any name that a creator chooses.
const MAX_WORDS = 8;
const MAX_TERM = 64;
const MAX_TERMS = 24;

/** Returns the words of a query or name, lower case. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/**
 * Returns the search terms of a token: the words of name and symbol, the rest of a word after a sign inside it ('cat' of
 * '$cat', 'dog' of 'moon-dog'), and the address. All lower case.
 */
export function searchTerms(name: string | null, symbol: string | null, address: string): string[] {
  const terms = new Set<string>();
  for (const word of [
    ...searchWords(name ?? '').slice(0, MAX_WORDS),
    ...searchWords(symbol ?? '').slice(0, MAX_WORDS),
  ]) {
    terms.add(word.slice(0, MAX_TERM));
    for (const part of word.matchAll(/[\p{L}\p{N}]+/gu)) terms.add(word.slice(part.index, part.index + MAX_TERM));
  }
  return [address.toLowerCase(), ...terms].slice(0, MAX_TERMS);
}

/** Returns whether every word of the query is the start of one of the terms. */
export function matchesSearch(terms: readonly string[], query: string): boolean {
  return searchWords(query).every((word) => terms.some((term) => term.startsWith(word)));
}
