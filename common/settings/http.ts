import { type Call, noInput } from '../http.ts';
import { settingsChangeSchema, settingsSchema } from './model.ts';

/** The signed-in user's settings. */
export const settingsCalls = {
  get: {
    ...noInput,
    summary: 'The wallet address, Telegram name and alert settings.',
    method: 'GET',
    path: '/api/settings',
    access: 'user',
    output: settingsSchema,
  },
  change: {
    ...noInput,
    summary:
      'Changes settings. `wallet-has-key` when the address would replace a wallet with a key without `replaceKey`.',
    errors: ['wallet-has-key', 'limit-reached'],
    method: 'PATCH',
    path: '/api/settings',
    access: 'user',
    confirm: 'replacement',
    body: settingsChangeSchema,
    output: settingsSchema,
  },
} satisfies Record<string, Call>;
