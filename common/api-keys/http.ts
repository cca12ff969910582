import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { byId } from '../users/model.ts';
import { apiKeySchema, newApiKeySchema } from './model.ts';

/** The signed-in user's keys for programs. No key can call these. */
export const apiKeyCalls = {
  list: {
    ...noInput,
    summary: "The caller's API keys, newest first, without their secrets.",
    method: 'GET',
    path: '/api/api-keys',
    access: 'user',
    key: 'none',
    output: z.array(apiKeySchema),
  },
  create: {
    ...noInput,
    summary:
      "Creates an API key, and returns its secret this once. A key that trades needs a recent password, and the typed word 'LIVE' for real money.",
    errors: ['limit-reached', 'confirm-needed'],
    method: 'POST',
    path: '/api/api-keys',
    access: 'user',
    confirm: 'replacement',
    body: newApiKeySchema,
    output: z.strictObject({ key: apiKeySchema, secret: z.string() }),
  },
  end: {
    ...noInput,
    summary: "Ends one of the caller's API keys at once.",
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/api-keys/{id}',
    access: 'user',
    params: byId,
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
