import { z } from 'zod';
import { addressSchema } from '../tokens/model.ts';

/** Room names. */
export const rooms = {
  tokens: 'tokens',
  admin: 'admin',
  diagnostics: 'diagnostics',
  token: (address: string): `token:${string}` => `token:${address}`,
  user: (id: string): `user:${string}` => `user:${id}`,
  list: (name: string): `list:${string}` => `list:${name}`,
} as const;

/** Rooms of each scope: those of the first three exist once, the others once per token, user or list. */
export interface RoomTargets {
  tokens: 'tokens';
  admin: 'admin';
  diagnostics: 'diagnostics';
  token: { address: string };
  user: { userId: string };
  list: { list: string };
}
export type RoomScope = keyof RoomTargets;
export type RoomTarget = RoomTargets[RoomScope];

/** Returns the name of a room. */
export function roomOf(target: RoomTarget): string {
  if (typeof target === 'string') return rooms[target];
  if ('address' in target) return rooms.token(target.address);
  return 'list' in target ? rooms.list(target.list) : rooms.user(target.userId);
}

/** Rooms that a client may request (L3). */
export const topicSchema = z.union([
  z.literal('tokens'),
  z.literal('admin'),
  z.literal('diagnostics'),
  z.templateLiteral(['token:', addressSchema]),
  z.templateLiteral(['user:', z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)]),
  /** The name of lists.ts: a query string, escaped as `encodeURIComponent` does. */
  z.templateLiteral(['list:', z.string().regex(/^[A-Za-z0-9_.!~*'()%=&-]{1,1000}$/)]),
]);
export type Topic = z.infer<typeof topicSchema>;
