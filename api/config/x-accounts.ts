import { z } from 'zod';

/** Accounts that are read without X_ACCOUNTS: five that much of what happens on Solana goes through. */
export const DEFAULT_ACCOUNTS: readonly string[] = [
  'solana',
  'JupiterExchange',
  'RaydiumProtocol',
  'SolanaFloor',
  'bonk_inu',
];

/** More do not fit into the 512 characters of one question. */
const MAX_ACCOUNTS = 20;

/** `X_ACCOUNTS`: comma list of handles, with or without the @. */
export const accountsSchema = z
  .string()
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((item) => item.trim().replace(/^@/, ''))
        .filter((item) => item !== ''),
    ),
  ])
  .pipe(
    z
      .array(z.string().regex(/^\w{1,15}$/, 'takes handles of X such as solana or @solana'))
      .min(1, 'names no account')
      .max(MAX_ACCOUNTS, `takes at most ${MAX_ACCOUNTS} accounts`),
  );
