import { createCipheriv, createDecipheriv } from 'node:crypto';

/** Bytes of every key here. */
export const KEY_BYTES = 32;

/** A source of random bytes, such as `randomBytes` of node:crypto. */
export type RandomBytes = (size: number) => Buffer;

const ALGORITHM = 'aes-256-gcm';
/** What the bytes after it are; another way of sealing gets another number. */
const VERSION = 1;
/** 96 bits, random: fresh for each sealing, and few enough sealings a key that none comes twice. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES;

/** What was sealed can't be opened: another key, another place, or bytes that were changed. Says nothing of the content. */
export class SealError extends Error {
  constructor(message = 'what was sealed does not open with this key in this place') {
    super(message);
    this.name = 'SealError';
  }
}

/** The place something sealed belongs to. Put anywhere else, it does not open. The parts can't run into each other. */
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

/** What `seal` was given. Throws a SealError unless key, place and every byte are as they were. */
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
    throw new SealError(); // node's own error tells no more
  } finally {
    begun.fill(0);
  }
}
