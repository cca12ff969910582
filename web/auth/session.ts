import { authCalls } from '../../common/auth/http.ts';
import type { SessionUser } from '../../common/auth/model.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { atom, queryClientAtom, type Store, useAtomValue } from '../store.ts';

/** Session: not known yet, signed out (null), or a user. */
export type Session = 'unknown' | SessionUser | null;

export const sessionAtom = atom<Session>('unknown');

/** Returns the id of the signed-in user; null when signed out or unknown. */
export function useUserId(): string | null {
  const session = useAtomValue(sessionAtom);
  return session === null || session === 'unknown' ? null : session.id;
}

/** Returns whether an administrator is signed in. */
export function useIsAdmin(): boolean {
  const session = useAtomValue(sessionAtom);
  return session !== null && session !== 'unknown' && session.isAdmin;
}

/** Returns whether the signed-in user has two-step login on. */
export function useHasSecondFactor(): boolean {
  const session = useAtomValue(sessionAtom);
  return session !== null && session !== 'unknown' && session.hasSecondFactor;
}

/** Whether the session ended by a logout here, rather than on the server. */
export const loggedOutAtom = atom(false);

/** Error of loading the session, with its start (epoch ms); null without an error. */
export const sessionProblemAtom = atom<{ message: string; since: number } | null>(null);

/**
 * Loads the session from the server. A 401 means signed out; another failure leaves the session unchanged, and sets the
 * error while it is unknown.
 */
export async function loadSession(store: Store): Promise<void> {
  const message = await refreshSession(store);
  // A known session stays until the server responds.
  if (message === null || store.get(sessionAtom) !== 'unknown') return;
  const since = store.get(sessionProblemAtom)?.since ?? Date.now();
  store.set(sessionProblemAtom, { message, since });
}

/** Loads the session likewise. Resolves with the error text when that failed, otherwise with null. */
export async function refreshSession(store: Store): Promise<string | null> {
  try {
    const { data } = await request(authCalls.me);
    const before = store.get(sessionAtom);
    // Another tab signed in as another user: cached data of the previous one is dropped.
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

/** Starts a user's session. Drops cached data of the previous visitor. */
export function startSession(store: Store, user: SessionUser): void {
  store.get(queryClientAtom).clear();
  store.set(loggedOutAtom, false);
  store.set(sessionAtom, user);
}

/**
 * Ends the session, after a logout, a 401 or the socket's `unauthenticated`. Protected routes then lead to /auth,
 * except one (app/guards.tsx).
 */
export function endSession(store: Store): void {
  store.set(sessionAtom, null);
  store.get(queryClientAtom).clear();
}
