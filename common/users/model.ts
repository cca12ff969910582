import { z } from 'zod';

/** A MongoDB id: 24 hex digits. */
export const idSchema = z.string().regex(/^[0-9a-f]{24}$/, 'is not an id');
export const byId = z.strictObject({ id: idSchema });
/** Path parameters of a user's resources. */
export const userParams = z.strictObject({ userId: idSchema });

/** Level and magic points of a new user (specification, section 9, 'Legacy'). */
export const FIRST_LEVEL = 1;
export const FIRST_MAGIC_POINTS = 100;
const MAGIC_POINTS_MAX = 1_000_000_000;

/** New balance, whole points. The server refuses a negative one (`not-enough-magic-points`). */
export const magicPointsSchema = z.int().min(-MAGIC_POINTS_MAX).max(MAGIC_POINTS_MAX);
export const levelSchema = z.int().min(1).max(1_000_000);

/** A user as the legacy calls return it, without password and key. */
export const userSchema = z.strictObject({
  id: z.string(),
  username: z.string(),
  isAdmin: z.boolean(),
  isActive: z.boolean(),
  level: z.int(),
  magicPoints: z.int(),
  walletAddress: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type User = z.infer<typeof userSchema>;
