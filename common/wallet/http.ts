import { z } from 'zod';
import { proofSchema } from '../auth/model.ts';
import { type Call, noInput } from '../http.ts';
import { idSchema, userParams } from '../users/model.ts';
import { previousWalletSchema, privateKeySchema, saveWalletSchema, walletSchema } from './model.ts';

/** A user's wallet: the caller's own, or any user's for an administrator; `reveal` and `recover` are for the owner only. */
export const walletCalls = {
  get: {
    ...noInput,
    summary: "The user's wallet, without its key.",
    method: 'GET',
    path: '/api/users/{userId}/wallet',
    access: 'user',
    params: userParams,
    output: walletSchema,
  },
  save: {
    ...noInput,
    summary:
      "Stores address and key, the key encrypted. `key-mismatch` when they don't belong together. `open-positions` when an administrator replaces a wallet with open positions, of any mode, and gives no `positions`, and when `close` could not sell all within 20 s; `details` then has their number (`positions`), what they are worth (`valueLamports`), and what could not be sold and why (`unsold`).",
    errors: ['key-mismatch', 'limit-reached', 'open-positions'],
    method: 'POST',
    path: '/api/users/{userId}/wallet',
    access: 'user',
    confirm: 'replacement',
    params: userParams,
    body: saveWalletSchema,
    output: walletSchema,
  },
  reveal: {
    ...noInput,
    summary: 'The only call that returns a private key: requires the password, is rate limited and recorded.',
    errors: ['wrong-password', 'code-needed', 'wrong-code', 'no-key'],
    method: 'POST',
    path: '/api/users/{userId}/wallet/reveal',
    access: 'user',
    params: userParams,
    body: proofSchema,
    output: z.strictObject({ walletAddress: z.string(), privateKey: privateKeySchema }),
  },
  previous: {
    ...noInput,
    summary: 'Wallets with a key that were replaced within the last 30 days, newest first.',
    method: 'GET',
    path: '/api/users/{userId}/wallet/previous',
    access: 'user',
    params: userParams,
    output: z.array(previousWalletSchema),
  },
  recover: {
    ...noInput,
    summary: 'Restores a replaced wallet; the current one becomes a replaced wallet. Requires the password.',
    errors: ['wrong-password', 'code-needed', 'wrong-code', 'not-found'],
    method: 'POST',
    path: '/api/users/{userId}/wallet/recover',
    access: 'user',
    params: userParams,
    body: proofSchema.extend({ id: idSchema }),
    output: walletSchema,
  },
} satisfies Record<string, Call>;
