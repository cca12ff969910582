import { reason } from '../../../common/trading/reasons.ts';
import type { OrderStore, Orders } from '../orders/store.ts';

/** Purchases at a block: the number cancelled before they were sent, and the ids (hexadecimal) of sent ones. */
export interface BlockedOrders {
  cancelled: number;
  out: string[];
}

/**
 * Ends all signing for purchases of a user, or of all users (null), whose account takes no more holds by now (O6): unsent
 * purchases are cancelled, and sent ones make no further attempt. A purchase that is stored meanwhile gets no hold.
 */
export async function blockPurchases(
  userId: string | null,
  deps: {
    store: Pick<OrderStore, 'stoppable' | 'outIds'>;
    orders: Pick<Orders, 'stop'>;
    /** Has the worker read an order again. */
    wake(orderId: string): void;
  },
): Promise<BlockedOrders> {
  const found = await deps.store.stoppable(userId);
  const failure = reason(userId === null ? 'stopped-all' : 'stopped');
  const stopped = await Promise.all(found.map(({ _id }) => deps.orders.stop(_id.toHexString(), failure)));
  for (const order of stopped) if (order) deps.wake(order._id.toHexString());
  const cancelled = stopped.filter((order) => order?.status === 'cancelled').length;
  return { cancelled, out: await deps.store.outIds(userId) };
}
