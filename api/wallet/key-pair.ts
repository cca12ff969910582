import { createPrivateKey, createPublicKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import bs58 from 'bs58';
import { SECRET_KEY_BYTES } from '../../common/wallet/model.ts';

const SEED_BYTES = 32;
/** Prefixes of a 32-byte Ed25519 seed (PKCS #8) and of a public key (SPKI), RFC 8410. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_HEAD_BYTES = 12;

/**
 * Returns whether a 64-byte secret key (seed, then public key) belongs to this address: the seed must derive the public half,
 * which must be the address. A key with only a matching public half could not sign.
 */
export function belongsTogether(secretKey: Uint8Array, walletAddress: string): boolean {
  const address = bs58.decodeUnsafe(walletAddress);
  if (secretKey.length !== SECRET_KEY_BYTES || address?.length !== SECRET_KEY_BYTES - SEED_BYTES) return false;
  const derived = publicKeyOf(secretKey.subarray(0, SEED_BYTES));
  return timingSafeEqual(derived, secretKey.subarray(SEED_BYTES)) && timingSafeEqual(derived, address);
}

function publicKeyOf(seed: Uint8Array): Buffer {
  return createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD_BYTES);
}

/**
 * Returns the key that Node.js signs with; `secretKey`: the seed, alone or followed by the public key. Its own copy of the bytes is
 * overwritten by OpenSSL when it is freed.
 */
export function privateKeyOf(secretKey: Uint8Array): KeyObject {
  const der = Buffer.concat([PKCS8_HEAD, secretKey.subarray(0, SEED_BYTES)]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}
