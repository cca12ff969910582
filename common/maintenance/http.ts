import { z } from 'zod';
import { type Call, noInput } from '../http.ts';

export const maintenanceCalls = {
  /** Removes the tokens of the simulated market. `already-running` while one such call is under way. */
  cleanupMockTokens: {
    ...noInput,
    method: 'POST',
    path: '/api/maintenance/cleanup-mock-tokens',
    access: 'admin-or-key',
    output: z.strictObject({ message: z.string(), count: z.int() }),
  },
} satisfies Record<string, Call>;
