import { type Call, noInput } from '../http.ts';
import { clientConfigSchema } from './model.ts';

export const configCalls = {
  get: { ...noInput, method: 'GET', path: '/api/config', access: 'user', output: clientConfigSchema },
} satisfies Record<string, Call>;
