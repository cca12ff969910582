import { tradingCalls } from '../../../common/trading/http.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import type { Order } from '../../../common/trading/order.ts';
import { request } from '../../http/client.ts';
import { errorText } from '../../http/error.ts';
import { atom, type Store } from '../../store.ts';
import { toast } from '../../ui/toast-store.ts';
import { orderToast } from '../order/order-text.ts';
import {
  clientIdOf,
  forgetClientId,
  forgetClientIds,
  isLost,
  isRefused,
  keepClientId,
  type NewTrade,
} from './client-ids.ts';
import { receivedOrdersAtom, receiveOrder } from './trading.ts';

/** Ids of orders placed by this tab whose end has not been shown. */
const placedAtom = atom<ReadonlySet<string>>(new Set<string>());

/** Delay before a call whose response was lost is repeated, ms: a short outage may be over by then. */
const REPEAT_AFTER_MS = 500;

const NO_ANSWER = 'No answer. Press again: that makes no second order.';

/**
 * Places an order and shows its end in a toast. A call whose response was lost is repeated once, and the next call for the same
 * trade has the same `clientId`, so that it is the same order. Rejects with `HttpError`.
 */
export async function placeOrder(store: Store, trade: NewTrade): Promise<Order> {
  const order = await createOrder(store, trade);
  store.set(placedAtom, (ids) => new Set(ids).add(order.id));
  receiveOrder(store, order);
  // An event may have arrived before the response.
  showEnd(store, store.get(receivedOrdersAtom).get(order.id) ?? order);
  return order;
}

/** Returns the text of a failed `placeOrder`: one whose response was lost may have made an order. */
export function placeErrorText(reason: unknown): string {
  return isLost(reason) ? NO_ANSWER : errorText(reason);
}

async function createOrder(store: Store, trade: NewTrade): Promise<Order> {
  const clientId = clientIdOf(store, trade);
  const call = async () => (await request(tradingCalls.createOrder, { body: { ...trade, clientId } })).data;
  try {
    const order = await call().catch(async (reason: unknown) => {
      if (!isLost(reason)) throw reason;
      keepClientId(store, trade, clientId);
      await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS));
      return call();
    });
    forgetClientId(store, trade);
    return order;
  } catch (reason) {
    if (isRefused(reason)) forgetClientId(store, trade);
    throw reason;
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
  forgetClientIds(store);
}
