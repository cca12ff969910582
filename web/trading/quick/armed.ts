import { atom, type Store } from '../../store.ts';

/** Time without a trade after which quick trade switches itself off, ms. */
export const ARMED_MS = 60_000;

/** Attribute of a button that trades: the time of the last change of its action, ms of the page's clock. */
export const CHANGED_AT = 'data-changed-at';

/** Trades since quick trade was switched on; null while it is off. */
export const armedTradesAtom = atom<number | null>(null);

/** Whether rows have buttons and keys that trade. */
export const isArmedAtom = atom((get) => get(armedTradesAtom) !== null);

export function arm(store: Store): void {
  store.set(armedTradesAtom, (trades) => trades ?? 0);
}

export function disarm(store: Store): void {
  store.set(armedTradesAtom, null);
}

/** Restarts the time without a trade; changes nothing while quick trade is off. */
export function keepArmed(store: Store): void {
  store.set(armedTradesAtom, (trades) => (trades === null ? null : trades + 1));
}
