import { isIPv6 } from 'node:net';
import type { Connection } from 'mongoose';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterMongo,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { PublicError } from '../../../common/errors.ts';
import { HOUR, MINUTE, SECOND } from '../../../common/time.ts';
import type { RedisClient } from '../../../realtime/redis.ts';

/** Number of tries allowed within a window of `seconds`. */
export interface Limit {
  tries: number;
  seconds: number;
}

const QUARTER = (15 * MINUTE) / SECOND;
const HOUR_SECONDS = HOUR / SECOND;

export const defaultLimits = {
  /** Wrong passwords for one account from one address; a right one resets the count. */
  loginPerAccount: { tries: 10, seconds: QUARTER },
  /** Wrong passwords for one account from all addresses. Further logins are delayed, never refused for long. */
  loginPerAccountInAll: { tries: 100, seconds: QUARTER },
  /** Logins to one account from a browser in which its user has logged in before, with right and wrong passwords. */
  loginPerKnownBrowser: { tries: 30, seconds: QUARTER },
  /** Wrong codes of two-step login for one account from one session, known browser or address; a right one resets the count. */
  codePerClient: { tries: 5, seconds: QUARTER },
  /** Wrong codes of the app for one account from all strangers; a right one resets the count. At most 480 guesses a day. */
  codeOfStrangersPerUser: { tries: 20, seconds: HOUR_SECONDS },
  /** Wrong passwords typed within a session to confirm an action; a right one resets the count. */
  confirmPerUser: { tries: 5, seconds: QUARTER },
  /** Passwords typed within a session to confirm an action, right or wrong: each is hashed. */
  confirmInAllPerUser: { tries: 30, seconds: QUARTER },
  /** Logins from one address, right or wrong: many people may share one. */
  loginPerAddress: { tries: 100, seconds: QUARTER },
  registerPerAddress: { tries: 60, seconds: HOUR_SECONDS },
  /** Logins and registrations of all addresses: each hashes a password, a core's work for about 40 ms. */
  enterInAll: { tries: 600, seconds: 60 },
  /** Wrong direct admin keys; a right one resets the count. */
  adminKeyPerAddress: { tries: 10, seconds: QUARTER },
  /** Wrong direct admin keys of all addresses together; the calls remain open to administrators with a session. */
  adminKey: { tries: 100, seconds: QUARTER },
  /** Requests with one API key. */
  requestPerApiKey: { tries: 600, seconds: 60 },
  /** Wrong API keys. */
  apiKeyPerAddress: { tries: 30, seconds: QUARTER },
  /** Reads of the front page's counts, from one address. */
  launchesPerAddress: { tries: 120, seconds: 60 },
  /** Administrator actions on other users that are recorded in the audit, each for a year. */
  adminActionPerUser: { tries: 600, seconds: HOUR_SECONDS },
  /** Wrong passwords for a private key or a replaced wallet; a right one resets the count. */
  walletPasswordPerUser: { tries: 5, seconds: QUARTER },
  /** Changes of wallets and requests for keys, right or wrong: each is recorded for a year. */
  walletUsePerUser: { tries: 100, seconds: HOUR_SECONDS },
  /** Reads of any kind: several times what open pages cause while everything changes. */
  readPerUser: { tries: 1_200, seconds: 60 },
  /** Searches, which are reads as well: two a second, and bursts of typing. */
  searchPerUser: { tries: 120, seconds: 60 },
  /** Previews of rules and strategies: more than dragging a slider causes. */
  previewPerUser: { tries: 60, seconds: 60 },
  /** Quotes of trades: two a second, as typing an amount causes. */
  quotePerUser: { tries: 120, seconds: 60 },
  /** New orders by hand. */
  orderPerUser: { tries: 120, seconds: 60 },
  /** New transactions: more than the wallet page sends by hand. Each is stored for good. */
  recordTransactionPerUser: { tries: 120, seconds: HOUR_SECONDS },
  /** Changes and tests of a webhook: each is recorded for a year. */
  webhookPerUser: { tries: 30, seconds: HOUR_SECONDS },
  /** Codes that link a Telegram chat to the account. */
  telegramCodePerUser: { tries: 20, seconds: QUARTER },
  /** Such codes sent by one chat, right or wrong. */
  telegramTryPerChat: { tries: 10, seconds: QUARTER },
} satisfies Record<string, Limit>;
export type Limits = Record<keyof typeof defaultLimits, Limit>;

/** Counts tries by key. */
export type Limiter = ReturnType<typeof limiterOf>;

/** The creation of the indexes of the collection that all limits of a connection share. */
const indexesBy = new WeakMap<Connection, Promise<void>>();

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
  const indexes = indexesBy.get(connection) ?? limiter.createIndexes();
  indexesBy.set(connection, indexes);
  await indexes;
  return limiterOf(limiter);
}

/** Where limits are counted that a database must not be asked for. */
export interface QuickLimits {
  /** Counts tries within a limit; `name`: of its keys, different for each limit. */
  limiter(name: string, limit: Limit): Limiter;
}

/** Counts in this process only. */
export const memoryLimits: QuickLimits = { limiter: (_name, limit) => createMemoryLimiter(limit) };

/** Counts in Redis for all processes, and in this one alone while Redis is away. `prefix`: of the keys. */
export function createRedisLimits(redis: RedisClient, prefix: string): QuickLimits {
  return {
    limiter(name, limit) {
      const window = { points: limit.tries, duration: limit.seconds };
      const insuranceLimiter = new RateLimiterMemory(window);
      const shared = { storeClient: redis, useRedisPackage: true, rejectIfRedisNotReady: true, insuranceLimiter };
      return limiterOf(new RateLimiterRedis({ ...window, ...shared, keyPrefix: `${prefix}:${name}` }));
    },
  };
}

/** Counts in this process only: for limits that protect it, and for calls that one process alone serves. */
export function createMemoryLimiter(limit: Limit): Limiter {
  return limiterOf(new RateLimiterMemory({ points: limit.tries, duration: limit.seconds }));
}

function limiterOf(limiter: RateLimiterAbstract) {
  return {
    /** Counts one more try. Throws `too-many-requests` with the time to wait. */
    async count(key: string): Promise<void> {
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new PublicError('too-many-requests', { retryAfter: refusal.msBeforeNext / SECOND });
      }
    },
    /** Resets the count of this key. */
    async forget(key: string): Promise<void> {
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
