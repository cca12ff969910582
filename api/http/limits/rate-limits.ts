import { isIPv6 } from 'node:net';
import type { Connection } from 'mongoose';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { PublicError } from '../../../common/errors.ts';
import { HOUR, MINUTE, SECOND } from '../../../common/time.ts';

/** Number of tries allowed within a window of `seconds`. */
export interface Limit {
  tries: number;
  seconds: number;
}

export interface Limits {
  /** Wrong passwords for one account from one address; a right one resets the count. */
  loginPerAccount: Limit;
  /** Wrong passwords for one account from all addresses. Further logins are delayed, never refused for long. */
  loginPerAccountInAll: Limit;
  /** Logins to one account from a browser in which its user has logged in before, with right and wrong passwords. */
  loginPerKnownBrowser: Limit;
  /** Wrong codes of two-step login for one account, which only the right password leads to; a right one resets the count. */
  codePerUser: Limit;
  /** Wrong passwords typed within a session to confirm an action; a right one resets the count. */
  confirmPerUser: Limit;
  /** Passwords typed within a session to confirm an action, right or wrong: each is hashed. */
  confirmInAllPerUser: Limit;
  /** Logins from one address, right or wrong: many people may share one. */
  loginPerAddress: Limit;
  registerPerAddress: Limit;
  /** Logins and registrations of all addresses: each hashes a password, a core's work for about 40 ms. */
  enterInAll: Limit;
  /** Wrong direct admin keys; a right one resets the count. */
  adminKeyPerAddress: Limit;
  /** Wrong direct admin keys of all addresses together; the calls remain open to administrators with a session. */
  adminKey: Limit;
  /** Administrator actions on other users that are recorded in the audit, each for a year. */
  adminActionPerUser: Limit;
  /** Wrong passwords for a private key or a replaced wallet; a right one resets the count. */
  walletPasswordPerUser: Limit;
  /** Changes of wallets and requests for keys, right or wrong: each is recorded for a year. */
  walletUsePerUser: Limit;
  /** Reads of any kind: several times what open pages cause while everything changes. */
  readPerUser: Limit;
  /** Searches, which are reads as well: two a second, and bursts of typing. */
  searchPerUser: Limit;
  /** Previews of rules and strategies: more than dragging a slider causes. */
  previewPerUser: Limit;
  /** Quotes of trades: two a second, as typing an amount causes. */
  quotePerUser: Limit;
  /** New orders by hand. */
  orderPerUser: Limit;
  /** New transactions: more than the wallet page sends by hand. Each is stored for good. */
  recordTransactionPerUser: Limit;
  /** Codes that link a Telegram chat to the account. */
  telegramCodePerUser: Limit;
  /** Such codes sent by one chat, right or wrong. */
  telegramTryPerChat: Limit;
}

const QUARTER = (15 * MINUTE) / SECOND;
const HOUR_SECONDS = HOUR / SECOND;

export const defaultLimits: Limits = {
  loginPerAccount: { tries: 10, seconds: QUARTER },
  loginPerAccountInAll: { tries: 100, seconds: QUARTER },
  loginPerKnownBrowser: { tries: 30, seconds: QUARTER },
  codePerUser: { tries: 5, seconds: QUARTER },
  confirmPerUser: { tries: 5, seconds: QUARTER },
  confirmInAllPerUser: { tries: 30, seconds: QUARTER },
  loginPerAddress: { tries: 100, seconds: QUARTER },
  registerPerAddress: { tries: 60, seconds: HOUR_SECONDS },
  enterInAll: { tries: 600, seconds: 60 },
  adminKeyPerAddress: { tries: 10, seconds: QUARTER },
  adminKey: { tries: 100, seconds: QUARTER },
  adminActionPerUser: { tries: 600, seconds: HOUR_SECONDS },
  walletPasswordPerUser: { tries: 5, seconds: QUARTER },
  walletUsePerUser: { tries: 100, seconds: HOUR_SECONDS },
  readPerUser: { tries: 1_200, seconds: 60 },
  searchPerUser: { tries: 120, seconds: 60 },
  previewPerUser: { tries: 60, seconds: 60 },
  quotePerUser: { tries: 120, seconds: 60 },
  orderPerUser: { tries: 120, seconds: 60 },
  recordTransactionPerUser: { tries: 120, seconds: HOUR_SECONDS },
  telegramCodePerUser: { tries: 20, seconds: QUARTER },
  telegramTryPerChat: { tries: 10, seconds: QUARTER },
};

/** Counts tries by key. */
export interface Limiter {
  /** Counts one more try. Throws `too-many-requests` with the time to wait. */
  count(key: string): Promise<void>;
  /** Resets the count of this key. */
  forget(key: string): Promise<void>;
}

/** Counts in MongoDB, so that the count survives restarts and spans processes, and in memory while MongoDB is away. */
export async function createLimiter(connection: Connection, name: string, limit: Limit): Promise<Limiter> {
  const window = { points: limit.tries, duration: limit.seconds, keyPrefix: name };
  const limiter = new RateLimiterMongo({
    ...window,
    storeClient: connection.getClient(),
    dbName: connection.name,
    tableName: 'rateLimits',
    disableIndexesCreation: true,
    insuranceLimiter: new RateLimiterMemory(window),
  });
  // Created here instead of by the constructor, so that the first request already has them.
  await limiter.createIndexes();
  return limiterOf(limiter);
}

/** Counts in this process only: for limits that protect it, and that a database must not be asked for. */
export function createMemoryLimiter(limit: Limit): Limiter {
  return limiterOf(new RateLimiterMemory({ points: limit.tries, duration: limit.seconds }));
}

function limiterOf(limiter: RateLimiterAbstract): Limiter {
  return {
    async count(key) {
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new PublicError('too-many-requests', { retryAfter: refusal.msBeforeNext / SECOND });
      }
    },
    async forget(key) {
      await limiter.delete(key);
    },
  };
}

/** Returns the key of a client's address. An IPv6 client owns a whole /64 network, which counts as one client. */
export function addressKey(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.replace(/%.*$/, '').split('::');
  const left = head.split(':').filter((part) => part !== '');
  const right = (tail ?? '').split(':').filter((part) => part !== '');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`;
}
