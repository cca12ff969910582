import { displayName, symbolIsMissing } from '../../common/tokens/names.ts';
import { cutText, plainText } from '../../common/tokens/text/plain-text.ts';
import { keepPercents } from '../ui/format.ts';

/** Maximum length of a token's text on screen, characters. */
const SHOWN_MAX = 48;

/** Returns a stranger's text fit for the screen, as `plainText` forms it, and cut where it is too long. */
export function cleanText(text: string): string {
  const plain = plainText(text);
  const shown = cutText(plain, SHOWN_MAX);
  return shown === plain ? plain : `${shown}…`;
}

interface Named {
  name: string | null;
  symbol: string | null;
  address: string;
}

/** Returns the name for the screen, or a fallback built from the symbol or the address. */
export function nameOf({ name, symbol, address }: Named): string {
  return displayName({
    name: name === null ? null : cleanText(name),
    symbol: symbol === null ? null : cleanText(symbol),
    address,
  });
}

/** Returns the symbol for the screen; null without one. */
export function symbolOf({ symbol }: Pick<Named, 'symbol'>): string | null {
  const shown = symbol === null ? null : cleanText(symbol);
  return symbolIsMissing(shown) ? null : shown;
}

/** Cleans each word of the evidence, which may quote a symbol that a stranger chose; the length stays. */
export function cleanEvidence(evidence: string): string {
  return keepPercents(evidence.split(' ').map(cleanText).join(' '));
}
