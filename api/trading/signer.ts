import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { PublicError } from '../../common/errors.ts';
import { type Reason, reason } from '../../common/trading/reasons.ts';
import { SealError } from '../keys/sealed.ts';
import type { Wallets } from '../wallet/service.ts';

/** First bytes of an Ed25519 private key in PKCS #8 (RFC 8410); its 32-byte seed follows. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** Signs transactions with the keys of users. The only module that uses key bytes, beside the page that reveals them. */
export interface Signer {
  /**
   * Returns the Ed25519 signature (64 bytes) of a message by the key of `wallet`; a reason when the user has no wallet, no key, or
   * another wallet by now, or when `isWanted` resolves with false. It is asked with the key open, and nothing is awaited between
   * its response and the signature.
   */
  sign(
    userId: string,
    wallet: string,
    message: Uint8Array,
    isWanted: () => Promise<boolean>,
  ): Promise<{ ok: true; value: Buffer } | { ok: false; reason: Reason }>;
}

export function createSigner(wallets: Pick<Wallets, 'secretKey'>): Signer {
  return {
    async sign(userId, wallet, message, isWanted) {
      const opened = await opening(wallets, userId);
      if (!opened.ok) return opened;
      const { walletAddress, secretKey } = opened.value;
      try {
        if (walletAddress !== wallet) return { ok: false, reason: reason('wallet-changed') };
        // Opening a key takes a while, in which a stop may be answered (O6).
        if (!(await isWanted())) return { ok: false, reason: reason('cancelled') };
        return { ok: true, value: sign(null, message, keyOf(secretKey)) };
      } finally {
        secretKey.fill(0);
      }
    },
  };
}

async function opening(wallets: Pick<Wallets, 'secretKey'>, userId: string) {
  try {
    return { ok: true, value: await wallets.secretKey(userId) } as const;
  } catch (error) {
    if (error instanceof PublicError && error.code === 'no-wallet')
      return { ok: false, reason: reason('no-wallet') } as const;
    const isMissing = error instanceof PublicError && error.code === 'no-key';
    // A stored key that does not open can sign as little as a missing one.
    if (isMissing || error instanceof SealError) return { ok: false, reason: reason('no-key') } as const;
    throw error;
  }
}

/** Returns the key that Node.js signs with. Its own copy of the bytes is overwritten by OpenSSL when it is freed. */
function keyOf(secretKey: Buffer): KeyObject {
  const der = Buffer.concat([PKCS8_HEAD, secretKey.subarray(0, SEED_BYTES)]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}
