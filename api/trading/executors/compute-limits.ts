import { LRUCache } from 'lru-cache';
import { isOverLimit } from '../pump/program-errors.ts';
import type { TradingNode } from './trading-node.ts';

/** Compute units of a trade that was not simulated yet. */
const UNITS_MAX = 250_000;
/** Room above what a simulation consumed. */
const ROOM = 1.2;
const KEPT_MAX = 2_000;

/** Compute limits by kind of trade. A lower limit makes the same priority fee weigh more. */
export interface ComputeLimits {
  of(kind: string): number;
  /** Simulates a signed trade in the background for the next one of its kind. */
  learn(kind: string, bytes: Buffer): void;
  /** Forgets a limit that was too low. */
  onFailure(kind: string, error: unknown): void;
}

export function createComputeLimits(node: Pick<TradingNode, 'simulate'>): ComputeLimits {
  const kept = new LRUCache<string, number>({ max: KEPT_MAX });

  async function simulated(kind: string, bytes: Buffer): Promise<void> {
    const { error, units } = await node.simulate(bytes);
    if (error !== null || units === null) return;
    kept.set(kind, Math.min(UNITS_MAX, Math.ceil(units * ROOM)));
  }

  return {
    of: (kind) => kept.get(kind) ?? UNITS_MAX,
    learn(kind, bytes) {
      // Without it the next trade has the general limit, as this one.
      if (!kept.has(kind)) simulated(kind, bytes).catch(() => {});
    },
    onFailure(kind, error) {
      if (isOverLimit(error)) kept.delete(kind);
    },
  };
}
