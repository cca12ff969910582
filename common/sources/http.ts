import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { apiKeySchema, apiTestSchema } from './model.ts';

/** The price data API: Solana Tracker (specification, section 7.3). */
export const sourceCalls = {
  /** Asks the service one cheap question. 200 whatever it answers: `success` and `message` tell. */
  testSolanaTracker: {
    ...noInput,
    method: 'GET',
    path: '/api/test-solanatracker',
    access: 'admin',
    output: apiTestSchema,
  },
  /** Keeps the key, encrypted, and uses it from now on. `apiStatus` is what the service says to it, or why it was not reached. */
  updateSolanaTrackerKey: {
    ...noInput,
    method: 'POST',
    path: '/api/update-solanatracker-key',
    access: 'admin',
    body: z.strictObject({ apiKey: apiKeySchema }),
    output: z.strictObject({ success: z.boolean(), message: z.string(), apiStatus: z.string() }),
  },
} satisfies Record<string, Call>;
