import { z } from 'zod';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { addressSchema } from '../tokens/model.ts';
import { idSchema } from '../users/model.ts';
import {
  DECISION_PAGE_MAX,
  decisionCountsSchema,
  decisionSchema,
  explainedTokenSchema,
  planResultsSchema,
} from './model.ts';

/** Reads of the caller's own plans, or of any user's for an administrator, which is recorded and shown to that user. */
const ofUser = { userId: idSchema.optional() };

/** Why rules and strategies buy, or do not. */
export const decisionCalls = {
  list: {
    ...noInput,
    summary: 'Tokens that plans have considered in the last 7 days, newest first, each with the last answer.',
    method: 'GET',
    path: '/api/trading/decisions',
    access: 'user',
    query: z.strictObject({
      ...ofUser,
      plan: idSchema.optional(),
      address: addressSchema.optional(),
      /** Id of the last row of the page before. */
      before: idSchema.optional(),
      limit: wholeNumberParam(1, DECISION_PAGE_MAX).optional(),
    }),
    output: z.array(decisionSchema),
  },
  counts: {
    ...noInput,
    summary: 'How many tokens a plan has considered in the last 7 days, and for how many each reason was the last one.',
    method: 'GET',
    path: '/api/trading/decision-counts',
    access: 'user',
    query: z.strictObject({ ...ofUser, plan: idSchema }),
    output: decisionCountsSchema,
  },
  results: {
    ...noInput,
    summary: 'What each plan has bought in the present mode, its realised profit, and its last answer.',
    method: 'GET',
    path: '/api/trading/plan-results',
    access: 'user',
    query: z.strictObject(ofUser),
    output: z.array(planResultsSchema),
  },
  explain: {
    ...noInput,
    summary: 'Why each plan does not buy a token at this moment, with the figures that it waits for.',
    method: 'GET',
    path: '/api/trading/explain/{address}',
    access: 'user',
    params: z.strictObject({ address: addressSchema }),
    query: z.strictObject(ofUser),
    output: explainedTokenSchema,
  },
} satisfies Record<string, Call>;
