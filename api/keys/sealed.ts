import { createCipheriv, createDecipheriv } from 'node:crypto';

/** Length of every key, in bytes. */
export const KEY_BYTES = 32;

/** A source of random bytes, such as `randomBytes` of node:crypto. */
export type RandomBytes = (size: number) => Buffer;

const ALGORITHM = 'aes-256-gcm';
/** Version of the format after it; another format gets another number. */
const VERSION = 1;
/** 96 bits, random: fresh for each sealing, and few enough sealings per key that none repeats. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES;

/** The value cannot be opened: another key, another place, or changed bytes. Reveals nothing of the content. */
export class SealError extends Error {
  constructor(message = 'what was sealed does not open with this key in this place') {
    super(message);
    this.name = 'SealError';
  }
}

/** The place a sealed value belongs to. It does not open anywhere else; the parts are delimited unambiguously. */
export function placeOf(...parts: readonly string[]): string {
  return JSON.stringify(['mintwatch', ...parts]);
}

/** Encrypts and authenticates `plain` with AES-256-GCM, bound to `place`: version, IV, ciphertext, tag. */
export function seal(key: Uint8Array, plain: Uint8Array, place: string, random: RandomBytes): Buffer {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(place));
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Returns the value given to `seal`. Throws a SealError unless key, place and every byte match. */
export function unseal(key: Uint8Array, sealed: Uint8Array, place: string): Buffer {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION) {
    throw new SealError('this is nothing that was sealed here');
  }
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const begun = decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([begun, decipher.final()]);
  } catch {
    throw new SealError(); // node's own error adds nothing
  } finally {
    begun.fill(0);
  }
}
