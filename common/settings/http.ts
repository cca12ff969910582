import { type Call, noInput } from '../http.ts';
import { settingsChangeSchema, settingsSchema } from './model.ts';

/** The signed-in user's settings. */
export const settingsCalls = {
  get: { ...noInput, method: 'GET', path: '/api/settings', access: 'user', output: settingsSchema },
  /** `wallet-has-key` when the address would replace a wallet with a key without `replaceKey`. */
  change: {
    ...noInput,
    method: 'PATCH',
    path: '/api/settings',
    access: 'user',
    body: settingsChangeSchema,
    output: settingsSchema,
  },
} satisfies Record<string, Call>;
