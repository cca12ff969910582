import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { previewSchema } from '../strategies/preview.ts';
import { byId } from '../users/model.ts';
import { newRuleSchema, ruleInputSchema, ruleSchema } from './model.ts';

/** The signed-in user's auto-buy rules; other users' rules are 403. */
export const ruleCalls = {
  /** Newest first. */
  list: { ...noInput, method: 'GET', path: '/api/auto-buy-rules', access: 'user', output: z.array(ruleSchema) },
  /** `limit-reached` at 100 rules. */
  create: {
    ...noInput,
    method: 'POST',
    path: '/api/auto-buy-rules',
    access: 'user',
    body: newRuleSchema,
    output: ruleSchema,
  },
  /** Changes only the given fields. */
  update: {
    ...noInput,
    method: 'PATCH',
    path: '/api/auto-buy-rules/{id}',
    access: 'user',
    params: byId,
    body: ruleInputSchema.partial(),
    output: ruleSchema,
  },
  remove: {
    ...noInput,
    method: 'DELETE',
    path: '/api/auto-buy-rules/{id}',
    access: 'user',
    params: byId,
    output: z.strictObject({ ok: z.literal(true) }),
  },
  /** Simulates the purchases of the rule over the last 8 h. Stores nothing. */
  preview: {
    ...noInput,
    method: 'POST',
    path: '/api/auto-buy-rules/preview',
    access: 'user',
    body: newRuleSchema.pick({ minLiquidity: true, maxRisk: true, buyUnknownRisk: true }),
    output: previewSchema,
  },
} satisfies Record<string, Call>;
