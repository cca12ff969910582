import { z } from 'zod';
import { credentialsSchema, usernameSchema } from '../auth/model.ts';
import { type Call, noInput } from '../http.ts';
import { byId, levelSchema, magicPointsSchema, userSchema } from './model.ts';

/** The legacy user calls (specification, section 7.2). Own user, or any for an administrator. */
export const userCalls = {
  get: { ...noInput, method: 'GET', path: '/api/users/{id}', access: 'user', params: byId, output: userSchema },
  /** The user of this name. For others than administrators a name that is not theirs is 403, known or not. */
  find: {
    ...noInput,
    method: 'GET',
    path: '/api/users',
    access: 'user',
    query: z.strictObject({ username: usernameSchema }),
    output: userSchema,
  },
  /** Registers without signing in. `createdAt` is taken for compatibility; the server's clock decides. */
  create: {
    ...noInput,
    method: 'POST',
    path: '/api/users',
    access: 'public',
    body: credentialsSchema.extend({ createdAt: z.iso.datetime({ offset: true }).optional() }),
    output: userSchema,
  },
  /** Spends magic points: `magicPoints` is what is left. Only an administrator may raise them. */
  magicPoints: {
    ...noInput,
    method: 'PATCH',
    path: '/api/users/{id}/magic-points',
    access: 'user',
    params: byId,
    body: z.strictObject({ magicPoints: magicPointsSchema }),
    output: userSchema,
  },
  /** Level up: `level` is one more than the present one, else `level-not-next`. */
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
