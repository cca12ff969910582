import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { byId, idSchema } from '../users/model.ts';
import { fittingType, strategyFieldsSchema, strategyInputSchema, strategySchema } from './model.ts';
import { previewSchema } from './preview.ts';

/** A user's buying strategies; other users' strategies are 403. An administrator may list them, which is recorded. */
export const strategyCalls = {
  list: {
    ...noInput,
    summary: "Newest first; without `userId` the caller's strategies.",
    method: 'GET',
    path: '/api/buying-strategies',
    access: 'user',
    query: z.strictObject({ userId: idSchema.optional() }),
    output: z.array(strategySchema),
  },
  create: {
    ...noInput,
    summary: 'Creates a strategy. `limit-reached` at 100 strategies.',
    errors: ['limit-reached', 'not-found'],
    method: 'POST',
    path: '/api/buying-strategies',
    access: 'user',
    body: strategyInputSchema,
    output: strategySchema,
  },
  update: {
    ...noInput,
    summary: 'Activates or deactivates a strategy.',
    errors: ['not-found'],
    method: 'PATCH',
    path: '/api/buying-strategies/{id}',
    access: 'user',
    params: byId,
    body: z.strictObject({ isActive: z.boolean() }),
    output: strategySchema,
  },
  remove: {
    ...noInput,
    summary: 'Deletes a strategy.',
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/buying-strategies/{id}',
    access: 'user',
    params: byId,
    output: z.strictObject({ ok: z.literal(true) }),
  },
  preview: {
    ...noInput,
    summary: 'Simulates the purchases of the strategy over the last 8 h. Stores nothing.',
    method: 'POST',
    path: '/api/buying-strategies/preview',
    access: 'user',
    body: fittingType(
      strategyFieldsSchema.pick({
        type: true,
        configuration: true,
        buyAmount: true,
        maxSlippage: true,
        minLiquidity: true,
        maxScamProbability: true,
        buyUnknownRisk: true,
        buyWithinSeconds: true,
        stopLoss: true,
        takeProfit: true,
      }),
    ),
    output: previewSchema,
  },
} satisfies Record<string, Call>;
