import { dictionary } from '@zxcvbn-ts/language-common';
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

/**
 * Returns why a new password is too easy to guess, as a text for the user; null when it may be used. These rules come in
 * addition to the shortest length of the specification. `commonPasswords`: lower case.
 */
export function weakPasswordReason(
  password: string,
  username: string,
  commonPasswords: ReadonlySet<string>,
): string | null {
  const plain = plainText(password);
  if (new Set(plain).size <= 1) return 'Please choose a password of different characters.';
  if (commonPasswords.has(plain)) return 'This is one of the most common passwords. Please choose another one.';
  const name = plainText(username);
  if (plain === name || lettersOf(plain) === lettersOf(name)) {
    return 'The password must not be the username. Please choose another one.';
  }
  return null;
}

function plainText(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** Returns the letters of a text, so that `alice2` and `_alice_` count as `alice`; a text without letters stays as it is. */
function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, '') || text;
}
