import type { Connection } from 'mongoose';
import type { Credentials } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Audit } from '../audit/service.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import { type UserRecord, usernameKey } from '../users/model.ts';
import type { Users } from '../users/service.ts';

/** Name of the limiter that counts the wrong passwords of an account, by `usernameKey`. */
export const LOGINS_OF_ACCOUNT = 'login-account';

/** Login and registration with their limits. `address`: the client's, as `addressKey` forms it. */
export interface Auth {
  /** Throws `wrong-credentials` and `too-many-requests`. */
  login(credentials: Credentials, address: string): Promise<UserRecord>;
  /** Throws `username-taken` and `too-many-requests`. */
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
      // Unknown names are counted too: the limit must not reveal which names exist.
      await logins.account.count(account);
      const user = await users.findByPassword(credentials);
      if (!user) {
        // Without the name as typed, which may be a password in the wrong field.
        const existing = await users.findByName(credentials.username);
        const subject = existing?._id.toHexString() ?? null;
        await audit.record('login-failed', { user: null, name: 'unknown', address }, subject);
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
