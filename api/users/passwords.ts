import { hash, verify } from '@node-rs/argon2';
import { PublicError } from '../../common/errors.ts';

/** Hashing takes about 20 MB and a core each: more than this many waiting are sent away instead of queueing. */
const MAX_WAITING = 64;
/** Seconds after which a caller who was sent away may try again. */
const RETRY_AFTER = 2;

/** argon2id with the library's defaults (19 MiB, 2 passes, 1 lane), which are OWASP's. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a stored hash as with one, so that the time doesn't tell whether a user exists. */
  verify(storedHash: string | null, password: string): Promise<boolean>;
}

export async function createPasswords(): Promise<Passwords> {
  const dummyHash = await hash('nobody has this password');
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
      const right = await limited(() => verify(storedHash ?? dummyHash, password));
      return right && storedHash !== null;
    },
  };
}
