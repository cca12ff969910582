import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import type { Proof } from '../../common/auth/model.ts';
import { createProofCheck, type ProofCheckDeps } from '../auth/identity.ts';
import { type RequestActor, requireOwner, type SessionActor } from '../http/caller.ts';
import { createLimiter, type Limits } from '../http/limits/rate-limits.ts';

/** Guards the secrets of wallets. */
export type OwnerCheck = Awaited<ReturnType<typeof createOwnerCheck>>;

export async function createOwnerCheck(deps: ProofCheckDeps & { connection: Connection; limits: Limits }) {
  const { connection, audit, limits } = deps;
  const uses = await createLimiter(connection, 'wallet-use', limits.walletUsePerUser);
  const guesses = await createLimiter(connection, 'wallet-password', limits.walletPasswordPerUser);
  const check = createProofCheck(deps, guesses);
  const keyOf = ({ user }: RequestActor) => user._id.toHexString();

  return {
    /** Counts a change of a wallet or a request for a key: each is recorded. Throws `too-many-requests`. */
    count: (by: RequestActor): Promise<void> => uses.count(keyOf(by)),
    /**
     * Requires the owner and the password of the account, and a code where two-step login is on; records a refusal as `refused`.
     * Throws `forbidden`, `wrong-password`, `code-needed`, `wrong-code` and `too-many-requests`.
     */
    async require(by: SessionActor, userId: string, proof: Proof, refused: AuditAction): Promise<void> {
      await uses.count(keyOf(by));
      try {
        requireOwner(by.user, userId);
      } catch (error) {
        await audit.record(refused, by, userId);
        throw error;
      }
      await check(by, proof, { refused });
    },
  };
}
