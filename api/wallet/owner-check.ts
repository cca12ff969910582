import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import type { Proof } from '../../common/auth/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Audit } from '../audit/service.ts';
import type { SecondFactors } from '../auth/second-factor/service.ts';
import { type RequestUser, requireOwner } from '../http/caller.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import type { UserRecord } from '../users/model.ts';

/** The acting user and their address. */
export interface WalletActor {
  user: RequestUser;
  address: string;
}

/** Guards the secrets of wallets. */
export interface OwnerCheck {
  /** Counts a change of a wallet or a request for a key: each is recorded. Throws `too-many-requests`. */
  count(by: WalletActor): Promise<void>;
  /**
   * Requires the owner and the password of the account, and a code where two-step login is on; records a refusal as `refused`.
   * Throws `forbidden`, `wrong-password`, `code-needed`, `wrong-code` and `too-many-requests`.
   */
  require(by: WalletActor, userId: string, proof: Proof, refused: AuditAction): Promise<void>;
}

export async function createOwnerCheck(deps: {
  connection: Connection;
  users: { findByPassword(credentials: { username: string; password: string }): Promise<UserRecord | null> };
  secondFactors: Pick<SecondFactors, 'require'>;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
}): Promise<OwnerCheck> {
  const { connection, users, secondFactors, audit, limits } = deps;
  const uses = await createLimiter(connection, 'wallet-use', limits.walletUsePerUser);
  const passwords = await createLimiter(connection, 'wallet-password', limits.walletPasswordPerUser);
  const keyOf = ({ user }: WalletActor) => user._id.toHexString();

  return {
    count: (by) => uses.count(keyOf(by)),
    async require(by, userId, { password, code }, refused) {
      await uses.count(keyOf(by));
      try {
        requireOwner(by.user, userId);
      } catch (error) {
        await audit.record(refused, by, userId);
        throw error;
      }
      // Before the check, so that concurrent guesses are all counted.
      await passwords.count(userId);
      const user = await users.findByPassword({ username: by.user.username, password });
      if (!user) {
        await audit.record(refused, by, userId);
        throw new PublicError('wrong-password', { details: { password: [errors['wrong-password'].text] } });
      }
      await passwords.forget(userId);
      await secondFactors.require({ user, address: by.address }, code);
    },
  };
}
