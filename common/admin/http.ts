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
  stats: {
    ...noInput,
    summary: 'Counts of users and tokens, and the times of the last scans.',
    method: 'GET',
    path: '/api/admin/stats',
    access: 'admin',
    output: adminStatsSchema,
  },
  users: {
    ...noInput,
    summary:
      'Users, newest first. `q`: prefix of the username or of the Telegram chat id. The `X-Total-Count` header is the number of matches.',
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
  changeUser: {
    ...noInput,
    summary:
      "Grants or revokes administrator rights. `last-admin` when no administrator would remain. The user's open pages follow within 5 s.",
    errors: ['not-found', 'last-admin'],
    method: 'PATCH',
    path: '/api/admin/users/{id}',
    access: 'admin',
    confirm: 'always',
    params: byId,
    body: z.strictObject({ isAdmin: z.boolean() }),
    output: adminUserSchema,
  },
  userStats: {
    ...noInput,
    summary: 'Counts of users and of linked Telegram chats.',
    method: 'GET',
    path: '/api/admin/users/stats',
    access: 'admin',
    output: botUserStatsSchema,
  },
  systemStatus: {
    ...noInput,
    summary:
      'The current state of bot, scanners, sources and engine, the last hour by minute and the last day by ten minutes (since the start at most), and the starts of the server within the last day, oldest first.',
    method: 'GET',
    path: '/api/admin/system-status',
    access: 'admin',
    output: z.strictObject({
      status: systemStatusSchema,
      history: z.array(systemMinuteSchema).max(60),
      day: z.array(systemMinuteSchema).max(144),
      starts: z.array(z.iso.datetime()).max(100),
    }),
  },
} satisfies Record<string, Call>;
