import { z } from 'zod';
import { isPublicKey, SECRET_KEY_BYTES } from './public-key.ts';

export const INVALID_WALLET_ADDRESS = 'Please enter a valid wallet address.';

/** A wallet's public address: base58 of 32 bytes. */
export const walletAddressSchema = z.string().trim().refine(isPublicKey, { error: INVALID_WALLET_ADDRESS });

/** Hex of a 64-byte secret key. The server checks that it belongs to the address. */
export const privateKeySchema = z
  .string()
  .regex(new RegExp(`^[0-9a-fA-F]{${2 * SECRET_KEY_BYTES}}$`), 'must be the hex form of a 64-byte secret key');

/** Days during which a replaced wallet with a key can be recovered. */
export const RECOVERY_DAYS = 30;

/** The one wallet of a user (decision 22). Without an address no wallet is set; signing needs the key as well. */
export const walletSchema = z.strictObject({
  walletAddress: z.string().nullable(),
  /** Whether the server stores the private key (encrypted). */
  hasKey: z.boolean(),
  /** Time at which it was set, ISO 8601. */
  savedAt: z.iso.datetime().nullable(),
});
export type Wallet = z.infer<typeof walletSchema>;

/** A replaced wallet with a key. */
export const previousWalletSchema = z.strictObject({
  id: z.string(),
  walletAddress: z.string(),
  replacedAt: z.iso.datetime(),
  /** Time at which its key is deleted. */
  recoverableUntil: z.iso.datetime(),
});
export type PreviousWallet = z.infer<typeof previousWalletSchema>;

/** Request body after creating or importing a wallet. */
export const saveWalletSchema = z.strictObject({ walletAddress: walletAddressSchema, privateKey: privateKeySchema });
