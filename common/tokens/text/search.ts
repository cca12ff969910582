/** Longest searched part of name and symbol, characters: creators choose them freely. */
const MAX_NAME = 200;
/** Shortest word that also finds parts of addresses: shorter ones are in nearly every address. */
const ADDRESS_PART_MIN = 3;

/** Returns the words of a query, folded like the text they are searched in. */
export function searchWords(query: string): string[] {
  return fold(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
}

/** Returns the text in which a token is searched: name and symbol, then the address in a line of its own. */
export function searchText(name: string | null, symbol: string | null, address: string): string {
  return `${fold(`${name ?? ''} ${symbol ?? ''}`).slice(0, MAX_NAME)}\n${address.toLowerCase()}`;
}

/**
 * Returns whether every word of `searchWords` is part of the name or symbol, or, from three characters on, of the address.
 * `text` is of `searchText`.
 */
export function matchesSearch(text: string, words: readonly string[]): boolean {
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0 || (word.length < ADDRESS_PART_MIN && at > text.lastIndexOf('\n'))) return false;
  }
  return true;
}

/** Ignores case, and the styled letters that Unicode has beside the plain ones. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
