import type { Logger } from 'pino';
import type { LiveToken } from '../token/state/live-token.ts';
import { createStepHistory, type PriceStep } from './step-history.ts';

/** The steps of one tick, in the order of the merge. Never empty. */
export interface MarketMove {
  /** Time of the tick, epoch ms. */
  readonly now: number;
  readonly steps: readonly PriceStep[];
}

/** Receives the steps of a tick after its merge and before it is stored. Must be quick. */
export type OnMoved = (move: MarketMove) => void;

/** Collects the price steps of pinned tokens. */
export type PriceSteps = ReturnType<typeof createPriceSteps>;

export function createPriceSteps(log: Logger) {
  const listeners = new Set<OnMoved>();
  const history = createStepHistory();
  let steps: PriceStep[] = [];
  let mergedAt = Number.NEGATIVE_INFINITY;

  return {
    /** The recent steps of pinned tokens. */
    history,
    /** Time of the last tick whose steps were handed over, epoch ms: later steps have no earlier time. -Infinity before the first. */
    get mergedAt(): number {
      return mergedAt;
    },
    /** Begins to keep the steps of a pinned token, with the price in force. */
    follow(live: LiveToken): void {
      if (!history.has(live.record._id)) history.add(stepOf(live, mergedAt));
    },
    /** Adds a step if price, reserves or stage changed since the last one. To be called for pinned tokens only. */
    add(live: LiveToken, receivedAt: number, now: number): void {
      const { pin, record } = live;
      const { price, reserves, stage } = record;
      if (pin === null || (pin.price === price && pin.reserves === reserves && pin.stage === stage)) return;
      const at = Math.max(pin.at, mergedAt, Math.min(now, receivedAt));
      Object.assign(pin, { at, price, reserves, stage });
      const step = stepOf(live, at);
      steps.push(step);
      history.add(step);
    },
    /** Hands the steps of the tick to the listeners. */
    flush(now: number): void {
      mergedAt = now;
      if (steps.length === 0) return;
      const move = { now, steps };
      steps = [];
      for (const listener of listeners) {
        try {
          listener(move);
        } catch (error) {
          // The market goes on for all others.
          log.error({ error }, 'listener of price steps failed');
        }
      }
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: OnMoved): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function stepOf({ record }: LiveToken, at: number): PriceStep {
  const { _id: address, price, reserves, stage, reservesVenue } = record;
  return { address, at, price, reserves, stage, venue: reservesVenue ?? 'curve' };
}
