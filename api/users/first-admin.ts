import { PublicError } from '../../common/errors.ts';
import { StartError } from '../config/config.ts';
import { generatePassword } from './passwords.ts';
import type { Users } from './service.ts';

/** Creates the first administrator when there is none. Announces a generated password, once. */
export async function ensureFirstAdmin(
  users: Users,
  wanted: { username: string; password: string | null },
  announce: (line: string) => void,
): Promise<void> {
  if (await users.hasAdmin()) return;
  // A registered user must not become administrator because of the name.
  if (await users.findByName(wanted.username)) {
    throw new StartError(
      `ADMIN_USERNAME "${wanted.username}" is the name of a user who is no administrator; choose another.`,
    );
  }
  const password = wanted.password ?? generatePassword(wanted.username, announce);
  try {
    await users.create({ username: wanted.username, password }, { isAdmin: true });
  } catch (error) {
    const isWeak = error instanceof PublicError && error.code === 'invalid-input';
    throw isWeak ? new StartError(`ADMIN_PASSWORD: ${error.message}`, { cause: error }) : error;
  }
}
