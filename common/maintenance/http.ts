import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { directAdminSchema, hoursAgoSchema, runSchema } from './model.ts';

const counted = z.strictObject({ message: z.string(), count: z.int() });
/** `started` is false when no source can be polled: nothing runs, and `message` gives the reason. */
const startedSchema = z.strictObject({ message: z.string(), started: z.boolean() });

/** Each call fails with `already-running` while a removal, or the same action, is running. */
export const maintenanceCalls = {
  /** Removes the tokens of the simulated market. */
  cleanupMockTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/cleanup-mock-tokens',
    access: 'admin-or-key',
    output: counted,
  },
  /** Removes invalid tokens (decisions 18 and 26). */
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
  /** Starts polling the sources for new tokens; progress is sent as the `maintenance` event. */
  forceAggregatorScan: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/force-aggregator-scan',
    access: 'admin',
    output: startedSchema,
  },
  /** Starts polling the sources for new tokens and for figures of known ones. `adminKey`: same as the header (decision 14). */
  runMultiSourceAggregator: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/run-multi-source-aggregator',
    access: 'admin-or-key',
    body: z.strictObject({ adminKey: z.string().max(200).optional() }),
    output: startedSchema,
  },
  /** Re-evaluates all tokens for the lists of runners and might-run tokens (decision 32). */
  analyzeRunnerTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/analyze-runner-tokens',
    access: 'admin',
    output: z.strictObject({ message: z.string(), analyzed: z.int(), runners: z.int(), mightRun: z.int() }),
  },
  /** The current or last run of each action. */
  runs: { ...noInput, method: 'GET', path: '/api/maintenance/runs', access: 'admin', output: z.array(runSchema) },
  /** The public state of the direct admin page. */
  directAdmin: {
    ...noInput,
    method: 'GET',
    path: '/api/direct-admin',
    access: 'public',
    output: directAdminSchema,
  },
} satisfies Record<string, Call>;
