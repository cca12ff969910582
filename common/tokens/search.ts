// Bounds keep the index small whatever a creator wrote into the name.
const MAX_WORDS = 8;
const MAX_TERM = 64;
const MAX_TERMS = 24;

/** The words of a query or name, lower case. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/**
 * What a token is found by: the words of name and symbol, what follows a sign inside a word ('cat' of '$cat', 'dog' of
 * 'moon-dog'), and the address. All lower case.
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

/** Whether for every word of the query one of the terms begins with it. */
export function matchesSearch(terms: readonly string[], query: string): boolean {
  return searchWords(query).every((word) => terms.some((term) => term.startsWith(word)));
}
