import { z } from 'zod';
import { PASSWORD_MAX } from '../auth/model.ts';
import { type Call, noInput } from '../http.ts';
import { idSchema, userParams } from '../users/model.ts';
import { previousWalletSchema, privateKeySchema, saveWalletSchema, walletSchema } from './model.ts';

const password = z.string().min(1, 'Please enter your password.').max(PASSWORD_MAX);

/** Own id, or any for an administrator; `reveal` and `recover` are for the owner alone. */
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
  /** The one call that answers a private key: asks for the password again, is limited and recorded. */
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
  /** Makes one of them the wallet again; the present one takes its place among the replaced. Asks for the password. */
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
