import { dictionary } from '@zxcvbn-ts/language-common';
import { weakPasswordReason } from '../../common/auth/new-password.ts';
import { PublicError } from '../../common/errors.ts';

/** About 50,000 passwords that leaked most often, most common first, in lower case (zxcvbn's list). */
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/**
 * Requires that a new password is not easy to guess. Throws `invalid-input` with the reason at `field`, the name of the
 * password in the request.
 */
export function requireStrongPassword(
  { username, password }: { username: string; password: string },
  field = 'password',
): void {
  const reason = weakPasswordReason(password, username, commonPasswords);
  if (reason !== null) throw new PublicError('invalid-input', { text: reason, details: { [field]: [reason] } });
}
