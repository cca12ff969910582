import { z } from 'zod';
import { sessionAtom } from '../auth/session.ts';
import { atom } from '../store.ts';

const KEY = 'mintwatch-alerts-seen';
/** Users of one browser that are remembered, those who looked last. */
const USERS_MAX = 20;

/** User id, and the time of the newest alert this user has looked at, epoch ms. The latest look is first. */
const looksSchema = z.array(z.tuple([z.string(), z.number()]));
type Looks = z.infer<typeof looksSchema>;

function stored(): Looks {
  try {
    const parsed = looksSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return []; // storage may be forbidden or hold anything: then everything counts as new until the next look
  }
}

const looksAtom = atom(stored());
looksAtom.onMount = (set) => {
  // Another page may have written meanwhile, and another tab may at any time.
  set(stored());
  const follow = (event: StorageEvent) => {
    if (event.key === KEY) set(stored());
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
};

/** Time of the newest alert that who is signed in has looked at in this browser, epoch ms. */
export const alertsSeenAtom = atom(
  (get) => {
    const session = get(sessionAtom);
    const id = session === null || session === 'unknown' ? null : session.id;
    return get(looksAtom).find(([user]) => user === id)?.[1] ?? 0;
  },
  (get, set, at: number) => {
    const session = get(sessionAtom);
    if (session === null || session === 'unknown') return;
    const others = get(looksAtom).filter(([user]) => user !== session.id);
    const own: Looks[number] = [session.id, at];
    const looks = [own, ...others].slice(0, USERS_MAX);
    set(looksAtom, looks);
    try {
      localStorage.setItem(KEY, JSON.stringify(looks));
    } catch {
      // Forbidden storage: remembered until the page goes.
    }
  },
);
