import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema } from '../tokens/model.ts';
import { byId } from '../users/model.ts';
import { templateInputSchema, templateSchema } from './model.ts';

export const templateCalls = {
  /** By type, then name. */
  list: {
    ...noInput,
    method: 'GET',
    path: '/api/admin/notification-templates',
    access: 'admin',
    output: z.array(templateSchema),
  },
  /** The first template of its type becomes its default whatever is asked. `limit-reached`. */
  create: {
    ...noInput,
    method: 'POST',
    path: '/api/admin/notification-templates',
    access: 'admin',
    body: templateInputSchema,
    output: templateSchema,
  },
  /** `default-needed` when it would leave its type without a default. */
  change: {
    ...noInput,
    method: 'PATCH',
    path: '/api/admin/notification-templates/{id}',
    access: 'admin',
    params: byId,
    body: templateInputSchema,
    output: templateSchema,
  },
  /** When it was the default, the oldest other one of its type becomes it. */
  remove: {
    ...noInput,
    method: 'DELETE',
    path: '/api/admin/notification-templates/{id}',
    access: 'admin',
    params: byId,
    output: z.strictObject({ id: z.string() }),
  },
  /** The text as it would be sent for this token; without one, for the newest token. `token-not-found`. */
  preview: {
    ...noInput,
    method: 'POST',
    path: '/api/admin/notification-templates/preview',
    access: 'admin',
    body: z.strictObject({ template: templateInputSchema.shape.template, address: addressSchema.optional() }),
    output: z.strictObject({ text: z.string(), address: addressSchema, unknown: z.array(z.string()) }),
  },
} satisfies Record<string, Call>;
