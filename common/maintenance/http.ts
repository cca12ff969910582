import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { directAdminSchema, hoursAgoSchema, runSchema } from './model.ts';

const counted = z.strictObject({ message: z.string(), count: z.int() });
/** `started` is false when there is nobody to ask: `message` says so, and nothing runs. */
const told = z.strictObject({ message: z.string(), started: z.boolean() });

/** All of them are `already-running` while one of those that remove tokens, or this very one, is under way. */
export const maintenanceCalls = {
  /** Removes the tokens of the simulated market. */
  cleanupMockTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/cleanup-mock-tokens',
    access: 'admin-or-key',
    output: counted,
  },
  /** Removes tokens that are no tokens (decisions 18 and 26). */
  cleanupInvalidTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/cleanup-all-invalid-tokens',
    access: 'admin-or-key',
    output: counted,
  },
  /** Removes tokens detected within the last `hoursAgo` hours. */
  cleanupRecentTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/cleanup-recent-tokens',
    access: 'admin',
    body: z.strictObject({ hoursAgo: hoursAgoSchema }),
    output: counted,
  },
  /** Removes every token. */
  removeAllTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/remove-all-tokens',
    access: 'admin',
    output: counted,
  },
  /** Starts asking the polling sources for new tokens; progress by the `maintenance` event. */
  forceAggregatorScan: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/force-aggregator-scan',
    access: 'admin',
    output: told,
  },
  /** Starts asking all polling sources, for new tokens and about known ones. `adminKey`: as the header (decision 14). */
  runMultiSourceAggregator: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/run-multi-source-aggregator',
    access: 'admin-or-key',
    body: z.strictObject({ adminKey: z.string().max(200).optional() }),
    output: told,
  },
  /** Looks at all tokens anew for the lists of runners and might-run tokens (decision 32). */
  analyzeRunnerTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/analyze-runner-tokens',
    access: 'admin',
    output: z.strictObject({ message: z.string(), analyzed: z.int(), runners: z.int(), mightRun: z.int() }),
  },
  /** The present or last run of each action. */
  runs: { ...noInput, method: 'GET', path: '/api/maintenance/runs', access: 'admin', output: z.array(runSchema) },
  /** What the direct admin page says before anybody typed a key. */
  directAdmin: {
    ...noInput,
    method: 'GET',
    path: '/api/direct-admin',
    access: 'public',
    output: directAdminSchema,
  },
} satisfies Record<string, Call>;
