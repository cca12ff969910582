import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { idSchema, userParams } from '../users/model.ts';
import { auditActionSchema, auditPageSchema } from './model.ts';

const page = { limit: wholeNumberParam(1, 200).default(50), before: idSchema.optional() };

export const auditCalls = {
  /** Everything, newest first. `user`: what this user did, or what concerns them. */
  list: {
    ...noInput,
    method: 'GET',
    path: '/api/admin/audit',
    access: 'admin',
    query: z.strictObject({ ...page, action: auditActionSchema.optional(), user: z.string().max(64).optional() }),
    output: auditPageSchema,
  },
  /** What concerns one user, newest first: own, or anybody's for an administrator. */
  ofUser: {
    ...noInput,
    method: 'GET',
    path: '/api/users/{userId}/audit',
    access: 'user',
    params: userParams,
    query: z.strictObject(page),
    output: auditPageSchema,
  },
} satisfies Record<string, Call>;
