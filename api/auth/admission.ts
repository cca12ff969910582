import { PublicError } from '../../common/errors.ts';
import { createSlowRefusals, type Refuse } from '../http/limits/slow-refusals.ts';
import { HASH_THREADS } from '../users/passwords.ts';

/** Logins and registrations that may wait for a thread, so that the last of them waits for less than a second. */
const QUEUE = 8;
/** Places of one client: the rest is for the others. */
const PER_CLIENT = 4;
/** Further places, for known browsers alone: strangers from many addresses can't take them. */
const KEPT = 1;
/** Seconds after which a refused caller may retry. */
const RETRY_AFTER = 2;

/** The client of a login or registration. */
export interface Client {
  /** As `addressKey` forms it. */
  address: string;
  /** Secret of a browser in which the account has logged in before; null otherwise. */
  browser: string | null;
}

/** Places for logins and registrations in progress. */
export type Admission = ReturnType<typeof createAdmission>;

/** Creates as many places as there are threads and places to wait, and one more for known browsers. */
export function createAdmission(places = HASH_THREADS + QUEUE, refuse: Refuse = createSlowRefusals()) {
  const held = new Map<string, number>();
  let taken = 0;

  return {
    /**
     * Runs `work` in a place, which it holds until it settles. Throws `too-many-requests` before `work` begins when no place is
     * free, or when the client, a known browser or an address, holds as many as one may.
     */
    async run<Result>({ address, browser }: Client, work: () => Promise<Result>): Promise<Result> {
      const key = browser ?? address;
      const own = held.get(key) ?? 0;
      const open = browser === null ? places : places + KEPT;
      // Without waiting for anything: of many requests at once, only as many begin as there are places.
      if (taken >= open || own >= PER_CLIENT)
        return refuse(new PublicError('too-many-requests', { retryAfter: RETRY_AFTER }));
      taken += 1;
      held.set(key, own + 1);
      try {
        return await work();
      } finally {
        taken -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      }
    },
  };
}
