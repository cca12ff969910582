import type { Connection } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { SECOND } from '../../common/time.ts';
import { createLimiter, type Limits } from '../http/limits/rate-limits.ts';

/** Names of the limiters of an account, by `loginKey`, alone or with an address or a browser. */
const ACCOUNT_AND_ADDRESS = 'login-account';
const ACCOUNT_IN_ALL = 'login-account-all';
const ACCOUNT_AND_BROWSER = 'login-account-browser';

/** Delay of a login beyond the bound of its account, ms. */
const DELAY = 2 * SECOND;
/** Logins of one account that may wait for their delay at the same time: with it, the bound of guesses from many addresses. */
const MAX_DELAYED = 4;
/** Separates account and address: names contain no control characters. */
const SEPARATOR = '\n';

/** An attempt to log in. */
export interface Attempt {
  /** `loginKey` of the typed name, whether it exists or not. */
  account: string;
  /** The client's, as `addressKey` forms it. */
  address: string;
  /** Secret of a browser in which this account has logged in before; null otherwise. */
  browser: string | null;
}

/**
 * Limits guesses of passwords in a way that cannot lock a user out. A known browser has a limit of its own, which
 * strangers can't use up. Other clients are limited by (account, address). Beyond the bound of an account over all addresses
 * they wait, a few at a time, so that the right password still gets in. `sleep`: resolves after that many ms.
 */
export async function createLoginLimits(
  connection: Connection,
  limits: Limits,
  sleep: (ms: number) => Promise<unknown>,
) {
  const perAddress = await createLimiter(connection, 'login-address', limits.loginPerAddress);
  const perAccount = await createLimiter(connection, ACCOUNT_AND_ADDRESS, limits.loginPerAccount);
  const inAll = await createLimiter(connection, ACCOUNT_IN_ALL, limits.loginPerAccountInAll);
  const perBrowser = await createLimiter(connection, ACCOUNT_AND_BROWSER, limits.loginPerKnownBrowser);
  /** Addresses of the logins that wait, by account: one login of each, so that none keeps the others out. */
  const delayed = new Map<string, Set<string>>();

  /** Waits. Throws `too-many-requests` when enough logins of this account, or of this account and address, wait already. */
  async function delay({ account, address }: Attempt): Promise<void> {
    const waiting = delayed.get(account) ?? new Set();
    if (waiting.size >= MAX_DELAYED || waiting.has(address)) {
      throw new PublicError('too-many-requests', { retryAfter: DELAY / SECOND });
    }
    delayed.set(account, waiting.add(address));
    try {
      await sleep(DELAY);
    } finally {
      waiting.delete(address);
      if (waiting.size === 0) delayed.delete(account);
    }
  }

  return {
    delay,
    /** Counts an attempt before its password is checked; 'delay' when it has to wait by `delay` first. Throws `too-many-requests`. */
    async admit({ account, address, browser }: Attempt): Promise<'now' | 'delay'> {
      if (browser !== null) {
        await perBrowser.count(account + SEPARATOR + browser);
        return 'now';
      }
      await perAddress.count(address);
      // Unknown names are counted too: the limits must not reveal which names exist.
      await perAccount.count(account + SEPARATOR + address);
      try {
        await inAll.count(account);
        return 'now';
      } catch (error) {
        if (!(error instanceof PublicError && error.code === 'too-many-requests')) throw error;
        return 'delay';
      }
    },
    /** Resets the counts of an attempt with the right password. */
    async succeeded({ account, address }: Attempt): Promise<void> {
      // Not of the browser: it also bounds how often one client logs in with the right password.
      await Promise.all([perAccount.forget(account + SEPARATOR + address), inAll.forget(account)]);
    },
  };
}

/** Resets the counts of an account for all addresses and browsers, for an operator who has reset its password. */
export async function forgetLogins(connection: Connection, account: string): Promise<void> {
  // Index key. The last character sorts after every address and every secret of a browser.
  const ranges = [ACCOUNT_AND_ADDRESS, ACCOUNT_AND_BROWSER].map((name) => {
    const prefix = `${name}:${account}${SEPARATOR}`;
    return { key: { $gte: prefix, $lt: `${prefix}~` } };
  });
  const ofAccount = { $or: [...ranges, { key: `${ACCOUNT_IN_ALL}:${account}` }] };
  await connection.collection('rateLimits').deleteMany(ofAccount);
}
