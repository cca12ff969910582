import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { apiKeySchema, apiTestSchema } from './model.ts';

/** The price data API: Solana Tracker (specification, section 7.3). */
export const sourceCalls = {
  testSolanaTracker: {
    ...noInput,
    summary: 'Sends the service one cheap request. Always 200: the result is in `success` and `message`.',
    method: 'GET',
    path: '/api/test-solanatracker',
    access: 'admin',
    output: apiTestSchema,
  },
  updateSolanaTrackerKey: {
    ...noInput,
    summary:
      "Stores the key encrypted and uses it from then on. `apiStatus`: the service's response to it, or why the service was not reached.",
    method: 'POST',
    path: '/api/update-solanatracker-key',
    access: 'admin',
    body: z.strictObject({ apiKey: apiKeySchema }),
    output: z.strictObject({ success: z.boolean(), message: z.string(), apiStatus: z.string() }),
  },
} satisfies Record<string, Call>;
