import bs58 from 'bs58';
import { z } from 'zod';

/** Bytes of a Solana public key, and of a secret key (seed and public key). */
const PUBLIC_KEY_BYTES = 32;
export const SECRET_KEY_BYTES = 64;

/** A wallet's public address: base58 of 32 bytes. */
export const walletAddressSchema = z.string().trim().refine(isPublicKey, 'Please enter a valid wallet address.');

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
  /** Time when it was set, ISO 8601. */
  savedAt: z.iso.datetime().nullable(),
});
export type Wallet = z.infer<typeof walletSchema>;

/** A replaced wallet with a key. */
export const previousWalletSchema = z.strictObject({
  id: z.string(),
  walletAddress: z.string(),
  replacedAt: z.iso.datetime(),
  /** Time when its key is deleted. */
  recoverableUntil: z.iso.datetime(),
});
export type PreviousWallet = z.infer<typeof previousWalletSchema>;

/**
 * What becomes of the open positions of a wallet that an administrator replaces. `close`: trading of the user stops, and all are
 * sold first. `abandon`: they close as moved, neither gained nor lost, and their tokens stay in the replaced wallet.
 */
export const openPositionsChoices = ['close', 'abandon'] as const;
export type OpenPositionsChoice = (typeof openPositionsChoices)[number];

/** Request body after creating or importing a wallet. */
export const saveWalletSchema = z.strictObject({
  walletAddress: walletAddressSchema,
  privateKey: privateKeySchema,
  /** Of an administrator who replaces another user's wallet; without effect for the user. */
  positions: z.enum(openPositionsChoices).optional(),
});

/** Returns true for the base58 form of 32 bytes. An address off the curve is valid, although it has no private key. */
export function isPublicKey(text: string): boolean {
  if (text.length > 44) return false;
  return bs58.decodeUnsafe(text)?.length === PUBLIC_KEY_BYTES;
}
