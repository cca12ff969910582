import type { PreviousWallet, Wallet } from '../../common/wallet/model.ts';
import type { ReplacedWalletRecord, WalletRecord } from './model.ts';

/** Presents a wallet without its key, which only the reveal call returns. */
export function presentWallet(wallet: WalletRecord | null): Wallet {
  if (!wallet) return { walletAddress: null, hasKey: false, savedAt: null };
  const { walletAddress, sealedKey, savedAt } = wallet;
  return { walletAddress, hasKey: sealedKey !== null, savedAt: savedAt.toISOString() };
}

export function presentPrevious(wallet: ReplacedWalletRecord): PreviousWallet {
  const { _id, walletAddress, replacedAt, expiresAt } = wallet;
  return {
    id: _id.toHexString(),
    walletAddress,
    replacedAt: replacedAt.toISOString(),
    recoverableUntil: expiresAt.toISOString(),
  };
}
