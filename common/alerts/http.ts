import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { alertHourSchema, alertSchema } from './model.ts';

export const alertCalls = {
  list: {
    ...noInput,
    summary: "The signed-in user's newest alerts, newest first.",
    method: 'GET',
    path: '/api/alerts',
    access: 'user',
    query: z.strictObject({ limit: wholeNumberParam(1, 100).default(20) }),
    output: z.array(alertSchema),
  },
  hour: {
    ...noInput,
    summary:
      "The signed-in user's alerts of the present hour: how many were received, and how many the limit held back.",
    method: 'GET',
    path: '/api/alerts/hour',
    access: 'user',
    output: alertHourSchema,
  },
} satisfies Record<string, Call>;
