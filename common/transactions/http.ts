import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { userParams } from '../users/model.ts';
import { recordTransactionSchema, transactionSchema, transactionStatusSchema, transactionTypeSchema } from './model.ts';

/** Default and largest page size. */
export const TRANSACTIONS_LIMIT_DEFAULT = 50;
export const TRANSACTIONS_LIMIT_MAX = 500;

/** A position in the newest-first order: `<createdAt, epoch ms>_<id>` of the last row. */
export const transactionCursorSchema = z.string().regex(/^\d{1,15}_[0-9a-f]{24}$/, 'is not a cursor of this list');

/** A user's transactions: the caller's own, or any user's for an administrator. */
export const transactionCalls = {
  list: {
    ...noInput,
    summary: "A user's transactions, newest first. The `X-Total-Count` header is the number of matches.",
    method: 'GET',
    path: '/api/users/{userId}/transactions',
    access: 'user',
    params: userParams,
    query: z.strictObject({
      limit: wholeNumberParam(1, TRANSACTIONS_LIMIT_MAX).optional(),
      before: transactionCursorSchema.optional(),
      type: transactionTypeSchema.optional(),
      status: transactionStatusSchema.optional(),
    }),
    output: z.array(transactionSchema),
  },
  record: {
    ...noInput,
    summary: "Records a signed transaction of the user's wallet and tracks it until the chain decides. Idempotent.",
    errors: ['chain-unavailable', 'no-wallet', 'limit-reached'],
    method: 'POST',
    path: '/api/users/{userId}/transactions',
    access: 'user',
    params: userParams,
    body: recordTransactionSchema,
    output: transactionSchema,
  },
} satisfies Record<string, Call>;
