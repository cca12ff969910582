import { useEffect } from 'react';
import { rooms } from '../../common/live/rooms.ts';
import { useUserId } from '../auth/session.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { useLiveMarket } from '../live/live.ts';
import { queryClientAtom, useAtomValue, useStore } from '../store.ts';
import { applyUserData, refreshUserData, userKeys } from './apply.ts';

/** Keeps the user's own data in step with what other tabs, the server and the chain do; once, around the signed-in pages. */
export function useUserFeed(): void {
  const store = useStore();
  const live = useLiveMarket();
  const userId = useUserId();
  const phase = useAtomValue(linkAtom).phase;

  useEffect(() => {
    if (userId === null) return;
    const client = store.get(queryClientAtom);
    const leave = live.topics.join(rooms.user(userId));
    const stop = live.listen({
      userData: (change) => applyUserData(client, userId, change),
      transaction: () => void client.invalidateQueries({ queryKey: userKeys.transactions(userId) }),
    });
    return () => {
      stop();
      leave();
    };
  }, [store, live, userId]);

  // These events have no numbers: whatever happened before the room was joined is only found out by asking.
  useEffect(() => {
    if (userId !== null && phase === 'live') refreshUserData(store.get(queryClientAtom), userId);
  }, [store, userId, phase]);
}
