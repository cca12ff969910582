import bs58 from 'bs58';

/** Bytes of a Solana public key, and of a secret key (seed and public key). */
export const PUBLIC_KEY_BYTES = 32;
export const SECRET_KEY_BYTES = 64;

/** Returns true for the base58 form of 32 bytes. An address off the curve is valid, although it has no private key. */
export function isPublicKey(text: string): boolean {
  if (text.length > 44) return false;
  return bs58.decodeUnsafe(text)?.length === PUBLIC_KEY_BYTES;
}
