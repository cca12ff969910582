import { z } from 'zod';
import { isPublicKey, SECRET_KEY_BYTES } from './public-key.ts';

export const INVALID_WALLET_ADDRESS = 'Please enter a valid wallet address.';

/** A wallet's public address: base58 of 32 bytes. */
export const walletAddressSchema = z.string().trim().refine(isPublicKey, { error: INVALID_WALLET_ADDRESS });

/** Hex of a 64-byte secret key, two characters a byte. That it belongs to an address is for the server to check. */
export const privateKeySchema = z
  .string()
  .regex(new RegExp(`^[0-9a-fA-F]{${2 * SECRET_KEY_BYTES}}$`), 'must be the hex form of a 64-byte secret key');

/** Days a wallet with a key can be had back after another one took its place. */
export const RECOVERY_DAYS = 30;

/** The one wallet of a user (decision 22): no address means that none is set; signing needs the key as well. */
export const walletSchema = z.strictObject({
  walletAddress: z.string().nullable(),
  /** Whether the server keeps the private key (encrypted). */
  hasKey: z.boolean(),
  /** When it was set, ISO 8601. */
  savedAt: z.iso.datetime().nullable(),
});
export type Wallet = z.infer<typeof walletSchema>;

/** A wallet with a key that another one replaced. */
export const previousWalletSchema = z.strictObject({
  id: z.string(),
  walletAddress: z.string(),
  replacedAt: z.iso.datetime(),
  /** Its key is deleted then. */
  recoverableUntil: z.iso.datetime(),
});
export type PreviousWallet = z.infer<typeof previousWalletSchema>;

/** What the Wallet page sends after creating or importing. */
export const saveWalletSchema = z.strictObject({ walletAddress: walletAddressSchema, privateKey: privateKeySchema });
