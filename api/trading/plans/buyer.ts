import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { isUnavailable } from '../../platform/database.ts';
import type { Placing } from '../orders/place.ts';
import type { Buy, CoreOrder, CorePlan } from './core/model.ts';

/** A purchase that waited for longer is not made: its price is of another moment. */
const FRESH_MS = 5 * SECOND;
/** Purchases that are made at once. */
const AT_ONCE = 16;

/** Makes the orders of decisions, some at once and of each user in turn. Its hold keeps each within the limits of the account. */
export interface Buyer {
  buy(buy: Buy): void;
  /** Resolves once the orders in progress are made; waiting ones are dropped. */
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
  /** By user, the one whose turn it is first. */
  const queues = new Map<string, Buy[]>();
  const making = new Set<Promise<void>>();
  let isStopped = false;

  async function make(buy: Buy): Promise<void> {
    const { key, userId, planId, address, lamports, slippageBps, planSince } = buy;
    const refuse = (why: Reason) => onOrder({ key, state: 'refused', hasBought: false, reason: why });
    const plan = planOf(userId, planId);
    // The plan may have changed while the purchase waited.
    const isAsDecided = plan?.activeSince === planSince && plan.lamports === lamports;
    if (!isAsDecided) return refuse(reason('inactive'));
    if (clock.now() - buy.decidedAt > FRESH_MS) return refuse(reason('too-old'));
    const { kind, name, exits } = plan;
    const request = { key, side: 'buy', address, lamports, slippageBps, exits, accept: null } as const;
    const placement = await placing.place(userId, { ...request, cause: { kind, name }, planSince });
    if (placement.type === 'placed') {
      const { order } = placement;
      onStored(order.times.created - buy.observedAt);
      const state = isFinal(order.status) ? 'over' : 'stored';
      onOrder({ key, state, hasBought: order.fill !== null, reason: order.failure });
    } else {
      refuse(placement.type === 'refused' ? placement.reason : reason('removed'));
    }
  }

  async function tryMake(buy: Buy): Promise<void> {
    try {
      await make(buy);
    } catch (error) {
      // The order may be stored all the same: its key finds it again.
      if (!isUnavailable(error)) log.warn({ error, key: buy.key }, 'order of a plan not made');
      onOrder({ key: buy.key, state: 'refused', hasBought: false, reason: reason('database-away') });
    }
  }

  /** Takes the oldest purchase of the next user. */
  function next(): Buy | undefined {
    const [first] = queues;
    if (!first) return undefined;
    const [userId, queue] = first;
    const buy = queue.shift();
    queues.delete(userId);
    if (queue.length > 0) queues.set(userId, queue);
    return buy;
  }

  function makeNext(): void {
    if (isStopped || making.size >= AT_ONCE) return;
    const buy = next();
    if (!buy) return;
    const made = tryMake(buy).finally(() => {
      making.delete(made);
      makeNext();
    });
    making.add(made);
  }

  return {
    buy(buy) {
      if (isStopped) return;
      const queue = queues.get(buy.userId);
      if (queue) queue.push(buy);
      else queues.set(buy.userId, [buy]);
      makeNext();
    },
    async stop() {
      isStopped = true;
      await Promise.all(making);
    },
  };
}
