import { atom } from '../../store.ts';

const TICK_MS = 1_000;

/** Epoch ms by the browser's clock, updated once a second while mounted: the one clock of all ages on screen. */
export const clockAtom = atom(Date.now());
clockAtom.onMount = (set) => {
  set(Date.now());
  const timer = setInterval(() => set(Date.now()), TICK_MS);
  return () => clearInterval(timer);
};

/** Lead of the server's clock over the browser's, ms; set at every hello. */
export const clockOffsetAtom = atom(0);

/** Epoch ms by the server's clock, which stamped every creation and update. */
export const serverClockAtom = atom((get) => get(clockAtom) + get(clockOffsetAtom));
