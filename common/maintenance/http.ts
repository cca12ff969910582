import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { directAdminSchema, hoursAgoSchema, runSchema } from './model.ts';

const counted = z.strictObject({ message: z.string(), count: z.int() });
/** `started` is false when no source can be polled: nothing runs, and `message` gives the reason. */
const startedSchema = z.strictObject({ message: z.string(), started: z.boolean() });

/** Each call fails with `already-running` while a removal, or the same action, is running. */
export const maintenanceCalls = {
  cleanupMockTokens: {
    ...noInput,
    summary: 'Removes the tokens of the simulated market.',
    errors: ['already-running'],
    method: 'POST',
    path: '/api/maintenance/cleanup-mock-tokens',
    access: 'admin-or-key',
    output: counted,
  },
  cleanupInvalidTokens: {
    ...noInput,
    summary: 'Removes invalid tokens.',
    errors: ['already-running', 'chain-unavailable'],
    method: 'POST',
    path: '/api/maintenance/cleanup-all-invalid-tokens',
    access: 'admin-or-key',
    output: counted,
  },
  cleanupRecentTokens: {
    ...noInput,
    summary: 'Removes tokens detected within the last `hoursAgo` hours.',
    errors: ['already-running'],
    method: 'POST',
    path: '/api/maintenance/cleanup-recent-tokens',
    access: 'admin',
    body: z.strictObject({ hoursAgo: hoursAgoSchema }),
    output: counted,
  },
  removeAllTokens: {
    ...noInput,
    summary: 'Removes every token.',
    errors: ['already-running'],
    method: 'POST',
    path: '/api/maintenance/remove-all-tokens',
    access: 'admin',
    confirm: 'always',
    output: counted,
  },
  forceAggregatorScan: {
    ...noInput,
    summary: 'Starts polling the sources for new tokens; progress is sent as the `maintenance` event.',
    errors: ['already-running', 'sources-unavailable'],
    method: 'POST',
    path: '/api/maintenance/force-aggregator-scan',
    access: 'admin',
    output: startedSchema,
  },
  runMultiSourceAggregator: {
    ...noInput,
    summary: 'Starts polling the sources for new tokens and for figures of known ones. `adminKey`: same as the header.',
    errors: ['already-running', 'sources-unavailable'],
    method: 'POST',
    path: '/api/maintenance/run-multi-source-aggregator',
    access: 'admin-or-key',
    body: z.strictObject({ adminKey: z.string().max(200).optional() }),
    output: startedSchema,
  },
  analyzeRunnerTokens: {
    ...noInput,
    summary: 'Re-evaluates all tokens for the lists of runners and might-run tokens.',
    errors: ['already-running'],
    method: 'POST',
    path: '/api/maintenance/analyze-runner-tokens',
    access: 'admin',
    output: z.strictObject({ message: z.string(), analyzed: z.int(), runners: z.int(), mightRun: z.int() }),
  },
  runs: {
    ...noInput,
    summary: 'The current or last run of each action.',
    method: 'GET',
    path: '/api/maintenance/runs',
    access: 'admin',
    output: z.array(runSchema),
  },
  directAdmin: {
    ...noInput,
    summary: 'The public state of the direct admin page.',
    method: 'GET',
    path: '/api/direct-admin',
    access: 'public',
    output: directAdminSchema,
  },
} satisfies Record<string, Call>;
