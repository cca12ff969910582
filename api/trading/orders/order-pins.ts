import type { Market } from '../../market/market.ts';
import type { OrderRecord } from './record.ts';

/** Keeps the tokens of open orders followed by the market: a paper order is computed at a price that has passed. */
export interface OrderPins {
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
