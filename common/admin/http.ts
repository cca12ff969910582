import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { byId } from '../users/model.ts';
import {
  adminStatsSchema,
  adminUserSchema,
  botUserStatsSchema,
  systemMinuteSchema,
  systemStatusSchema,
} from './model.ts';

export const adminCalls = {
  stats: { ...noInput, method: 'GET', path: '/api/admin/stats', access: 'admin', output: adminStatsSchema },
  /** Newest first. `q`: prefix of the username or of the Telegram chat id. The `X-Total-Count` header is the number of matches. */
  users: {
    ...noInput,
    method: 'GET',
    path: '/api/admin/users',
    access: 'admin',
    query: z.strictObject({
      q: z.string().trim().max(64).optional(),
      limit: wholeNumberParam(1, 500).default(100),
      skip: wholeNumberParam(0, 1_000_000).default(0),
    }),
    output: z.array(adminUserSchema),
  },
  /** `last-admin` when no administrator would remain. The user's open pages follow within 5 s. */
  changeUser: {
    ...noInput,
    method: 'PATCH',
    path: '/api/admin/users/{id}',
    access: 'admin',
    params: byId,
    body: z.strictObject({ isAdmin: z.boolean() }),
    output: adminUserSchema,
  },
  userStats: {
    ...noInput,
    method: 'GET',
    path: '/api/admin/users/stats',
    access: 'admin',
    output: botUserStatsSchema,
  },
  /** The current state, and the minutes of the last hour (since the start at most), oldest first. */
  systemStatus: {
    ...noInput,
    method: 'GET',
    path: '/api/admin/system-status',
    access: 'admin',
    output: z.strictObject({ status: systemStatusSchema, history: z.array(systemMinuteSchema).max(60) }),
  },
} satisfies Record<string, Call>;
