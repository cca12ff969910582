import { createHash, randomBytes } from 'node:crypto';
import { Secret } from 'otpauth';

const COUNT = 10;
/** 80 bits, 16 characters in base32: too many to guess, also from a plain hash. */
const BYTES = 10;

/** Returns new recovery codes as `codeSchema` parses them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => new Secret({ buffer: Uint8Array.from(randomBytes(BYTES)).buffer }).base32);
}

/** Returns a code in groups of four, as shown to the user. */
export function groupedCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}

/** Returns the stored form of a code, which differs between users. */
export function recoveryHash(userId: string, code: string): string {
  return createHash('sha256').update(`recovery:${userId}:${code}`).digest('base64url');
}
