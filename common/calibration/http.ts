import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema } from '../tokens/model.ts';
import { calibrationMarketSchema, calibrationReportSchema, caseCountsSchema, tokenCalibrationSchema } from './model.ts';

export const calibrationCalls = {
  token: {
    ...noInput,
    summary: 'What happened to coins that were scored like this token at its age.',
    errors: ['token-not-found'],
    method: 'GET',
    path: '/api/tokens/address/{address}/calibration',
    access: 'user',
    params: z.strictObject({ address: addressSchema }),
    output: tokenCalibrationSchema,
  },
  report: {
    ...noInput,
    summary: 'How often the verdict was right in one market; without `market` in the one that the server follows.',
    method: 'GET',
    path: '/api/debug/calibration',
    access: 'admin',
    query: z.strictObject({ market: calibrationMarketSchema.optional() }),
    output: calibrationReportSchema,
  },
  counts: {
    ...noInput,
    summary: 'The counts behind the report, of every version of the rules, for an export. Bounded by 90 days.',
    method: 'GET',
    path: '/api/debug/calibration/counts',
    access: 'admin',
    query: z.strictObject({ market: calibrationMarketSchema }),
    output: z.array(caseCountsSchema),
  },
} satisfies Record<string, Call>;
