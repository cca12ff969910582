import { isBlank } from './text/plain-text.ts';

/** Characters of the address in a placeholder name (specification, section 3). */
const ADDRESS_START = 8;

const PLACEHOLDER_NAME = /^\s*Unknown Token \([1-9A-HJ-NP-Za-km-z]{1,8}(?:\.{3}|…)\)\s*$/;
const PLACEHOLDER_SYMBOL = 'Unknown';

/**
 * The conditions of `nameIsMissing` and `symbolIsMissing` for a query: any of these. A name of invisible characters alone is stored
 * as null.
 */
export const missingNames = [null, /^\s*$/, PLACEHOLDER_NAME] as const;
export const missingSymbols = [null, /^\s*$/, /^\s*Unknown\s*$/] as const;

/** Returns true for no name, a blank one, and the placeholder 'Unknown Token (first 8 of address...)'. */
export function nameIsMissing(name: string | null): boolean {
  return name === null || isBlank(name) || PLACEHOLDER_NAME.test(name);
}

/** Returns true for no symbol, a blank one, and the placeholder 'Unknown'. */
export function symbolIsMissing(symbol: string | null): boolean {
  return symbol === null || isBlank(symbol) || symbol.trim() === PLACEHOLDER_SYMBOL;
}

/** Control characters, direction marks and invisible characters, except the joiner within an emoji. */
const HIDDEN =
  /[\p{Cc}\u00AD\u061C\u115F\u1160\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0]|\u034F|\u17B4|\u17B5/u;
const ALL_HIDDEN = new RegExp(HIDDEN.source, 'gu');
/** Line breaks and tabs. */
const BREAKS = /[\t\n\v\f\r\u0085]+/gu;

/** Returns a name or symbol in one line and without invisible characters, which could hide or reorder the text around it. */
export function withoutHidden(text: string): string {
  // Names rarely have any, and this runs for every change of a token.
  return HIDDEN.test(text) ? text.replace(BREAKS, ' ').replace(ALL_HIDDEN, '') : text;
}

/** Returns the name; without one a name built from the symbol; without both the placeholder with the start of the address. */
export function displayName(token: { name: string | null; symbol: string | null; address: string }): string {
  if (token.name !== null && !nameIsMissing(token.name)) return token.name.trim();
  if (token.symbol !== null && !symbolIsMissing(token.symbol)) return `${token.symbol.trim()} Token`;
  return `Unknown Token (${token.address.slice(0, ADDRESS_START)}...)`;
}

/** Returns the symbol; without one the name; without both the placeholder with the start of the address. */
export function displaySymbol(token: { name: string | null; symbol: string | null; address: string }): string {
  if (token.symbol !== null && !symbolIsMissing(token.symbol)) return token.symbol;
  return displayName({ ...token, symbol: null });
}
