import { z } from 'zod';
import { credentialsSchema, knownUsernameSchema } from '../auth/model.ts';
import { type Call, noInput } from '../http.ts';
import { byId, levelSchema, magicPointsSchema, userSchema } from './model.ts';

/** Legacy user calls (specification, section 7.2): the caller's own user, or any user for an administrator. */
export const userCalls = {
  get: {
    ...noInput,
    summary: 'A user, without password or key.',
    errors: ['not-found'],
    method: 'GET',
    path: '/api/users/{id}',
    access: 'user',
    params: byId,
    output: userSchema,
  },
  find: {
    ...noInput,
    summary:
      'Finds a user by name. For users who are not administrators any other name is 403, whether it exists or not.',
    errors: ['not-found'],
    method: 'GET',
    path: '/api/users',
    access: 'user',
    query: z.strictObject({ username: knownUsernameSchema }),
    output: userSchema,
  },
  create: {
    ...noInput,
    summary: 'Registers without signing in. `createdAt` is accepted for compatibility and ignored.',
    errors: ['username-taken'],
    method: 'POST',
    path: '/api/users',
    access: 'public',
    body: credentialsSchema.extend({ createdAt: z.iso.datetime({ offset: true }).optional() }),
    output: userSchema,
  },
  magicPoints: {
    ...noInput,
    summary: 'Spends magic points: `magicPoints` is the new balance. Only an administrator may raise it.',
    errors: ['not-found', 'not-enough-magic-points'],
    method: 'PATCH',
    path: '/api/users/{id}/magic-points',
    access: 'user',
    params: byId,
    body: z.strictObject({ magicPoints: magicPointsSchema }),
    output: userSchema,
  },
  level: {
    ...noInput,
    summary: 'Raises the level: `level` must be the current level + 1, else `level-not-next`.',
    errors: ['not-found', 'level-not-next'],
    method: 'PATCH',
    path: '/api/users/{id}/level',
    access: 'user',
    params: byId,
    body: z.strictObject({ level: levelSchema }),
    output: userSchema,
  },
} satisfies Record<string, Call>;
