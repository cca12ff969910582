import { type Call, noInput } from '../http.ts';
import { detectionStatsSchema } from './model.ts';

export const diagnosticsCalls = {
  detectionStats: {
    ...noInput,
    summary: 'Figures of token detection: ages, coverage, lists, sources.',
    method: 'GET',
    path: '/api/debug/token-detection-stats',
    access: 'admin',
    output: detectionStatsSchema,
  },
} satisfies Record<string, Call>;
