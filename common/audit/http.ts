import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { idSchema, userParams } from '../users/model.ts';
import { auditActionSchema, auditPageSchema } from './model.ts';

const page = { limit: wholeNumberParam(1, 200).default(50), before: idSchema.optional() };

export const auditCalls = {
  list: {
    ...noInput,
    summary: 'All entries of the audit log, newest first. `user`: entries by this user or about them.',
    method: 'GET',
    path: '/api/admin/audit',
    access: 'admin',
    query: z.strictObject({ ...page, action: auditActionSchema.optional(), user: z.string().max(64).optional() }),
    output: auditPageSchema,
  },
  ofUser: {
    ...noInput,
    summary: "Entries about one user, newest first: the caller's own, or any user's for an administrator.",
    method: 'GET',
    path: '/api/users/{userId}/audit',
    access: 'user',
    params: userParams,
    query: z.strictObject(page),
    output: auditPageSchema,
  },
} satisfies Record<string, Call>;
