import { z } from 'zod';

/**
 * Marks of a wallet of one token, in the order of weight:
 * - `developer`: signed, paid for or is named in the creation, or earns its fees since.
 * - `insider`: bought right after the creation, in equal amounts with others, or with money of the developer or of one common wallet.
 * - `top-10`: one of the ten largest wallets.
 * - `first-20`: one of the first 20 buyers other than the developer.
 * - `new`: an early buyer with fewer than 100 transactions in its life, when its first SOL was read after the launch.
 */
export const walletLabelSchema = z.enum(['developer', 'insider', 'top-10', 'first-20', 'new']);
export type WalletLabel = z.infer<typeof walletLabelSchema>;

/** Labels of a wallet, by weight. */
const labels = z.array(walletLabelSchema);

export const labelledWalletSchema = z.strictObject({ wallet: z.string(), labels: labels.min(1) });
export type LabelledWallet = z.infer<typeof labelledWalletSchema>;

/**
 * One of the largest wallets of a token; curve and pool accounts are left out. The figures from `bought` on are of its trades since
 * the creation, and null while one of these may be missing: it happened before our first observation, or is no longer stored.
 */
export const holderSchema = z.strictObject({
  wallet: z.string(),
  tokens: z.number(),
  /** Percent 0–100 of the total supply. */
  share: z.number(),
  isCreator: z.boolean(),
  labels,
  /** SOL paid and received, without fees; null also when a trade has no SOL value. */
  bought: z.number().nullable(),
  sold: z.number().nullable(),
  /** Percent 0–100 of the tokens it bought that it still holds; null also without a purchase. */
  remaining: z.number().min(0).max(100).nullable(),
  /** SOL received and the rest at the present price, less SOL paid; null also when it sold tokens that it had not bought. */
  profit: z.number().nullable(),
  /** Time of its first purchase after the creation, ms; block times are whole seconds. Null also when the creation is unknown. */
  firstBuyAfter: z.int().min(0).nullable(),
});
export type Holder = z.infer<typeof holderSchema>;
