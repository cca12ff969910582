import { randomBytes } from 'node:crypto';
import { StartError } from '../config.ts';
import type { Users } from './service.ts';

const GENERATED_BYTES = 15;

/**
 * Makes the first administrator when there is none. Returns the password that was generated for it, to be shown once;
 * null when there is nothing to show.
 */
export async function ensureFirstAdmin(
  users: Users,
  wanted: { username: string; password: string | null },
): Promise<string | null> {
  if (await users.hasAdmin()) return null;
  // Whoever registered that name must not become administrator by it.
  if (await users.named(wanted.username)) {
    throw new StartError(
      `ADMIN_USERNAME "${wanted.username}" is the name of a user who is no administrator; choose another.`,
    );
  }
  const password = wanted.password ?? randomBytes(GENERATED_BYTES).toString('base64url');
  await users.create({ username: wanted.username, password }, { isAdmin: true });
  return wanted.password === null ? password : null;
}
