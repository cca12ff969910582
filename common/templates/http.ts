import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema } from '../tokens/model.ts';
import { byId } from '../users/model.ts';
import { templateInputSchema, templateSchema } from './model.ts';

export const templateCalls = {
  /** Sorted by type, then by name. */
  list: {
    ...noInput,
    method: 'GET',
    path: '/api/admin/notification-templates',
    access: 'admin',
    output: z.array(templateSchema),
  },
  /** The first template of a type always becomes its default. `limit-reached`. */
  create: {
    ...noInput,
    method: 'POST',
    path: '/api/admin/notification-templates',
    access: 'admin',
    body: templateInputSchema,
    output: templateSchema,
  },
  /** `default-needed` when the type would have no default. */
  change: {
    ...noInput,
    method: 'PATCH',
    path: '/api/admin/notification-templates/{id}',
    access: 'admin',
    params: byId,
    body: templateInputSchema,
    output: templateSchema,
  },
  /** When the default is removed, the oldest remaining template of its type becomes the default. */
  remove: {
    ...noInput,
    method: 'DELETE',
    path: '/api/admin/notification-templates/{id}',
    access: 'admin',
    params: byId,
    output: z.strictObject({ id: z.string() }),
  },
  /** Renders the text for a token, by default the newest one. `token-not-found`. */
  preview: {
    ...noInput,
    method: 'POST',
    path: '/api/admin/notification-templates/preview',
    access: 'admin',
    body: z.strictObject({ template: templateInputSchema.shape.template, address: addressSchema.optional() }),
    output: z.strictObject({ text: z.string(), address: addressSchema, unknown: z.array(z.string()) }),
  },
} satisfies Record<string, Call>;
