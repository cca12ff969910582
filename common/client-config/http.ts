import { type Call, noInput } from '../http.ts';
import { clientConfigSchema } from './model.ts';

export const configCalls = {
  get: {
    ...noInput,
    summary: 'The cluster of wallets and transfers, and the name of the bot.',
    method: 'GET',
    path: '/api/config',
    access: 'user',
    output: clientConfigSchema,
  },
} satisfies Record<string, Call>;
