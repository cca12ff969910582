import type { ReplayResult } from '../../../common/replay/model.ts';
import type { Reason, ReasonCode } from '../../../common/trading/reasons.ts';

/** Last reasons of plans against buying each token, by token and plan, the latest one at the end; null: bought. */
export type RefusalReasons = Map<string, Map<string, Reason | null>>;

/** Returns why tokens were not bought, most first. A token that some plan bought does not count, any other one once. */
export function refusalsOf(
  reasons: RefusalReasons,
  /** Whether a token was detected before the run. */
  isEarlier: (address: string) => boolean,
): Pick<ReplayResult, 'refusals' | 'refusedEarlier'> {
  const counts = new Map<ReasonCode, { reason: Reason; count: number }>();
  let refusedEarlier = 0;
  for (const [address, byPlan] of reasons) {
    const answers = [...byPlan.values()];
    const reason = answers.at(-1);
    if (!reason || answers.includes(null)) continue;
    const known = counts.get(reason.code);
    counts.set(reason.code, { reason, count: (known?.count ?? 0) + 1 });
    if (isEarlier(address)) refusedEarlier += 1;
  }
  return { refusals: [...counts.values()].toSorted((one, other) => other.count - one.count), refusedEarlier };
}
