import { z } from 'zod';
import { PASSWORD_MAX } from '../auth/model.ts';
import { type Call, noInput } from '../http.ts';
import { idSchema, userParams } from '../users/model.ts';
import { previousWalletSchema, privateKeySchema, saveWalletSchema, walletSchema } from './model.ts';

const password = z.string().min(1, 'Please enter your password.').max(PASSWORD_MAX);

/** A user's wallet: the caller's own, or any user's for an administrator; `reveal` and `recover` are for the owner only. */
export const walletCalls = {
  get: {
    ...noInput,
    method: 'GET',
    path: '/api/users/{userId}/wallet',
    access: 'user',
    params: userParams,
    output: walletSchema,
  },
  /** Stores address and key, the key encrypted. `key-mismatch` when they don't belong together. */
  save: {
    ...noInput,
    method: 'POST',
    path: '/api/users/{userId}/wallet',
    access: 'user',
    params: userParams,
    body: saveWalletSchema,
    output: walletSchema,
  },
  /** The only call that returns a private key: requires the password, is rate limited and recorded. */
  reveal: {
    ...noInput,
    method: 'POST',
    path: '/api/users/{userId}/wallet/reveal',
    access: 'user',
    params: userParams,
    body: z.strictObject({ password }),
    output: z.strictObject({ walletAddress: z.string(), privateKey: privateKeySchema }),
  },
  /** Wallets with a key that were replaced within the last 30 days, newest first. */
  previous: {
    ...noInput,
    method: 'GET',
    path: '/api/users/{userId}/wallet/previous',
    access: 'user',
    params: userParams,
    output: z.array(previousWalletSchema),
  },
  /** Restores a replaced wallet; the current one becomes a replaced wallet. Requires the password. */
  recover: {
    ...noInput,
    method: 'POST',
    path: '/api/users/{userId}/wallet/recover',
    access: 'user',
    params: userParams,
    body: z.strictObject({ id: idSchema, password }),
    output: walletSchema,
  },
} satisfies Record<string, Call>;
