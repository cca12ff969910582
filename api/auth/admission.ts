import { PublicError } from '../../common/errors.ts';
import { createSlowRefusals, type Refuse } from '../http/limits/slow-refusals.ts';
import { HASH_THREADS } from '../users/passwords.ts';

/** Logins and registrations that may wait for a thread, so that the last of them waits for less than a second. */
const QUEUE = 8;
/** Places of one address: the rest is for the others. */
const PER_ADDRESS = 4;
/** Seconds after which a refused caller may retry. */
const RETRY_AFTER = 2;

/** Places for logins and registrations in progress. */
export interface Admission {
  /**
   * Runs `work` in a place, which it holds until it settles. Throws `too-many-requests` before `work` begins when no place is
   * free, or when `address` holds as many as one address may.
   */
  run<Result>(address: string, work: () => Promise<Result>): Promise<Result>;
}

/** Creates as many places as there are threads and places to wait. */
export function createAdmission(places = HASH_THREADS + QUEUE, refuse: Refuse = createSlowRefusals()): Admission {
  const held = new Map<string, number>();
  let taken = 0;

  return {
    async run(address, work) {
      const own = held.get(address) ?? 0;
      // Without waiting for anything: of many requests at once, only as many begin as there are places.
      if (taken >= places || own >= PER_ADDRESS)
        return refuse(new PublicError('too-many-requests', { retryAfter: RETRY_AFTER }));
      taken += 1;
      held.set(address, own + 1);
      try {
        return await work();
      } finally {
        taken -= 1;
        const left = (held.get(address) ?? 1) - 1;
        if (left > 0) held.set(address, left);
        else held.delete(address);
      }
    },
  };
}
