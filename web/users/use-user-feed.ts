import { useEffect } from 'react';
import { rooms } from '../../common/live/rooms.ts';
import { useUserId } from '../auth/session.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { useLiveMarket } from '../live/live.ts';
import { queryClientAtom, useAtomValue, useStore } from '../store.ts';
import { applyUserData, refreshUserData, userKeys } from './user-cache.ts';

/** Applies changes of the user's data by other tabs, the server and the chain. Called once, around the signed-in pages. */
export function useUserFeed(): void {
  const store = useStore();
  const live = useLiveMarket();
  const userId = useUserId();
  const phase = useAtomValue(linkAtom).phase;

  useEffect(() => {
    if (userId === null) return;
    const client = store.get(queryClientAtom);
    const ends = [
      live.on('user-data', (change) => applyUserData(client, userId, change)),
      live.on('transaction', () => void client.invalidateQueries({ queryKey: userKeys.transactions(userId) })),
      live.topics.join(rooms.user(userId)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [store, live, userId]);

  // These events have no numbers: changes from before the room was joined are only found by a fetch.
  useEffect(() => {
    if (userId !== null && phase === 'live') refreshUserData(store.get(queryClientAtom), userId);
  }, [store, userId, phase]);
}
