import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { webhookInputSchema, webhookSchema } from './model.ts';

/** The signed-in user's webhook, which receives alerts. */
export const webhookCalls = {
  get: {
    ...noInput,
    summary: "The signed-in user's webhook; null without one.",
    method: 'GET',
    path: '/api/webhook',
    access: 'user',
    output: webhookSchema.nullable(),
  },
  save: {
    ...noInput,
    summary: 'Sets the webhook with a new secret, which is shown this once. Its deliveries are signed with it.',
    errors: ['too-many-requests'],
    method: 'PUT',
    path: '/api/webhook',
    access: 'user',
    body: webhookInputSchema,
    output: z.strictObject({ webhook: webhookSchema, secret: z.string() }),
  },
  test: {
    ...noInput,
    summary: 'Sends a test to the webhook once, and returns its result.',
    errors: ['not-found', 'too-many-requests'],
    method: 'POST',
    path: '/api/webhook/test',
    access: 'user',
    output: webhookSchema,
  },
  remove: {
    ...noInput,
    summary: 'Deletes the webhook.',
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/webhook',
    access: 'user',
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
