import { createHash } from 'node:crypto';

/** Without letters and digits that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 5 bits each, 80 bits together: not to be guessed within ten minutes. */
const LENGTH = 16;
const CODE_IN_TEXT = new RegExp(`\\b[${ALPHABET}]{${LENGTH}}\\b`, 'gi');
/** Matches a private key that was sent to the wrong place. */
const LONG_RUN = /[A-Za-z0-9+/=_-]{60,}/g;
/** Matches a private key in the form of wallet files: its bytes. */
const BYTES = /(?:\[\s*)?(?:\d{1,3}\s*,\s*){31,}\d{1,3}(?:\s*\])?/g;
/** Matches a recovery phrase: at least 12 words of the usual length in a row. */
const PHRASE = /\b(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\b/gi;
const MASK = '••••';

/** Returns a new code. `bytes` returns random bytes. */
export function newLinkCode(bytes: (length: number) => Uint8Array): string {
  return Array.from(bytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Returns the stored form of a code. Case is ignored, because people type codes. */
export function linkCodeHash(code: string): string {
  return createHash('sha256').update(code.trim().toUpperCase()).digest('hex');
}

/** Masks link codes, private keys and recovery phrases in a message that administrators may read. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/^(\/start(?:@\w+)?\s+)\S.*$/is, `$1${MASK}`)
    .replace(CODE_IN_TEXT, MASK)
    .replace(LONG_RUN, MASK)
    .replace(BYTES, MASK)
    .replace(PHRASE, MASK);
}
