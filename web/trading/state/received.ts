import type { TradingAccount } from '../../../common/trading/account.ts';
import { isFinal } from '../../../common/trading/machine.ts';
import type { Order } from '../../../common/trading/order.ts';
import type { Position, PositionValue } from '../../../common/trading/position.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { atom, type Store } from '../../store.ts';
import { pressedAtom } from './pressed.ts';
import { type Keyed, newestOf, withNewest, without } from './versions.ts';

/** Orders and positions kept from events. A fetch after a reconnect covers older ones. */
const KEPT_MAX = 500;

/** Changes received by events, and by responses to changes. Lists that were fetched are shown with these changes. */
export const receivedOrdersAtom = atom<Keyed<Order>>(new Map());
export const receivedPositionsAtom = atom<Keyed<Position>>(new Map());
export const receivedValuesAtom = atom<Keyed<PositionValue>>(new Map());
export const receivedAccountAtom = atom<TradingAccount | null>(null);
/** Latest report of a stop; null before the first. */
export const receivedReportAtom = atom<StopReport | null>(null);

export function receiveOrder(store: Store, order: Order): void {
  store.set(receivedOrdersAtom, (known) => withNewest(known, order, KEPT_MAX));
}

export function receivePosition(store: Store, position: Position): void {
  store.set(receivedPositionsAtom, (known) => withNewest(known, position, KEPT_MAX));
  if (position.status !== 'closed') return;
  store.set(receivedValuesAtom, (known) => without(known, position.id));
}

/** Applies new values of open positions; each one is newer than those before. */
export function receiveValues(store: Store, values: readonly { id: string; value: PositionValue }[]): void {
  store.set(receivedValuesAtom, (known) => new Map([...known, ...values.map(({ id, value }) => [id, value] as const)]));
}

export function receiveAccount(store: Store, account: TradingAccount): void {
  // The same version may have a newer budget.
  store.set(receivedAccountAtom, (known) => newestOf(account, known));
}

export function receiveReport(store: Store, report: StopReport): void {
  store.set(receivedReportAtom, (known) => newestReport(report, known));
}

/** Returns the report of the later stop; of one stop, the one with the higher version. */
export function newestReport(report: StopReport, other: StopReport | null | undefined): StopReport {
  if (other == null) return report;
  return report.at === other.at ? newestOf(report, other) : report.at > other.at ? report : other;
}

/** Forgets everything, when another user signs in. */
export function forgetReceived(store: Store): void {
  store.set(receivedOrdersAtom, new Map());
  store.set(receivedPositionsAtom, new Map());
  store.set(receivedValuesAtom, new Map());
  store.set(receivedAccountAtom, null);
  store.set(receivedReportAtom, null);
  store.set(pressedAtom, new Map());
}

/** Returns whether an order waits for the chain or for its turn. */
export function isPending(order: Order): boolean {
  return !isFinal(order.status);
}
