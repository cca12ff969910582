import { z } from 'zod';
import { type Call, noInput } from '../http.ts';
import { byId } from '../users/model.ts';
import { newPresetSchema, presetSchema } from './model.ts';

/** The signed-in user's presets of lists. */
export const presetCalls = {
  list: {
    ...noInput,
    summary: 'Saved presets of the signed-in user, oldest first.',
    method: 'GET',
    path: '/api/presets',
    access: 'user',
    output: z.array(presetSchema),
  },
  create: {
    ...noInput,
    summary: 'Saves a preset. `limit-reached` at 100 presets, `name-taken` for a name in use.',
    errors: ['limit-reached', 'name-taken'],
    method: 'POST',
    path: '/api/presets',
    access: 'user',
    body: newPresetSchema,
    output: presetSchema,
  },
  replace: {
    ...noInput,
    summary: 'Replaces name and choice of a preset.',
    errors: ['not-found', 'name-taken'],
    method: 'PUT',
    path: '/api/presets/{id}',
    access: 'user',
    params: byId,
    body: newPresetSchema,
    output: presetSchema,
  },
  remove: {
    ...noInput,
    summary: 'Deletes a preset.',
    errors: ['not-found'],
    method: 'DELETE',
    path: '/api/presets/{id}',
    access: 'user',
    params: byId,
    output: z.strictObject({ ok: z.literal(true) }),
  },
} satisfies Record<string, Call>;
