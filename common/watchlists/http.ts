import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema, tokenSchema } from '../tokens/model.ts';
import { watchEntrySchema, watchlistNameSchema } from './model.ts';

const byList = z.strictObject({ list: watchlistNameSchema });
const byEntry = byList.extend({ address: addressSchema });

/** The signed-in user's lists. */
export const watchlistCalls = {
  /** Entries of all three lists, newest first. */
  list: { ...noInput, method: 'GET', path: '/api/watchlists', access: 'user', output: z.array(watchEntrySchema) },
  /** Tokens of one list, latest added first, without tokens that have been deleted. */
  tokens: {
    ...noInput,
    method: 'GET',
    path: '/api/watchlists/{list}/tokens',
    access: 'user',
    params: byList,
    output: z.array(tokenSchema),
  },
  /** Idempotent. `token-not-found` for an unknown address, `limit-reached` at 1,000 entries. */
  add: {
    ...noInput,
    method: 'PUT',
    path: '/api/watchlists/{list}/{address}',
    access: 'user',
    params: byEntry,
    output: watchEntrySchema,
  },
  /** Idempotent. */
  remove: {
    ...noInput,
    method: 'DELETE',
    path: '/api/watchlists/{list}/{address}',
    access: 'user',
    params: byEntry,
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
