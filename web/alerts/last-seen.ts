import { z } from 'zod';
import { sessionAtom } from '../auth/session.ts';
import { atom } from '../store.ts';

const KEY = 'mintwatch-alerts-seen';
/** Number of users remembered per browser, the most recent ones. */
const USERS_MAX = 20;

/** User id and time of the newest alert the user has seen, epoch ms; most recent first. */
const lastSeenSchema = z.array(z.tuple([z.string(), z.number()]));
type LastSeen = z.infer<typeof lastSeenSchema>;

function readStorage(): LastSeen {
  try {
    const parsed = lastSeenSchema.safeParse(JSON.parse(localStorage.getItem(KEY) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return []; // storage may be forbidden or corrupt; all alerts then count as unseen
  }
}

const lastSeenAtom = atom(readStorage());
lastSeenAtom.onMount = (set) => {
  // Another tab may have written since the page was loaded, and may write at any time.
  set(readStorage());
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) set(readStorage());
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
};

/** Time of the newest alert that the signed-in user has seen in this browser, epoch ms. */
export const alertsSeenAtom = atom(
  (get) => {
    const session = get(sessionAtom);
    const id = session === null || session === 'unknown' ? null : session.id;
    return get(lastSeenAtom).find(([user]) => user === id)?.[1] ?? 0;
  },
  (get, set, at: number) => {
    const session = get(sessionAtom);
    if (session === null || session === 'unknown') return;
    const others = get(lastSeenAtom).filter(([user]) => user !== session.id);
    const current: LastSeen[number] = [session.id, at];
    const lastSeen = [current, ...others].slice(0, USERS_MAX);
    set(lastSeenAtom, lastSeen);
    try {
      localStorage.setItem(KEY, JSON.stringify(lastSeen));
    } catch {
      // Storage is forbidden, so the value lasts until the page is closed.
    }
  },
);
