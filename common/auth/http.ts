import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { credentialsSchema, sessionUserSchema } from './model.ts';

export const authCalls = {
  /** The current user; 401 without a session. */
  me: { ...noInput, method: 'GET', path: '/api/auth/me', access: 'public', output: sessionUserSchema },
  login: {
    ...noInput,
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    body: credentialsSchema,
    output: sessionUserSchema,
  },
  register: {
    ...noInput,
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    body: credentialsSchema,
    output: sessionUserSchema,
  },
  /** Ends the session. Succeeds without one as well, so that a second click is no error. */
  logout: {
    ...noInput,
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
