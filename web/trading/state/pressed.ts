import { atom, type Store } from '../../store.ts';

/** Tokens whose latest trade by a button is kept. */
const KEPT_MAX = 200;

/** The latest trade of a token by a button. */
export interface Pressed {
  /** Which button was pressed, such as `buy 50000000`. */
  button: string;
  /** Null until the server has answered. */
  orderId: string | null;
  /** Why it was refused, or that no answer came (`isLost`); null otherwise. */
  failure: { text: string; isLost: boolean } | null;
}

/** Latest trades by address, the newest last. */
export const pressedAtom = atom<ReadonlyMap<string, Pressed>>(new Map());

export function setPressed(store: Store, address: string, pressed: Pressed): void {
  store.set(
    pressedAtom,
    (known) => new Map([...without(known, address), [address, pressed] as const].slice(-KEPT_MAX)),
  );
}

export function clearPressed(store: Store, address: string): void {
  store.set(pressedAtom, (known) => new Map(without(known, address)));
}

function without(known: ReadonlyMap<string, Pressed>, address: string): [string, Pressed][] {
  return [...known].filter(([one]) => one !== address);
}
