import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { credentialsSchema, sessionUserSchema } from './model.ts';

export const authCalls = {
  me: {
    ...noInput,
    summary: 'The current user; 401 without a session.',
    errors: ['unauthenticated'],
    method: 'GET',
    path: '/api/auth/me',
    access: 'public',
    output: sessionUserSchema,
  },
  login: {
    ...noInput,
    summary: 'Starts a session, as a cookie.',
    errors: ['wrong-credentials'],
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    body: credentialsSchema,
    output: sessionUserSchema,
  },
  register: {
    ...noInput,
    summary: 'Creates a user and starts a session, as a cookie.',
    errors: ['username-taken'],
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    body: credentialsSchema,
    output: sessionUserSchema,
  },
  logout: {
    ...noInput,
    summary: 'Ends the session. Succeeds without one as well, so that a second click is no error.',
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
