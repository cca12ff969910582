import type { Connection } from 'mongoose';
import type { Credentials } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Audit } from '../audit/service.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import { type UserRecord, usernameKey } from '../users/model.ts';
import type { Users } from '../users/service.ts';

/** The name of the limiter that counts an account's wrong passwords, by `usernameKey`. */
export const LOGINS_OF_ACCOUNT = 'login-account';

/** Signing in and up, with their limits. `address` is the client's, see `addressKey`. */
export interface Auth {
  login(credentials: Credentials, address: string): Promise<UserRecord>;
  register(credentials: Credentials, address: string): Promise<UserRecord>;
}

export async function createAuth(deps: {
  connection: Connection;
  users: Users;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
}): Promise<Auth> {
  const { connection, users, audit, limits } = deps;
  const logins = {
    account: await createLimiter(connection, LOGINS_OF_ACCOUNT, limits.loginPerAccount),
    address: await createLimiter(connection, 'login-address', limits.loginPerAddress),
  };
  const registrations = await createLimiter(connection, 'register-address', limits.registerPerAddress);

  return {
    async login(credentials, address) {
      const account = usernameKey(credentials.username);
      await logins.address.count(address);
      // Counted for unknown names as well: the limit must not tell which names exist.
      await logins.account.count(account);
      const user = await users.withPassword(credentials);
      if (!user) {
        // The name that was typed is not recorded: it may be a password in the wrong field.
        const known = await users.named(credentials.username);
        await audit.record('login-failed', { user: null, name: 'unknown', address }, known?._id.toHexString() ?? null);
        throw new PublicError('wrong-credentials');
      }
      await logins.account.forget(account);
      return user;
    },
    async register(credentials, address) {
      await registrations.count(address);
      return users.create(credentials);
    },
  };
}
