import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { LAUNCHES_PATH } from '../paths.ts';

/** How busy the market is: counts alone, for visitors without an account. */
export const launchesSchema = z.strictObject({
  /** Tokens created in the last full five minutes, a minute; null while the server has run for less than a minute. */
  perMinute: z.number().nullable(),
  /** Creation of the newest token on chain, ISO 8601; null before the first. */
  lastAt: z.iso.datetime().nullable(),
  /** Median time from a token's creation on chain to its publication here in the last minute, ms; null without one. */
  publishedAfterMs: z.number().nullable(),
  /** True while the simulator is one of the market's sources. */
  simulated: z.boolean(),
  /** The time of the server, ISO 8601, which the ages count from. */
  at: z.iso.datetime(),
});
export type Launches = z.infer<typeof launchesSchema>;

export const launchCalls = {
  read: {
    ...noInput,
    summary:
      'Launches a minute, the last one, and how fast it was published. Counts alone; at most one answer a second.',
    method: 'GET',
    path: LAUNCHES_PATH,
    access: 'public',
    output: launchesSchema,
  },
} satisfies Record<string, Call>;
