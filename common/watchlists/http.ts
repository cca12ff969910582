import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema, tokenSchema } from '../tokens/model.ts';
import { watchEntrySchema, watchlistNameSchema } from './model.ts';

const byList = z.strictObject({ list: watchlistNameSchema });
const byEntry = byList.extend({ address: addressSchema });

/** The signed-in user's own lists. */
export const watchlistCalls = {
  /** Entries of all three lists, newest first. */
  list: { ...noInput, method: 'GET', path: '/api/watchlists', access: 'user', output: z.array(watchEntrySchema) },
  /** The tokens of one list, latest added first; those that are no longer kept are missing. */
  tokens: {
    ...noInput,
    method: 'GET',
    path: '/api/watchlists/{list}/tokens',
    access: 'user',
    params: byList,
    output: z.array(tokenSchema),
  },
  /** Adding twice changes nothing. `token-not-found` for an address no token is known by, `limit-reached` at 1,000. */
  add: {
    ...noInput,
    method: 'PUT',
    path: '/api/watchlists/{list}/{address}',
    access: 'user',
    params: byEntry,
    output: watchEntrySchema,
  },
  /** Removing what is not there changes nothing. */
  remove: {
    ...noInput,
    method: 'DELETE',
    path: '/api/watchlists/{list}/{address}',
    access: 'user',
    params: byEntry,
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
