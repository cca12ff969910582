import type { NewOrder } from '../../../common/trading/order.ts';
import { HttpError } from '../../http/error.ts';
import { atom, type Store } from '../../store.ts';
import { type Keyed, withLatest, without } from './versions.ts';

/** Trades without a response whose ids are kept. */
const KEPT_MAX = 200;

/** A request for an order before it has its id. */
export type NewTrade = Omit<NewOrder, 'clientId'>;

/** Ids of the trades whose response was lost, by what they ask for. */
const lostIdsAtom = atom<Keyed<string>>(new Map());

/**
 * Returns the id of an order: a new one, or that of the same trade while it is unknown whether the server has it. All requests
 * with the same id are one order.
 */
export function clientIdOf(store: Store, trade: NewTrade): string {
  return store.get(lostIdsAtom).get(keyOf(trade)) ?? crypto.randomUUID();
}

/** Keeps the id of a trade whose response was lost. */
export function keepClientId(store: Store, trade: NewTrade, clientId: string): void {
  store.set(lostIdsAtom, (known) => withLatest(known, keyOf(trade), clientId, KEPT_MAX));
}

/** Forgets the id of a trade that has a response: the next press is another order. */
export function forgetClientId(store: Store, trade: NewTrade): void {
  store.set(lostIdsAtom, (known) => without(known, keyOf(trade)));
}

/** Forgets all ids, when another user signs in. */
export function forgetClientIds(store: Store): void {
  store.set(lostIdsAtom, new Map());
}

/** Returns whether a failed call leaves open if the server has the order: no whole response, or a failure of the server. */
export function isLost(reason: unknown): boolean {
  // Another error is a response that broke off.
  return !(reason instanceof HttpError) || reason.status < 400 || reason.status >= 500;
}

/** Statuses of requests that were refused before the server has looked for the order: the session, and too many requests. */
const unread: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** Returns whether a call failed because there is no order with its id. */
export function isRefused(reason: unknown): boolean {
  return !isLost(reason) && reason instanceof HttpError && !unread.has(reason.status);
}

/** The whole request, except for the parts that change with each quote: with them, a second press would make a second order. */
function keyOf(trade: NewTrade): string {
  return JSON.stringify({ ...trade, least: undefined, accept: undefined });
}
