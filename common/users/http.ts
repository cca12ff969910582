import { z } from 'zod';
import { credentialsSchema, usernameSchema } from '../auth/model.ts';
import { type Call, noInput } from '../http.ts';
import { byId, levelSchema, magicPointsSchema, userSchema } from './model.ts';

/** Legacy user calls (specification, section 7.2): the caller's own user, or any user for an administrator. */
export const userCalls = {
  get: { ...noInput, method: 'GET', path: '/api/users/{id}', access: 'user', params: byId, output: userSchema },
  /** Finds a user by name. For users who are not administrators any other name is 403, whether it exists or not. */
  find: {
    ...noInput,
    method: 'GET',
    path: '/api/users',
    access: 'user',
    query: z.strictObject({ username: usernameSchema }),
    output: userSchema,
  },
  /** Registers without signing in. `createdAt` is accepted for compatibility and ignored. */
  create: {
    ...noInput,
    method: 'POST',
    path: '/api/users',
    access: 'public',
    body: credentialsSchema.extend({ createdAt: z.iso.datetime({ offset: true }).optional() }),
    output: userSchema,
  },
  /** Spends magic points: `magicPoints` is the new balance. Only an administrator may raise it. */
  magicPoints: {
    ...noInput,
    method: 'PATCH',
    path: '/api/users/{id}/magic-points',
    access: 'user',
    params: byId,
    body: z.strictObject({ magicPoints: magicPointsSchema }),
    output: userSchema,
  },
  /** Level up: `level` must be the current level + 1, else `level-not-next`. */
  level: {
    ...noInput,
    method: 'PATCH',
    path: '/api/users/{id}/level',
    access: 'user',
    params: byId,
    body: z.strictObject({ level: levelSchema }),
    output: userSchema,
  },
} satisfies Record<string, Call>;
