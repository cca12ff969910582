import { SECOND } from '../../../../common/time.ts';
import { isFinal } from '../../../../common/trading/machine.ts';
import type { EventSource } from '../../../events/bus.ts';
import { pause } from '../../../platform/resilience.ts';
import type { OrderRecord } from '../../orders/model.ts';
import type { OrderStore } from '../../orders/store.ts';

/** An order is read again after this time, also when no event has come, ms. */
const LOOK_MS = 5 * SECOND;

/** Waits for the ends of orders, with one subscription for all of them. */
export interface OrderEnds {
  /** Resolves with an order once it is over and in its position; null when `signal` aborts before. */
  ended(order: OrderRecord, signal: AbortSignal): Promise<OrderRecord | null>;
  stop(): void;
}

export function createOrderEnds(deps: { bus: EventSource; orders: Pick<OrderStore, 'find'> }): OrderEnds {
  /** Ends of the present pauses by order. */
  const pauses = new Map<string, AbortController>();
  // Of its events only the last ones may mean its end.
  const unsubscribe = deps.bus.on('order-changed', ({ order: { id, status } }) => {
    if (isFinal(status)) pauses.get(id)?.abort();
  });

  return {
    async ended(order, signal) {
      const id = order._id.toHexString();
      try {
        let present: OrderRecord | null = order;
        while (present?.open && !signal.aborted) {
          const changed = new AbortController();
          pauses.set(id, changed);
          // It may have changed since it was read, before this pause began.
          present = await deps.orders.find(id);
          if (present?.open) await pause(LOOK_MS, AbortSignal.any([changed.signal, signal]));
        }
        return present?.open === false ? present : null;
      } finally {
        pauses.delete(id);
      }
    },
    stop: unsubscribe,
  };
}
