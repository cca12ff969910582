import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { alertSchema } from './model.ts';

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
} satisfies Record<string, Call>;
