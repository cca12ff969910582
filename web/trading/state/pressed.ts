import { atom, type Store } from '../../store.ts';
import { type Keyed, withLatest, without } from './versions.ts';

/** Tokens whose latest trade by a button is kept. */
const KEPT_MAX = 200;

/** The latest trade of a token by a button. */
export interface Pressed {
  /** Which button was pressed, such as `buy 50000000`. */
  button: string;
  /** Null until the server has responded. */
  orderId: string | null;
  /** Why it was refused, or that no response came (`isLost`); null otherwise. */
  failure: { text: string; isLost: boolean } | null;
}

/** Latest trades by address, the newest last. */
export const pressedAtom = atom<Keyed<Pressed>>(new Map());

export function setPressed(store: Store, address: string, pressed: Pressed): void {
  store.set(pressedAtom, (known) => withLatest(known, address, pressed, KEPT_MAX));
}

export function clearPressed(store: Store, address: string): void {
  store.set(pressedAtom, (known) => without(known, address));
}
