import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { previewSchema } from '../strategies/preview.ts';
import { byId } from '../users/model.ts';
import { newRuleSchema, ruleInputSchema, ruleSchema } from './model.ts';

/** The signed-in user's auto-buy rules; other users' rules are 403. */
export const ruleCalls = {
  list: {
    ...noInput,
    summary: "The signed-in user's rules, newest first.",
    method: 'GET',
    path: '/api/auto-buy-rules',
    access: 'user',
    output: z.array(ruleSchema),
  },
  create: {
    ...noInput,
    summary: 'Creates a rule. `limit-reached` at 100 rules.',
    errors: ['limit-reached'],
    method: 'POST',
    path: '/api/auto-buy-rules',
    access: 'user',
    body: newRuleSchema,
    output: ruleSchema,
  },
  update: {
    ...noInput,
    summary: 'Changes a rule, only in the given fields.',
    errors: ['not-found'],
    method: 'PATCH',
    path: '/api/auto-buy-rules/{id}',
    access: 'user',
    params: byId,
    body: ruleInputSchema.partial(),
    output: ruleSchema,
  },
  remove: {
    ...noInput,
    summary: 'Deletes a rule.',
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/auto-buy-rules/{id}',
    access: 'user',
    params: byId,
    output: z.strictObject({ ok: z.literal(true) }),
  },
  preview: {
    ...noInput,
    summary: 'Simulates the purchases of the rule over the last 8 h. Stores nothing.',
    method: 'POST',
    path: '/api/auto-buy-rules/preview',
    access: 'user',
    body: newRuleSchema.pick({
      buyAmount: true,
      maxSlippage: true,
      minLiquidity: true,
      maxRisk: true,
      buyUnknownRisk: true,
      buyWithinSeconds: true,
    }),
    output: previewSchema,
  },
} satisfies Record<string, Call>;
