import { createHash } from 'node:crypto';

/** Without letters and digits that are taken for each other. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 5 bits each: 80 bits, far more than anybody guesses in ten minutes. */
const LENGTH = 16;
const CODE_IN_TEXT = new RegExp(`\\b[${ALPHABET}]{${LENGTH}}\\b`, 'gi');
/** A private key that was sent to the wrong place is such a run. */
const LONG_RUN = /[A-Za-z0-9+/=_-]{60,}/g;
/** The same as wallets write it to a file: its bytes. */
const BYTES = /(?:\[\s*)?(?:\d{1,3}\s*,\s*){31,}\d{1,3}(?:\s*\])?/g;
/** A recovery phrase: at least 12 words, each as long as such words are, and nothing between them. */
const PHRASE = /\b(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\b/gi;
const MASK = '••••';

/** A new code. `bytes` gives so many random ones. */
export function newLinkCode(bytes: (length: number) => Uint8Array): string {
  return Array.from(bytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** How a code is stored. Letter case does not count, for people type it. */
export function linkCodeHash(code: string): string {
  return createHash('sha256').update(code.trim().toUpperCase()).digest('hex');
}

/** A message for the eyes of administrators: without link codes, whatever stands around them, and without private keys. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/^(\/start(?:@\w+)?\s+)\S.*$/is, `$1${MASK}`)
    .replace(CODE_IN_TEXT, MASK)
    .replace(LONG_RUN, MASK)
    .replace(BYTES, MASK)
    .replace(PHRASE, MASK);
}
