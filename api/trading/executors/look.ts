import type { VersionedTransactionResponse } from '@solana/web3.js';
import { LRUCache } from 'lru-cache';
import { isExpired } from '../../../common/trading/machine.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { lookFor } from '../../chain/transactions.ts';
import type { AttemptVerdict, SentAttempt } from './executor.ts';
import { isNodeAway, type TradingNode } from './trading-node.ts';

/** Signatures that are remembered as reported. */
const UNREADABLE_MAX = 1_000;

/** Creates the only judge of attempts on a chain. One look is for at most 256 of them; the height is read before the signatures (O4). */
export function createLook(deps: {
  node: Pick<TradingNode, 'finalized' | 'sightings' | 'transaction'>;
  /** Blocks that a node with the signatures may be behind the one with the height, unless its answer shows that it is not. */
  blocksOfLag: number;
  /** Null while the response leaves it open. */
  resultOf(attempt: SentAttempt, response: VersionedTransactionResponse): AttemptVerdict | null;
  /** Called once for each signature whose verdict can't be read, for another reason than a node that is away. */
  onUnreadable?: (error: unknown, attempt: SentAttempt) => void;
}): (attempts: readonly SentAttempt[]) => Promise<Map<string, AttemptVerdict>> {
  const { node, blocksOfLag, resultOf, onUnreadable } = deps;
  const unreadable = new LRUCache<string, true>({ max: UNREADABLE_MAX });

  function noteUnreadable(error: unknown, attempt: SentAttempt): void {
    if (isNodeAway(error) || unreadable.has(attempt.signature)) return;
    unreadable.set(attempt.signature, true);
    onUnreadable?.(error, attempt);
  }

  /** Null when the node shows no readable copy now, which another look may get and which must not delay the others. */
  async function inBlock(attempt: SentAttempt): Promise<AttemptVerdict | null> {
    try {
      const response = await node.transaction(attempt.signature);
      return response && resultOf(attempt, response);
    } catch (error) {
      noteUnreadable(error, attempt);
      return null;
    }
  }

  return async (attempts) => {
    const verdicts = new Map<string, AttemptVerdict>();
    const { sightingOf, missing } = await lookFor(node, attempts, (one, height, isUpToDate) =>
      isExpired(one, height, isUpToDate ? 0 : blocksOfLag),
    );
    await Promise.all(
      attempts.map(async (attempt) => {
        const { signature } = attempt;
        // One in a block that may still be dropped has neither landed nor expired.
        if (sightingOf(attempt)?.isSettled) {
          const verdict = await inBlock(attempt);
          if (verdict) verdicts.set(signature, verdict);
        } else if (missing.has(attempt)) {
          verdicts.set(signature, { outcome: 'expired', reason: reason('expired') });
        }
      }),
    );
    return verdicts;
  };
}
