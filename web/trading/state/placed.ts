import { tradingCalls } from '../../../common/trading/http.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import type { NewOrder, Order } from '../../../common/trading/order.ts';
import { request } from '../../http/client.ts';
import { HttpError } from '../../http/error.ts';
import { atom, type Store } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { orderToast } from '../order/order-text.ts';
import { receivedOrdersAtom, receiveOrder } from './received.ts';

/** Ids of orders placed by this tab whose end has not been shown. */
const placedAtom = atom<ReadonlySet<string>>(new Set<string>());

/** Creates the id of a new order: all requests with the same id are one order. */
export function newClientId(): string {
  return crypto.randomUUID();
}

/**
 * Places an order and shows its end in a toast. A call whose answer was lost is repeated once: it has the same `clientId`,
 * so it is the same order. Rejects with `HttpError`.
 */
export async function placeOrder(store: Store, body: NewOrder): Promise<Order> {
  const order = await createOrder(body);
  store.set(placedAtom, (ids) => new Set(ids).add(order.id));
  receiveOrder(store, order);
  // An event may have arrived before the response.
  showEnd(store, store.get(receivedOrdersAtom).get(order.id) ?? order);
  return order;
}

async function createOrder(body: NewOrder): Promise<Order> {
  try {
    return (await request(tradingCalls.createOrder, { body })).data;
  } catch (reason) {
    const isLost = reason instanceof HttpError && reason.status === 0;
    if (!isLost) throw reason;
    return (await request(tradingCalls.createOrder, { body })).data;
  }
}

/** Shows the end of an order that this tab has placed, once. */
export function showEnd(store: Store, order: Order): void {
  if (!store.get(placedAtom).has(order.id)) return;
  const message = orderToast(order);
  if (message === null) return;
  if (isFinal(order.status)) store.set(placedAtom, (ids) => new Set([...ids].filter((id) => id !== order.id)));
  toast(message);
}

/** Fetches the placed orders that are not over, for the time without events. Failures are ignored: the next call repeats it. */
export async function refreshPlaced(store: Store): Promise<void> {
  const fetches = [...store.get(placedAtom)].map(async (id) => {
    const { data } = await request(tradingCalls.order, { params: { id } });
    receiveOrder(store, data);
    showEnd(store, data);
  });
  await Promise.allSettled(fetches);
}

/** Forgets the placed orders, when another user signs in. */
export function forgetPlaced(store: Store): void {
  store.set(placedAtom, new Set<string>());
}
