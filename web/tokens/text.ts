import { displayName, symbolIsMissing } from '../../common/tokens/names.ts';

/** Maximum length of a token's text on screen, characters. */
const SHOWN_MAX = 48;

/**
 * Returns a stranger's text fit for the screen: without control, direction and zero-width characters, which can hide or
 * reorder the text around them, and with at most two combining marks in a row. A joiner within an emoji stays.
 */
export function cleanText(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/(\p{Extended_Pictographic}\uFE0F?\p{EMod}?)?([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}])/gu, keepEmojiJoiner)
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
  const letters = [...plain];
  return letters.length > SHOWN_MAX ? `${letters.slice(0, SHOWN_MAX).join('').trimEnd()}…` : plain;
}

function keepEmojiJoiner(whole: string, emoji: string | undefined, sign: string): string {
  if (emoji === undefined) return /[\n\r\t]/.test(sign) ? ' ' : '';
  return sign === '\u200D' ? whole : emoji;
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
