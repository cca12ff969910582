import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { EventSink } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import { afterChanges, type OrderChange } from './changes.ts';
import { presentOrder } from './present.ts';
import type { OrderRecord } from './record.ts';
import type { OrderStore } from './store.ts';

/**
 * The only writer of `orders`. Every change is a compare-and-set on the version (O1) and emits the order. A cancel and a stop are one
 * update on the order's status instead, and raise the version: they win over any version that was read before.
 */
export interface Orders {
  find(id: string): Promise<OrderRecord | null>;
  /** Stores a new order; one with the same key is returned as it is. */
  add(order: OrderRecord): Promise<{ order: OrderRecord; isNew: boolean }>;
  /** Applies changes. Returns the order afterwards; null when it is no longer as it was read, or a change is impossible. */
  change(order: OrderRecord, changes: readonly OrderChange[]): Promise<OrderRecord | null>;
  /** Sets fields that the machine does not know, in the same way. */
  close(order: OrderRecord, fields: Pick<OrderRecord, 'positionId'>): Promise<OrderRecord | null>;
  /** Cancels an order. Throws `already-sent` after its first attempt; one that ended before it is returned as it is. */
  cancel(order: OrderRecord): Promise<OrderRecord>;
  /**
   * Forbids further signing for a purchase: cancels it, or lets it end with its present attempt. Resolves with the purchase afterwards,
   * null for one that is over.
   */
  stop(id: string, failure: Reason): Promise<OrderRecord | null>;
}

export interface OrdersDeps {
  store: OrderStore;
  pins: OrderPins;
  bus: EventSink;
  clock: Clock;
}

export function createOrders({ store, pins, bus, clock }: OrdersDeps): Orders {
  function emit(order: OrderRecord): void {
    pins.set(order);
    bus.emit('order-changed', { userId: order.userId.toHexString(), key: order.key, order: presentOrder(order) });
  }

  function emitted(order: OrderRecord): OrderRecord {
    emit(order);
    return order;
  }

  async function swap(before: OrderRecord, after: OrderRecord | null): Promise<OrderRecord | null> {
    return after !== null && (await store.swap(before, after)) ? emitted(after) : null;
  }

  const change = (order: OrderRecord, changes: readonly OrderChange[]) =>
    swap(order, afterChanges(order, changes, clock.now()));

  return {
    find: store.find,
    async add(order) {
      if (await store.insert(order)) {
        emit(order);
        return { order, isNew: true };
      }
      const known = await store.findByKey(order.userId.toHexString(), order.key);
      if (!known) throw new Error('an order with this key was found and is gone');
      return { order: known, isNew: false };
    },
    change,
    close: (order, { positionId }) =>
      swap(order, { ...order, positionId, open: false, nextAt: null, version: order.version + 1 }),
    async cancel({ _id }) {
      const id = _id.toHexString();
      const cancelled = await store.endUnsent(id, reason('cancelled'), false, clock.now());
      if (cancelled) return emitted(cancelled);
      const present = await store.find(id);
      if (present === null) throw new PublicError('not-found');
      if (present.attempts.length > 0) throw new PublicError('already-sent');
      return present;
    },
    async stop(id, failure) {
      // Nothing returns from `sent` to `held`: of the two updates the first or the second one applies to a purchase that is open.
      const stopped = (await store.endUnsent(id, failure, true, clock.now())) ?? (await store.forbidAttempts(id));
      return stopped && emitted(stopped);
    },
  };
}

/** Keeps the tokens of open orders followed by the market: a paper order is computed at a price that has passed. */
interface OrderPins {
  /** Takes an order as it is stored. */
  set(order: Pick<OrderRecord, '_id' | 'open' | 'token'>): void;
}

export function createOrderPins(market: Pick<Market, 'pin' | 'unpin'>): OrderPins {
  const open = new Set<string>();
  return {
    set({ _id, open: isOpen, token: { address } }) {
      const id = _id.toHexString();
      if (isOpen === open.has(id)) return;
      if (isOpen) {
        open.add(id);
        market.pin(address);
      } else {
        open.delete(id);
        market.unpin(address);
      }
    },
  };
}
