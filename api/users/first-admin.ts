import { randomBytes } from 'node:crypto';
import { StartError } from '../config/config.ts';
import type { Users } from './service.ts';

const GENERATED_BYTES = 15;

/** Makes the first administrator when there is none. A password that is generated for it is announced, this once. */
export async function ensureFirstAdmin(
  users: Users,
  wanted: { username: string; password: string | null },
  announce: (line: string) => void,
): Promise<void> {
  if (await users.hasAdmin()) return;
  // Whoever registered that name must not become administrator by it.
  if (await users.named(wanted.username)) {
    throw new StartError(
      `ADMIN_USERNAME "${wanted.username}" is the name of a user who is no administrator; choose another.`,
    );
  }
  const password = wanted.password ?? randomBytes(GENERATED_BYTES).toString('base64url');
  if (wanted.password === null) {
    // Before it is stored, whatever happens next: nobody could ever find out a password that was stored and not shown.
    announce(`Sign in as ${wanted.username} with the password ${password} (shown this once; note it down).`);
  }
  await users.create({ username: wanted.username, password }, { isAdmin: true });
}
