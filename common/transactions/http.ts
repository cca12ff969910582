import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { userParams } from '../users/model.ts';
import { recordTransactionSchema, transactionSchema, transactionStatusSchema, transactionTypeSchema } from './model.ts';

/** Rows a page has unless `?limit=` says otherwise, and the most it may ask for. */
export const TRANSACTIONS_LIMIT_DEFAULT = 50;
export const TRANSACTIONS_LIMIT_MAX = 500;

/** A place in the newest-first order: `<createdAt, epoch ms>_<id>` of the last row seen. */
export const transactionCursorSchema = z.string().regex(/^\d{1,15}_[0-9a-f]{24}$/, 'is not a cursor of this list');

/** Own id, or any for an administrator. */
export const transactionCalls = {
  /** Newest first. Header X-Total-Count: how many match in all. */
  list: {
    ...noInput,
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
  /** Records a signed transaction of the own wallet, to be followed until the chain decides. Recording twice changes nothing. */
  record: {
    ...noInput,
    method: 'POST',
    path: '/api/users/{userId}/transactions',
    access: 'user',
    params: userParams,
    body: recordTransactionSchema,
    output: transactionSchema,
  },
} satisfies Record<string, Call>;
