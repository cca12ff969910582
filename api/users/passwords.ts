import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import * as argon2 from '@node-rs/argon2';
import PQueue from 'p-queue';
import { PublicError } from '../../common/errors.ts';

/** Threads of libuv, unless the environment says otherwise. */
const LIBUV_THREADS = 4;
/**
 * Hashes at a time; each keeps a core busy. One core stays free for everything else, and half of libuv's threads, which
 * files, DNS and compression share.
 */
export const HASH_THREADS = Math.max(1, Math.min(LIBUV_THREADS / 2, availableParallelism() - 1));
/** More requests than this are refused instead of queued. Logins are bounded before, by `auth/admission.ts`. */
const MAX_WAITING = 16;
const GENERATED_BYTES = 15;
/** Seconds after which a refused caller may retry. */
const RETRY_AFTER = 2;

/** Returns a generated password after it was announced, so before it is stored: one that was never shown would be lost. */
export function generatePassword(username: string, announce: (line: string) => void): string {
  const password = randomBytes(GENERATED_BYTES).toString('base64url');
  announce(`Sign in as ${username} with the password ${password} (shown this once; note it down).`);
  return password;
}

/** argon2, or the same with weaker parameters for tests. */
export type PasswordHash = Pick<typeof argon2, 'hash' | 'verify'>;

/** argon2id with the library's defaults (19 MiB, 2 passes, 1 lane), which are OWASP's. */
export async function createPasswords({ hash, verify }: PasswordHash = argon2) {
  const dummyHash = await hash('a password that no user has');
  const queue = new PQueue({ concurrency: HASH_THREADS });

  async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (queue.size >= MAX_WAITING) throw new PublicError('too-many-requests', { retryAfter: RETRY_AFTER });
    return queue.add(work);
  }

  return {
    hash: (password: string): Promise<string> => limited(() => hash(password)),
    /** Takes as long without a stored hash as with one, so that the time does not reveal whether a user exists. */
    async verify(storedHash: string | null, password: string): Promise<boolean> {
      const isRight = await limited(() => verify(storedHash ?? dummyHash, password));
      return isRight && storedHash !== null;
    },
  };
}
