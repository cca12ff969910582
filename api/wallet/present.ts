import type { PreviousWallet, Wallet } from '../../common/wallet/model.ts';
import { type JsonText, jsonTextOf } from '../http/json-text.ts';
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

const HEX_DIGITS = Buffer.from('0123456789abcdef');

/**
 * Returns the response of the reveal call, whose bytes the caller overwrites once they are sent: the key is written as hex into them
 * without a string in between, which could not be overwritten.
 */
export function presentKey(walletAddress: string, secretKey: Uint8Array): JsonText {
  const head = Buffer.from(`{"walletAddress":${JSON.stringify(walletAddress)},"privateKey":"`);
  const tail = Buffer.from('"}');
  const bytes = Buffer.alloc(head.length + 2 * secretKey.length + tail.length);
  let at = head.copy(bytes);
  for (const byte of secretKey) {
    bytes[at] = HEX_DIGITS[byte >> 4] ?? 0;
    bytes[at + 1] = HEX_DIGITS[byte & 15] ?? 0;
    at += 2;
  }
  tail.copy(bytes, at);
  return jsonTextOf(bytes);
}
