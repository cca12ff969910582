import { z } from 'zod';
import { type Call, noInput } from '../../http.ts';
import { byId } from '../../users/model.ts';
import { alertRuleChangeSchema, alertRuleSchema, newPresetAlertSchema, newTargetAlertSchema } from './model.ts';

/** Alerts that the signed-in user has set up. */
export const alertRuleCalls = {
  list: {
    ...noInput,
    summary: 'Alerts that the signed-in user has set up, oldest first.',
    method: 'GET',
    path: '/api/alerts/rules',
    access: 'user',
    output: z.array(alertRuleSchema),
  },
  createForPreset: {
    ...noInput,
    summary: 'Sets up an alert about tokens that begin to match a preset. `limit-reached` at 50 alerts.',
    errors: ['limit-reached', 'not-found'],
    method: 'POST',
    path: '/api/alerts/rules',
    access: 'user',
    body: newPresetAlertSchema,
    output: alertRuleSchema,
  },
  createAtPrice: {
    ...noInput,
    summary:
      'Sets up an alert at a price or market cap of a coin, which fires once. `limit-reached` at 50 alerts, `alert-exists` for an equal one.',
    errors: ['limit-reached', 'alert-exists', 'token-not-found', 'no-price'],
    method: 'POST',
    path: '/api/alerts/targets',
    access: 'user',
    body: newTargetAlertSchema,
    output: alertRuleSchema,
  },
  change: {
    ...noInput,
    summary: 'Changes an alert, or mutes it for an hour.',
    errors: ['not-found'],
    method: 'PATCH',
    path: '/api/alerts/rules/{id}',
    access: 'user',
    params: byId,
    body: alertRuleChangeSchema,
    output: alertRuleSchema,
  },
  remove: {
    ...noInput,
    summary: 'Deletes an alert.',
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/alerts/rules/{id}',
    access: 'user',
    params: byId,
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
