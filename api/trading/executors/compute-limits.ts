import { LRUCache } from 'lru-cache';
import { isOverDataLimit, isOverLimit } from '../pump/program-errors.ts';
import type { ComputeBudget } from '../pump/transaction.ts';
import type { TradingNode } from './trading-node.ts';

/** Compute units of a trade that was not simulated yet. */
const UNITS_MAX = 250_000;
/** Room above what a simulation consumed. */
const ROOM = 1.2;
/** Least data limit, bytes: 4 MB fail for trades of Token-2022 coins, since whole programs count. Without a limit the network counts 64 MB. */
const DATA_MIN = 16 * 1024 * 1024;
const KEPT_MAX = 2_000;

const general: ComputeBudget = { units: UNITS_MAX, dataBytes: null };

export type ComputeLimits = ReturnType<typeof createComputeLimits>;

/** Compute limits by kind of trade. Lower limits make the same priority fee weigh more. */
export function createComputeLimits(node: Pick<TradingNode, 'simulate'>) {
  const kept = new LRUCache<string, ComputeBudget>({ max: KEPT_MAX });

  async function simulated(kind: string, bytes: Buffer): Promise<void> {
    const { error, units, loadedBytes } = await node.simulate(bytes);
    if (error !== null || units === null) return;
    kept.set(kind, {
      units: Math.min(UNITS_MAX, Math.ceil(units * ROOM)),
      // Older nodes do not report it.
      dataBytes: loadedBytes === null ? null : Math.max(DATA_MIN, Math.ceil(loadedBytes * ROOM)),
    });
  }

  return {
    of: (kind: string): ComputeBudget => kept.get(kind) ?? general,
    /** Simulates a signed trade in the background for the next one of its kind. */
    learn(kind: string, bytes: Buffer): void {
      // Without them the next trade has the general limits, as this one.
      if (!kept.has(kind)) simulated(kind, bytes).catch(() => {});
    },
    /** Forgets a limit that was too low. */
    onFailure(kind: string, error: unknown): void {
      const known = kept.get(kind);
      if (isOverLimit(error)) kept.delete(kind);
      else if (known && isOverDataLimit(error)) kept.set(kind, { ...known, dataBytes: null });
    },
  };
}
