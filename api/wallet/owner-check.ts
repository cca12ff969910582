import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Actor, Audit } from '../audit/service.ts';
import { requireSelf } from '../http/authorize.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';

/** Who acts, with all that their record says. */
export interface WalletActor extends Actor {
  user: UserRecord;
}

/** What stands before a wallet's secrets. */
export interface OwnerCheck {
  /** Counts a change of a wallet, or a look at a key: each leaves a record. Throws `too-many-requests`. */
  count(by: WalletActor): Promise<void>;
  /**
   * Lets only the owner pass, with the password of the account. Whoever does not is recorded as `refused`.
   * Throws `forbidden`, `wrong-password` and `too-many-requests`.
   */
  require(by: WalletActor, userId: string, password: string, refused: AuditAction): Promise<void>;
}

export async function createOwnerCheck(deps: {
  connection: Connection;
  users: Users;
  audit: Audit;
  limits: Limits;
}): Promise<OwnerCheck> {
  const { connection, users, audit, limits } = deps;
  const uses = await createLimiter(connection, 'wallet-use', limits.walletUsePerUser);
  const passwords = await createLimiter(connection, 'wallet-password', limits.walletPasswordPerUser);
  const keyOf = ({ user }: WalletActor) => user._id.toHexString();

  return {
    count: (by) => uses.count(keyOf(by)),
    async require(by, userId, password, refused) {
      await uses.count(keyOf(by));
      try {
        requireSelf(by.user, userId);
      } catch (error) {
        await audit.record(refused, by, userId);
        throw error;
      }
      // Counted first, so that guesses sent all at once are not more guesses.
      await passwords.count(userId);
      if (!(await users.withPassword({ username: by.user.username, password }))) {
        await audit.record(refused, by, userId);
        throw new PublicError('wrong-password', { details: { password: [errors['wrong-password'].text] } });
      }
      await passwords.forget(userId);
    },
  };
}
