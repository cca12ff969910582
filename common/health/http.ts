import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { feedCursorSchema } from '../live/protocol.ts';
import { sourceStatusSchema } from '../sources/model.ts';

export const healthSchema = z.strictObject({
  status: z.enum(['ok', 'unavailable']),
  version: z.string(),
  /** Seconds since the process started. */
  uptime: z.number(),
  mongo: z.enum(['up', 'down']),
  market: z.array(sourceStatusSchema),
  feed: feedCursorSchema,
});
export type Health = z.infer<typeof healthSchema>;

export const healthCalls = {
  health: {
    ...noInput,
    summary: 'The state of the server. 200 while MongoDB responds, otherwise 503 with the same body.',
    sameBody: [503],
    method: 'GET',
    path: '/api/health',
    access: 'public',
    output: healthSchema,
  },
} satisfies Record<string, Call>;
