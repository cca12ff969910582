import { holdingKey, holdingOf } from '../../positions/record.ts';
import type { OrderRecord } from '../record.ts';

/**
 * Orders on paper that are followed, by wallet and coin: a trade is computed once the earlier ones are in their positions
 * (`paper/paper-look.ts`). Orders on a chain wait for no other.
 */
export interface PaperQueues<Follower> {
  join(order: OrderRecord, follower: Follower): void;
  leave(follower: Follower): void;
  /** Returns the other followers in the queue of one: they may have waited for its order. */
  besides(follower: Follower): Follower[];
}

export function createPaperQueues<Follower>(): PaperQueues<Follower> {
  const queues = new Map<string, Set<Follower>>();
  const keys = new Map<Follower, string>();
  const queueOf = (follower: Follower) => queues.get(keys.get(follower) ?? '');

  return {
    join(order, follower) {
      if (order.mode !== 'paper') return;
      const key = holdingKey(holdingOf(order));
      const queue = queues.get(key) ?? new Set();
      queues.set(key, queue.add(follower));
      keys.set(follower, key);
    },
    leave(follower) {
      const queue = queueOf(follower);
      queue?.delete(follower);
      if (queue?.size === 0) queues.delete(keys.get(follower) ?? '');
      keys.delete(follower);
    },
    besides: (follower) => [...(queueOf(follower) ?? [])].filter((other) => other !== follower),
  };
}
