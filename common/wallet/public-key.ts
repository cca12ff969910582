import bs58 from 'bs58';

/** Bytes of a Solana public key, and of a secret key (seed and public key). */
export const PUBLIC_KEY_BYTES = 32;
export const SECRET_KEY_BYTES = 64;

/** True of the base58 form of 32 bytes. Whether anybody holds its key is not asked: an address may be off the curve. */
export function isPublicKey(text: string): boolean {
  if (text.length > 44) return false;
  return bs58.decodeUnsafe(text)?.length === PUBLIC_KEY_BYTES;
}
