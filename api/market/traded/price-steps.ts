import type { Logger } from 'pino';
import type { Stage } from '../../../common/tokens/model.ts';
import type { Reserves } from '../../tokens/record.ts';
import type { LiveToken } from '../token/state/live-token.ts';

/** A price of a pinned token: each one that was in force within a tick, also when the next trade reverted it. */
export interface PriceStep {
  readonly address: string;
  /** Time the market learned of it, epoch ms; never before that of the previous step of the token. */
  readonly at: number;
  /** SOL for one whole token; null when unknown. */
  readonly price: number | null;
  readonly reserves: Readonly<Reserves> | null;
  readonly stage: Stage;
}

/** The steps of one tick, in the order of the merge. Never empty. */
export interface MarketMove {
  /** Time of the tick, epoch ms. */
  readonly now: number;
  readonly steps: readonly PriceStep[];
}

/** Receives the steps of a tick after its merge and before it is stored. Must be quick. */
export type OnMoved = (move: MarketMove) => void;

/** Collects the price steps of pinned tokens. */
export interface PriceSteps {
  /** Adds a step if price, reserves or stage changed since the last one. To be called for pinned tokens only. */
  add(live: LiveToken, receivedAt: number, now: number): void;
  /** Hands the steps of the tick to the listeners. */
  flush(now: number): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: OnMoved): () => void;
}

export function createPriceSteps(log: Logger): PriceSteps {
  const listeners = new Set<OnMoved>();
  let steps: PriceStep[] = [];
  return {
    add(live, receivedAt, now) {
      const { pin, record } = live;
      const { price, reserves, stage } = record;
      if (pin === null || (pin.price === price && pin.reserves === reserves && pin.stage === stage)) return;
      const at = Math.max(pin.at, Math.min(now, receivedAt));
      Object.assign(pin, { at, price, reserves, stage });
      steps.push({ address: record._id, at, price, reserves, stage });
    },
    flush(now) {
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
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
