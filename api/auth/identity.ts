import type { Connection, Types } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import type { Proof } from '../../common/auth/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Audit } from '../audit/service.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import type { UserRecord } from '../users/model.ts';
import type { SecondFactors } from './second-factor/service.ts';

/** A signed-in user who proves their identity, with the address of the request. */
export interface Claimant {
  user: { _id: Types.ObjectId; username: string };
  address: string;
}

/** Checks that a signed-in user is the owner of the account, and not only of its session. */
export interface Identity {
  /**
   * Requires the password, and a code where two-step login is on; resolves with the stored user. Records a refusal as
   * `refused`. `field`: name of the password in the request. Throws `wrong-password`, `code-needed`, `wrong-code` and
   * `too-many-requests`.
   */
  require(by: Claimant, proof: Proof, options?: { field?: string; refused?: AuditAction }): Promise<UserRecord>;
}

export async function createIdentity(deps: {
  connection: Connection;
  users: { findByPassword(credentials: { username: string; password: string }): Promise<UserRecord | null> };
  secondFactors: Pick<SecondFactors, 'require'>;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
}): Promise<Identity> {
  const { connection, users, secondFactors, audit, limits } = deps;
  const passwords = await createLimiter(connection, 'confirm-password', limits.confirmPerUser);
  const total = await createLimiter(connection, 'confirm-all', limits.confirmInAllPerUser);

  return {
    async require(by, { password, code }, { field = 'password', refused = 'confirmation-refused' } = {}) {
      const userId = by.user._id.toHexString();
      // Before the check, so that concurrent guesses are all counted.
      await total.count(userId);
      await passwords.count(userId);
      const user = await users.findByPassword({ username: by.user.username, password });
      if (!user) {
        await audit.record(refused, by, userId);
        throw new PublicError('wrong-password', { details: { [field]: [errors['wrong-password'].text] } });
      }
      await passwords.forget(userId);
      await secondFactors.require({ user, address: by.address }, code);
      return user;
    },
  };
}
