import type { Connection } from 'mongoose';
import type { Proof } from '../../common/auth/model.ts';
import type { SessionActor } from '../http/caller.ts';
import { createLimiter, type Limits } from '../http/limits/rate-limits.ts';
import type { UserRecord } from '../users/model.ts';
import { createProofCheck, type ProofCheckDeps } from './proof-check.ts';

/** Checks that a signed-in user is the owner of the account, and not only of its session. */
export interface Identity {
  /**
   * Requires password and code as `ProofCheck` does, and records a wrong password as 'confirmation-refused'. `field`: name of
   * the password in the request.
   */
  require(by: SessionActor, proof: Proof, options?: { field?: string }): Promise<UserRecord>;
}

export async function createIdentity(
  deps: ProofCheckDeps & { connection: Connection; limits: Limits },
): Promise<Identity> {
  const { connection, limits } = deps;
  const total = await createLimiter(connection, 'confirm-all', limits.confirmInAllPerUser);
  const check = createProofCheck(deps, await createLimiter(connection, 'confirm-password', limits.confirmPerUser));

  return {
    async require(by, proof, options) {
      await total.count(by.user._id.toHexString());
      return check(by, proof, { refused: 'confirmation-refused', ...options });
    },
  };
}
