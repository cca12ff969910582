import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema, tokenSchema } from '../tokens/model.ts';
import { watchEntrySchema, watchlistNameSchema } from './model.ts';

const byList = z.strictObject({ list: watchlistNameSchema });
const byEntry = byList.extend({ address: addressSchema });

/** The signed-in user's lists. */
export const watchlistCalls = {
  list: {
    ...noInput,
    summary: "Entries of the signed-in user's three lists, newest first.",
    method: 'GET',
    path: '/api/watchlists',
    access: 'user',
    output: z.array(watchEntrySchema),
  },
  tokens: {
    ...noInput,
    summary: 'Tokens of one list, latest added first, without tokens that have been deleted.',
    method: 'GET',
    path: '/api/watchlists/{list}/tokens',
    access: 'user',
    params: byList,
    output: z.array(tokenSchema),
  },
  add: {
    ...noInput,
    summary:
      'Adds a token to a list. Idempotent. `token-not-found` for an unknown address, `limit-reached` at 1,000 entries.',
    errors: ['token-not-found', 'limit-reached'],
    method: 'PUT',
    path: '/api/watchlists/{list}/{address}',
    access: 'user',
    params: byEntry,
    output: watchEntrySchema,
  },
  remove: {
    ...noInput,
    summary: 'Removes a token from a list. Idempotent.',
    method: 'DELETE',
    path: '/api/watchlists/{list}/{address}',
    access: 'user',
    params: byEntry,
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
