import { useEffect } from 'react';
import { useUserId } from '../auth/session.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { useLiveMarket } from '../live/live.ts';
import { queryClientAtom, type Store, useAtomValue, useStore } from '../store.ts';
import { forgetDecisions, receiveDecision } from './received.ts';
import { applyLastAnswer, decisionKeys } from './use-decisions.ts';

/** Applies events about the user's plans. Called once, around the signed-in pages, which join the user's room. */
export function useDecisionFeed(): void {
  const store = useStore();
  const live = useLiveMarket();
  const userId = useUserId();
  const isLive = useAtomValue(linkAtom).phase === 'live';

  useEffect(() => {
    if (userId === null) return;
    const ends = [
      live.on('decision', (decision) => {
        receiveDecision(store, decision);
        applyLastAnswer(store, decision);
      }),
      live.on('position', ({ origin }) => {
        if (origin.kind !== 'manual') refetch(store, decisionKeys.results);
      }),
      live.onResync(() => refetchAll(store)),
    ];
    return () => {
      for (const end of ends) end();
      forgetDecisions(store);
    };
  }, [store, live, userId]);

  // These events have no numbers: changes from before the room was joined are only found by a fetch.
  useEffect(() => {
    if (userId !== null && isLive) refetchAll(store);
  }, [store, userId, isLive]);
}

function refetchAll(store: Store): void {
  for (const key of Object.values(decisionKeys)) refetch(store, key);
}

function refetch(store: Store, queryKey: readonly string[]): void {
  void store.get(queryClientAtom).invalidateQueries({ queryKey: [...queryKey] }, { cancelRefetch: false });
}
