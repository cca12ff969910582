import * as argon2 from '@node-rs/argon2';
import { PublicError } from '../../common/errors.ts';

/** Hashing takes about 20 MB and a core each: more requests than this are refused instead of queued. */
const MAX_WAITING = 64;
/** Seconds after which a refused caller may retry. */
const RETRY_AFTER = 2;

type Argon2 = Pick<typeof argon2, 'hash' | 'verify'>;

/** argon2id with the library's defaults (19 MiB, 2 passes, 1 lane), which are OWASP's. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a stored hash as with one, so that the time does not reveal whether a user exists. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

/** `hash` and `verify` are argon2's. */
export async function createPasswords({ hash, verify }: Argon2 = argon2): Promise<Passwords> {
  const dummyHash = await hash('a password that no user has');
  let waiting = 0;

  async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= MAX_WAITING) throw new PublicError('too-many-requests', { retryAfter: RETRY_AFTER });
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
    }
  }

  return {
    hash: (password) => limited(() => hash(password)),
    async verify(storedHash, password) {
      const isRight = await limited(() => verify(storedHash ?? dummyHash, password));
      return isRight && storedHash !== null;
    },
  };
}
