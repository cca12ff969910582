import { useEffect } from 'react';
import { endSession, loadSession, useUserId } from '../../auth/session.ts';
import { useStore } from '../../store.ts';
import { liveOf } from '../live.ts';

/** Keeps the live feed going while somebody is signed in; once, in the frame around the signed-in pages. */
export function useLive(): void {
  const store = useStore();
  const userId = useUserId();
  useEffect(() => {
    if (userId === null) return;
    return liveOf(store).start({
      onUnauthenticated: () => endSession(store),
      // The cookie belongs to all tabs: somebody else may be here now, for whom everything starts anew.
      onEnded: () => loadSession(store),
    });
  }, [store, userId]);
}
