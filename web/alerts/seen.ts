import { atom } from '../store.ts';

const KEY = 'mintwatch-alerts-seen';

function stored(): number {
  try {
    return Number(localStorage.getItem(KEY)) || 0;
  } catch {
    return 0; // storage may be forbidden: then everything counts as new until the next look
  }
}

const seenAtom = atom(stored());

/** Time of the newest alert the user has looked at in this browser, epoch ms. */
export const alertsSeenAtom = atom(
  (get) => get(seenAtom),
  (_get, set, at: number) => {
    set(seenAtom, at);
    try {
      localStorage.setItem(KEY, String(at));
    } catch {
      // Forbidden storage: remembered until the page goes.
    }
  },
);
