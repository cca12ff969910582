import { z } from 'zod';

/** The long works that administrators start. One run of each at a time. */
export const runActions = [
  'cleanup-mock-tokens',
  'cleanup-all-invalid-tokens',
  'cleanup-recent-tokens',
  'remove-all-tokens',
  'force-aggregator-scan',
  'run-multi-source-aggregator',
  'analyze-runner-tokens',
  'broadcast',
] as const;
export const runActionSchema = z.enum(runActions);
export type RunAction = z.infer<typeof runActionSchema>;

/** One run of a long work: the present one, or the last one of its action. */
export const runSchema = z.strictObject({
  id: z.string(),
  action: runActionSchema,
  state: z.enum(['running', 'done', 'failed']),
  /** Who started it: a username, `direct-admin-key`, or `schedule`. */
  by: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** How many of `total` are done; `total` is null while it is not known. */
  done: z.int(),
  total: z.int().nullable(),
  /** What it is at, or how it ended. */
  message: z.string(),
});
export type Run = z.infer<typeof runSchema>;

/** Recent-token cleanup, hours (specification, section 5). */
export const HOURS_AGO_MIN = 1;
export const HOURS_AGO_MAX = 168;
export const HOURS_AGO_DEFAULT = 24;

/** A value that is no number counts as 24 hours. */
export const hoursAgoSchema = z
  .unknown()
  .transform((value) => {
    const hours = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value ?? Number.NaN);
    return Number.isFinite(hours) ? hours : HOURS_AGO_DEFAULT;
  })
  .pipe(
    z
      .number()
      .min(HOURS_AGO_MIN, `must be at least ${HOURS_AGO_MIN}`)
      .max(HOURS_AGO_MAX, `must be at most ${HOURS_AGO_MAX}`),
  );

/** What the direct admin page shows to everybody (decisions 14 and 28). */
export const directAdminSchema = z.strictObject({
  /** Whether `DIRECT_ADMIN_KEY` is configured. */
  enabled: z.boolean(),
  scanners: z.array(
    z.strictObject({
      /** As people call it, e.g. `Chain scanner`. */
      name: z.string(),
      /** `running` is at work now, `idle` between two runs, `down` fails, `off` is not configured. */
      state: z.enum(['running', 'idle', 'down', 'off']),
      /** When it last ran or heard of something; null when it never did. */
      lastRunAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type DirectAdmin = z.infer<typeof directAdminSchema>;
