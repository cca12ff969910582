import { createHmac } from 'node:crypto';

/** Bytes of a master key. */
const MASTER_KEY_BYTES = 32;

/** A key that wraps the data keys. */
export interface MasterKey {
  /** Fingerprint, hexadecimal: names the key beside the data it wrapped and reveals nothing of its bytes. */
  id: string;
  bytes: Buffer;
}

/** Newest first: the first one wraps, any of them unwraps. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;
const ID_BYTES = 8;

export const MASTER_KEY_FORM = `needs keys of ${MASTER_KEY_BYTES} bytes, as hex or base64`;

/** Parses 32 bytes in hex or base64 (either alphabet); null for any other text. */
export function parseMasterKey(text: string): MasterKey | null {
  if (HEX.test(text)) return masterKey(Buffer.from(text, 'hex'));
  // Node reads both alphabets.
  if (BASE64.test(text)) return masterKey(Buffer.from(text, 'base64'));
  return null;
}

export function masterKey(bytes: Buffer): MasterKey {
  if (bytes.length !== MASTER_KEY_BYTES)
    throw new Error(`a master key has ${MASTER_KEY_BYTES} bytes, not ${bytes.length}`);
  const mac = createHmac('sha256', bytes).update('mintwatch master key id').digest();
  return { id: mac.subarray(0, ID_BYTES).toString('hex'), bytes };
}

/** Returns the keys as a non-empty list; null for none. */
export function masterKeys(keys: readonly MasterKey[]): MasterKeys | null {
  const [newest, ...older] = keys;
  return newest ? [newest, ...older] : null;
}

/** Formats a key as it is stored and shown to operators. */
export function masterKeyText({ bytes }: MasterKey): string {
  return bytes.toString('base64url');
}
