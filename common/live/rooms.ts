import { z } from 'zod';
import { addressSchema } from '../tokens/model.ts';

/** Room names, made in one place. */
export const rooms = {
  tokens: 'tokens',
  admin: 'admin',
  diagnostics: 'diagnostics',
  token: (address: string): `token:${string}` => `token:${address}`,
  user: (id: string): `user:${string}` => `user:${id}`,
} as const;

/** What a client may ask to hear (L3). */
export const topicSchema = z.union([
  z.literal('tokens'),
  z.literal('admin'),
  z.literal('diagnostics'),
  z.templateLiteral(['token:', addressSchema]),
  z.templateLiteral(['user:', z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)]),
]);
export type Topic = z.infer<typeof topicSchema>;
