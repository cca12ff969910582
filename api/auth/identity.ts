import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import type { Proof } from '../../common/auth/model.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Audit } from '../audit/service.ts';
import type { SessionActor } from '../http/caller.ts';
import { createLimiter, type Limiter, type Limits } from '../http/limits/rate-limits.ts';
import type { UserRecord } from '../users/model.ts';
import type { SecondFactors } from './second-factor/service.ts';

/** Checks that a signed-in user is the owner of the account, and not only of its session. */
export type Identity = Awaited<ReturnType<typeof createIdentity>>;

export async function createIdentity(deps: ProofCheckDeps & { connection: Connection; limits: Limits }) {
  const { connection, limits } = deps;
  const total = await createLimiter(connection, 'confirm-all', limits.confirmInAllPerUser);
  const check = createProofCheck(deps, await createLimiter(connection, 'confirm-password', limits.confirmPerUser));

  return {
    /**
     * Requires password and code as `ProofCheck` does, and records a wrong password as 'confirmation-refused'. `field`: name of
     * the password in the request.
     */
    async require(by: SessionActor, proof: Proof, options?: { field?: string }): Promise<UserRecord> {
      await total.count(by.user._id.toHexString());
      return check(by, proof, { refused: 'confirmation-refused', ...options });
    },
  };
}

export interface ProofCheckDeps {
  users: { findByPassword(credentials: { username: string; password: string }): Promise<UserRecord | null> };
  secondFactors: Pick<SecondFactors, 'require'>;
  audit: Pick<Audit, 'record'>;
}

/**
 * Requires the password of the account, and a code where two-step login is on; resolves with the stored user. Records a wrong
 * password as `refused`. `field`: name of the password in the request. Throws `wrong-password`, `code-needed`, `wrong-code`
 * and `too-many-requests`.
 */
export type ProofCheck = (
  by: SessionActor,
  proof: Proof,
  options: { refused: AuditAction; field?: string },
) => Promise<UserRecord>;

/** Creates a check whose wrong passwords `guesses` counts by user. */
export function createProofCheck({ users, secondFactors, audit }: ProofCheckDeps, guesses: Limiter): ProofCheck {
  return async (by, { password, code }, { refused, field = 'password' }) => {
    const userId = by.user._id.toHexString();
    // Before the check, so that concurrent guesses are all counted.
    await guesses.count(userId);
    const user = await users.findByPassword({ username: by.user.username, password });
    if (!user) {
      await audit.record(refused, by, userId);
      throw new PublicError('wrong-password', { details: { [field]: [errors['wrong-password'].text] } });
    }
    await guesses.forget(userId);
    await secondFactors.require({ user, address: by.address, known: by.session }, code);
    return user;
  };
}
