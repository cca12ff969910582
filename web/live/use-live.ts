import { useEffect } from 'react';
import { endSession, sessionAtom } from '../auth/session.ts';
import { useAtomValue, useStore } from '../store.ts';
import { liveOf } from './live.ts';

/** Keeps the live feed going while somebody is signed in; once, in the frame around the signed-in pages. */
export function useLive(): void {
  const store = useStore();
  const session = useAtomValue(sessionAtom);
  const userId = session === null || session === 'unknown' ? null : session.id;
  useEffect(() => {
    if (userId === null) return;
    return liveOf(store).start({ onUnauthenticated: () => endSession(store) });
  }, [store, userId]);
}
