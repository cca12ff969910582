import { rectifyConfusion } from 'unicode-confusables';
import { symbolIsMissing } from '../../../../common/tokens/names.ts';

/** Controls, direction and zero-width signs, private and unassigned characters, and combining marks: none of them changes how a symbol reads. */
const INVISIBLE = /[\p{C}\p{M}\p{Zl}\p{Zp}]/gu;
const SPACE = /\s+/gu;

/**
 * Returns the key under which symbols that look alike are one: cleaned of invisible characters, compatibility forms resolved
 * (NFKC), in capitals, and with look-alike letters folded (Unicode TS 39). null for a missing symbol or one without a visible character.
 */
export function symbolKey(symbol: string | null): string | null {
  if (symbol === null) return null;
  // Decomposed first, so that an accent is a mark of its own.
  const plain = symbol.normalize('NFKD').replace(INVISIBLE, '').normalize('NFKC').replace(SPACE, '');
  if (symbolIsMissing(plain)) return null;
  return rectifyConfusion(plain.toUpperCase()).replace(SPACE, '').toUpperCase();
}
