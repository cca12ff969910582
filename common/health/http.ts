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

/** `not-running`: the server is starting or stopping. */
export const readinessSchema = z.strictObject({ status: z.enum(['ready', 'not-running', 'no-database']) });
export type Readiness = z.infer<typeof readinessSchema>;

export const healthCalls = {
  live: {
    ...noInput,
    summary: 'Responds while the process runs; a supervisor restarts one that does not respond.',
    method: 'GET',
    path: '/api/health/live',
    access: 'public',
    output: z.strictObject({ status: z.literal('live') }),
  },
  ready: {
    ...noInput,
    summary:
      'Whether a proxy may send clients here. 503 with the same body during a start or stop, and while MongoDB is away.',
    sameBody: [503],
    method: 'GET',
    path: '/api/health/ready',
    access: 'public',
    output: readinessSchema,
  },
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
