import { isIPv6 } from 'node:net';
import type { Connection } from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { PublicError } from '../../common/errors.ts';

/** So many tries within so many seconds. */
export interface Limit {
  tries: number;
  seconds: number;
}

export interface Limits {
  /** Wrong passwords for one account; a right one starts the count anew. */
  loginPerAccount: Limit;
  /** Logins from one address, right or wrong: many people may share one. */
  loginPerAddress: Limit;
  registerPerAddress: Limit;
  /** Wrong direct admin keys; a right one starts the count anew. */
  adminKeyPerAddress: Limit;
  /** What an administrator does or looks up of others that leaves a record: each of them is kept for a year. */
  adminActionPerUser: Limit;
  /** Wrong passwords before a private key or a replaced wallet; a right one starts the count anew. */
  walletPasswordPerUser: Limit;
  /** Changes of wallets and looks at keys, right or wrong: each of them is recorded for a year. */
  walletUsePerUser: Limit;
  /** Previews of rules and strategies: more than who moves a slider asks for. */
  previewPerUser: Limit;
  /** New transactions: more than the wallet page sends by hand. Each of them is kept for good. */
  recordTransactionPerUser: Limit;
  /** Codes that tie a Telegram chat to the account. */
  telegramCodePerUser: Limit;
  /** Such codes that one chat sends, right or wrong. */
  telegramTryPerChat: Limit;
}

export const defaultLimits: Limits = {
  loginPerAccount: { tries: 10, seconds: 15 * 60 },
  loginPerAddress: { tries: 100, seconds: 15 * 60 },
  registerPerAddress: { tries: 60, seconds: 60 * 60 },
  adminKeyPerAddress: { tries: 10, seconds: 15 * 60 },
  adminActionPerUser: { tries: 600, seconds: 60 * 60 },
  walletPasswordPerUser: { tries: 5, seconds: 15 * 60 },
  walletUsePerUser: { tries: 100, seconds: 60 * 60 },
  previewPerUser: { tries: 60, seconds: 60 },
  recordTransactionPerUser: { tries: 120, seconds: 60 * 60 },
  telegramCodePerUser: { tries: 20, seconds: 15 * 60 },
  telegramTryPerChat: { tries: 10, seconds: 15 * 60 },
};

/** Counts tries by key. */
export interface Limiter {
  /** Counts one more try, or throws `too-many-requests` with the time to wait. */
  count(key: string): Promise<void>;
  /** Forgets the tries of this key. */
  forget(key: string): Promise<void>;
}

/** Counts in MongoDB, so that restarts and further processes know of it, and in memory while MongoDB can't be asked. */
export async function createLimiter(connection: Connection, name: string, limit: Limit): Promise<Limiter> {
  const counting = { points: limit.tries, duration: limit.seconds, keyPrefix: name };
  const limiter = new RateLimiterMongo({
    ...counting,
    storeClient: connection.getClient(),
    dbName: connection.name,
    tableName: 'rateLimits',
    disableIndexesCreation: true,
    insuranceLimiter: new RateLimiterMemory(counting),
  });
  // Made here instead of by the constructor, so that the first request already finds them.
  await limiter.createIndexes();
  return {
    async count(key) {
      try {
        await limiter.consume(key);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new PublicError('too-many-requests', { retryAfter: refusal.msBeforeNext / 1000 });
      }
    },
    async forget(key) {
      await limiter.delete(key);
    },
  };
}

/** The key of a client's address. An IPv6 client owns a whole /64 network, so that is what counts as one. */
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
