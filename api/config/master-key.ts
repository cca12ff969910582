import { createHmac } from 'node:crypto';
import { KEY_BYTES } from '../keys/sealed.ts';

/** What wraps the data keys. */
export interface MasterKey {
  /** Fingerprint, hexadecimal: names the key beside what it wrapped, and tells nothing of its bytes. */
  id: string;
  bytes: Buffer;
}

/** Newest first: the first one wraps, any of them unwraps. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;
const ID_BYTES = 8;

export const MASTER_KEY_FORM = `needs keys of ${KEY_BYTES} bytes, as hex or base64`;

/** The 32 bytes that hex or base64 (of either alphabet) stands for; null for any other text. */
export function parseMasterKey(text: string): MasterKey | null {
  if (HEX.test(text)) return masterKey(Buffer.from(text, 'hex'));
  // Node reads both alphabets.
  if (BASE64.test(text)) return masterKey(Buffer.from(text, 'base64'));
  return null;
}

export function masterKey(bytes: Buffer): MasterKey {
  if (bytes.length !== KEY_BYTES) throw new Error(`a master key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  const mac = createHmac('sha256', bytes).update('mintwatch master key id').digest();
  return { id: mac.subarray(0, ID_BYTES).toString('hex'), bytes };
}

/** The keys as a list that has a first one; null for none. */
export function masterKeys(keys: readonly MasterKey[]): MasterKeys | null {
  const [newest, ...older] = keys;
  return newest ? [newest, ...older] : null;
}

/** The form in which a key is kept and shown to operators. */
export function masterKeyText({ bytes }: MasterKey): string {
  return bytes.toString('base64url');
}
