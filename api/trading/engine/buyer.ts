import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { isUnavailable } from '../../platform/database.ts';
import { loggable } from '../../platform/log.ts';
import type { Buy, CoreOrder, CorePlan } from '../core/model.ts';
import type { Placing } from '../orders/place.ts';

/** A purchase that waited for longer is not made: its price is of another moment. */
const FRESH_MS = 5 * SECOND;
/** Users whose purchases are made at once. */
const USERS_AT_ONCE = 8;

/** Makes the orders of decisions: those of a user one after the other, of some users at once. */
export interface Buyer {
  buy(buy: Buy): void;
  /** Resolves once the orders in progress are made; those that wait are dropped. */
  stop(): Promise<void>;
}

export interface BuyerDeps {
  placing: Pick<Placing, 'place'>;
  /** Returns a plan with what its orders need; null when it is inactive by now. */
  planOf(userId: string, planId: string): CorePlan | null;
  /** Receives that an order was refused, or that there was one before. Progress of new ones comes by events. */
  onOrder(order: CoreOrder): void;
  /** Receives the time from the figures of a decision until its order was stored, ms. */
  onStored(lag: number): void;
  clock: Clock;
  log: Logger;
}

export function createBuyer(deps: BuyerDeps): Buyer {
  const { placing, planOf, onOrder, onStored, clock, log } = deps;
  const queues = new Map<string, Buy[]>();
  const working = new Map<string, Promise<void>>();
  let isStopped = false;

  async function make(buy: Buy): Promise<void> {
    const { key, userId, planId, address, lamports, slippageBps } = buy;
    const refuse = (why: Reason) => onOrder({ key, state: 'refused', hasBought: false, reason: why });
    const plan = planOf(userId, planId);
    if (plan === null) return refuse(reason('inactive'));
    if (clock.now() - buy.decidedAt > FRESH_MS) return refuse(reason('too-old'));
    const { kind, name, exits } = plan;
    const request = { key, side: 'buy', address, lamports, slippageBps, exits, accept: null } as const;
    const placement = await placing.place(userId, { ...request, cause: { kind, name } });
    if (placement.type === 'placed') {
      const { order } = placement;
      onStored(order.times.created - buy.observedAt);
      const state = isFinal(order.status) ? 'over' : 'stored';
      onOrder({ key, state, hasBought: order.fill !== null, reason: order.failure });
    } else {
      refuse(placement.type === 'refused' ? placement.reason : reason('removed'));
    }
  }

  async function work(userId: string, queue: Buy[]): Promise<void> {
    for (let buy = queue.shift(); buy && !isStopped; buy = queue.shift()) {
      try {
        await make(buy);
      } catch (error) {
        // The order may be stored all the same: its key finds it again.
        if (!isUnavailable(error)) log.warn({ error: loggable(error), key: buy.key }, 'order of a plan not made');
        onOrder({ key: buy.key, state: 'refused', hasBought: false, reason: reason('database-away') });
      }
    }
    queues.delete(userId);
    working.delete(userId);
    workNext();
  }

  function workNext(): void {
    for (const [userId, queue] of queues) {
      if (isStopped || working.size >= USERS_AT_ONCE) return;
      if (!working.has(userId)) working.set(userId, work(userId, queue));
    }
  }

  return {
    buy(buy) {
      if (isStopped) return;
      const queue = queues.get(buy.userId);
      if (queue) queue.push(buy);
      else queues.set(buy.userId, [buy]);
      workNext();
    },
    async stop() {
      isStopped = true;
      await Promise.all(working.values());
    },
  };
}
