import type { VersionedTransactionResponse } from '@solana/web3.js';
import { isExpired } from '../../../common/trading/machine.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { AttemptVerdict, SentAttempt } from './executor.ts';
import { isNodeAway, type TradingNode } from './trading-node.ts';

/** Largest number of signatures in one call of the network's API. */
const SIGNATURES_PER_CALL = 256;
/** Signatures that are remembered as reported. */
const UNREADABLE_MAX = 1_000;

/** Creates the only judge of attempts on a chain. */
export function createLook(deps: {
  node: Pick<TradingNode, 'height' | 'sightings' | 'transaction'>;
  /** How many blocks the node with the signatures may be behind the one with the height. */
  blocksOfLag: number;
  /** Null while the response leaves it open. */
  resultOf(attempt: SentAttempt, response: VersionedTransactionResponse): AttemptVerdict | null;
  /** Called once for each signature whose verdict can't be read, for another reason than a node that is away. */
  onUnreadable?: (error: unknown, attempt: SentAttempt) => void;
}): (attempts: readonly SentAttempt[]) => Promise<Map<string, AttemptVerdict>> {
  const { node, blocksOfLag, resultOf, onUnreadable } = deps;
  const unreadable = new Set<string>();

  function noteUnreadable(error: unknown, attempt: SentAttempt): void {
    if (isNodeAway(error) || unreadable.has(attempt.signature)) return;
    if (unreadable.size >= UNREADABLE_MAX) unreadable.clear();
    unreadable.add(attempt.signature);
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

  async function lookAt(attempts: readonly SentAttempt[], verdicts: Map<string, AttemptVerdict>): Promise<void> {
    // Read before the signatures, so that no transaction in a block up to this height is missed (O4).
    const height = await node.height();
    const signatures = attempts.map(({ signature }) => signature);
    const recent = await node.sightings(signatures, false);
    const late = attempts.filter(
      (attempt) => !recent.has(attempt.signature) && isExpired(attempt, height, blocksOfLag),
    );
    const older =
      late.length > 0
        ? await node.sightings(
            late.map(({ signature }) => signature),
            true,
          )
        : recent;
    await Promise.all(
      attempts.map(async (attempt) => {
        const { signature } = attempt;
        const sighting = recent.get(signature) ?? older.get(signature);
        // In a block that may still be dropped: neither landed nor expired.
        if (sighting && !sighting.isSettled) return;
        if (sighting) {
          const verdict = await inBlock(attempt);
          if (verdict) verdicts.set(signature, verdict);
        } else if (late.includes(attempt)) {
          verdicts.set(signature, { outcome: 'expired', reason: reason('expired') });
        }
      }),
    );
  }

  return async (attempts) => {
    const verdicts = new Map<string, AttemptVerdict>();
    for (let at = 0; at < attempts.length; at += SIGNATURES_PER_CALL) {
      await lookAt(attempts.slice(at, at + SIGNATURES_PER_CALL), verdicts);
    }
    return verdicts;
  };
}
