import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { addressSchema } from '../tokens/model.ts';
import { byId } from '../users/model.ts';
import { templateInputSchema, templateSchema } from './model.ts';

export const templateCalls = {
  list: {
    ...noInput,
    summary: 'All templates, sorted by type, then by name.',
    method: 'GET',
    path: '/api/admin/notification-templates',
    access: 'admin',
    output: z.array(templateSchema),
  },
  create: {
    ...noInput,
    summary: 'Creates a template. The first template of a type always becomes its default. `limit-reached`.',
    errors: ['limit-reached'],
    method: 'POST',
    path: '/api/admin/notification-templates',
    access: 'admin',
    body: templateInputSchema,
    output: templateSchema,
  },
  change: {
    ...noInput,
    summary: 'Changes a template. `default-needed` when the type would have no default.',
    errors: ['not-found', 'default-needed'],
    method: 'PATCH',
    path: '/api/admin/notification-templates/{id}',
    access: 'admin',
    params: byId,
    body: templateInputSchema,
    output: templateSchema,
  },
  remove: {
    ...noInput,
    summary:
      'Deletes a template. When the default is removed, the oldest remaining template of its type becomes the default.',
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/admin/notification-templates/{id}',
    access: 'admin',
    params: byId,
    output: z.strictObject({ id: z.string() }),
  },
  preview: {
    ...noInput,
    summary: 'Renders the text for a token, by default the newest one. `token-not-found`.',
    errors: ['token-not-found'],
    method: 'POST',
    path: '/api/admin/notification-templates/preview',
    access: 'admin',
    body: z.strictObject({ template: templateInputSchema.shape.template, address: addressSchema.optional() }),
    output: z.strictObject({ text: z.string(), address: addressSchema, unknown: z.array(z.string()) }),
  },
} satisfies Record<string, Call>;
