import { authCalls } from '../../common/auth/http.ts';
import type { SessionUser } from '../../common/auth/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { atom, queryClientAtom, type Store, useAtomValue } from '../store.ts';

/** Who is here: not known yet, nobody (null), or a user. */
export type Session = 'unknown' | SessionUser | null;

export const sessionAtom = atom<Session>('unknown');

/** The id of who is signed in; null while nobody is, or it is not known. */
export function useUserId(): string | null {
  const session = useAtomValue(sessionAtom);
  return session === null || session === 'unknown' ? null : session.id;
}

/** Whether an administrator is signed in. */
export function useIsAdmin(): boolean {
  const session = useAtomValue(sessionAtom);
  return session !== null && session !== 'unknown' && session.isAdmin;
}

/** Whether whoever was here logged out by themselves, rather than being told that the session is over. */
export const loggedOutAtom = atom(false);

/** Why the session could not be loaded, and since when (epoch ms); null while there is no such problem. */
export const sessionProblemAtom = atom<{ message: string; since: number } | null>(null);

/** Asks the server who is signed in. A 401 means nobody; any other failure leaves the session as it is, with the reason while it is unknown. */
export async function loadSession(store: Store): Promise<void> {
  const message = await refreshSession(store);
  // Who is here stays here while the server can't say otherwise.
  if (message === null || store.get(sessionAtom) !== 'unknown') return;
  const since = store.get(sessionProblemAtom)?.since ?? Date.now();
  store.set(sessionProblemAtom, { message, since });
}

/** The same, for who must know whether the server answered: resolves with the reason why it could not say, else null. */
export async function refreshSession(store: Store): Promise<string | null> {
  try {
    const { data } = await request(authCalls.me);
    const before = store.get(sessionAtom);
    // Another tab signed in somebody else: what the user before was shown is forgotten.
    if (before !== 'unknown' && before?.id !== data.id) store.get(queryClientAtom).clear();
    store.set(sessionProblemAtom, null);
    store.set(loggedOutAtom, false);
    store.set(sessionAtom, data);
    return null;
  } catch (reason) {
    if (reason instanceof HttpError && reason.status === 401) {
      store.set(sessionProblemAtom, null);
      endSession(store);
      return null;
    }
    return reason instanceof Error ? reason.message : String(reason);
  }
}

/** Someone signed in: whatever the visitor before was shown is forgotten. */
export function startSession(store: Store, user: SessionUser): void {
  store.get(queryClientAtom).clear();
  store.set(loggedOutAtom, false);
  store.set(sessionAtom, user);
}

/**
 * Nobody is signed in any more, by logout or because the server said so (a 401, or the socket's `unauthenticated`).
 * Protected routes then lead to /auth, save the one that shows itself what this means (frame/protected.tsx).
 */
export function endSession(store: Store): void {
  store.set(sessionAtom, null);
  store.get(queryClientAtom).clear();
}
