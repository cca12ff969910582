import { sign } from 'node:crypto';
import { PublicError } from '../../common/errors.ts';
import { type Reason, reason } from '../../common/trading/reasons.ts';
import { SealError } from '../keys/sealed.ts';
import { privateKeyOf } from '../wallet/key-pair.ts';
import type { Wallets } from '../wallet/service.ts';

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
        // Opening a key takes a while, in which a stop may be acknowledged (O6).
        if (!(await isWanted())) return { ok: false, reason: reason('cancelled') };
        return { ok: true, value: sign(null, message, privateKeyOf(secretKey)) };
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
