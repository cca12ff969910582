import { z } from 'zod';

/** Long-running actions of administrators. At most one run of each at a time. */
const runActionSchema = z.enum([
  'cleanup-mock-tokens',
  'cleanup-all-invalid-tokens',
  'cleanup-recent-tokens',
  'remove-all-tokens',
  'force-aggregator-scan',
  'run-multi-source-aggregator',
  'analyze-runner-tokens',
  'broadcast',
]);
export type RunAction = z.infer<typeof runActionSchema>;

/** Actions that remove tokens: while one runs, only broadcasts start. */
export const removals: ReadonlySet<RunAction> = new Set<RunAction>([
  'cleanup-mock-tokens',
  'cleanup-all-invalid-tokens',
  'cleanup-recent-tokens',
  'remove-all-tokens',
]);

/** The current or last run of an action. */
export const runSchema = z.strictObject({
  id: z.string(),
  action: runActionSchema,
  state: z.enum(['running', 'done', 'failed']),
  /** Initiator: a username, `direct-admin-key`, or `schedule`. */
  by: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Processed items of `total`; `total` is null while unknown. */
  done: z.int(),
  total: z.int().nullable(),
  /** Current step, or the result. */
  message: z.string(),
});
export type Run = z.infer<typeof runSchema>;

/** Recent-token cleanup, hours (specification, section 5). */
export const HOURS_AGO_MIN = 1;
export const HOURS_AGO_MAX = 168;
export const HOURS_AGO_DEFAULT = 24;

/** Hours of the recent-token cleanup; a value that is not a number becomes 24. */
export const hoursAgoSchema = z
  .unknown()
  .transform((value) => {
    // An object could throw on its way to a number.
    const isFigure = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
    const hours = isFigure ? Number(value) : Number.NaN;
    return Number.isFinite(hours) ? hours : HOURS_AGO_DEFAULT;
  })
  .pipe(
    z
      .number()
      .min(HOURS_AGO_MIN, `must be at least ${HOURS_AGO_MIN}`)
      .max(HOURS_AGO_MAX, `must be at most ${HOURS_AGO_MAX}`),
  );

/** The public state of the direct admin page (decisions 14 and 28). */
export const directAdminSchema = z.strictObject({
  /** Whether `DIRECT_ADMIN_KEY` is configured. */
  enabled: z.boolean(),
  scanners: z.array(
    z.strictObject({
      /** Label, e.g. `Chain scanner`. */
      name: z.string(),
      /** `running` now, `idle` between two runs, `down` failing, `off` not configured. */
      state: z.enum(['running', 'idle', 'down', 'off']),
      /** Last run or last event; null before the first. */
      lastRunAt: z.iso.datetime().nullable(),
    }),
  ),
});
export type DirectAdmin = z.infer<typeof directAdminSchema>;
