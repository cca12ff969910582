import { useLayoutEffect } from 'react';
import { endSession, loadSession, sessionAtom, useUserId } from '../../auth/session.ts';
import { useStore } from '../../store.ts';
import { liveOf } from '../live.ts';

/** Runs the live feed while a user is signed in. Called once, around the signed-in pages. */
export function useLive(): void {
  const store = useStore();
  const userId = useUserId();
  // Before the effects of the pages, in which their queries begin: these wait for the rooms.
  useLayoutEffect(() => {
    if (userId === null) return;
    return liveOf(store).start({
      onUnauthenticated: () => endSession(store),
      // The cookie is shared by all tabs: another user may have signed in, for whom the feed starts over.
      onEnded: () => loadSession(store),
      // What changed while the connection was down has no event.
      onAdmitted(user) {
        const session = store.get(sessionAtom);
        if (session === null || session === 'unknown') return;
        if (session.id !== user.id || session.isAdmin !== user.isAdmin) void loadSession(store);
      },
    });
  }, [store, userId]);
}
