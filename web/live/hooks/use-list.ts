import { useEffect } from 'react';
import { useAtomValue } from '../../store.ts';
import { type ListView, type LoadState, listAtoms, loadAtoms } from '../atoms/atoms.ts';
import { useLiveMarket } from '../live.ts';
import { type ListName, listCapacity } from '../model/lists.ts';

export interface UsedList extends ListView, LoadState {
  reload: () => void;
  /** The page after the last row can be loaded. False also when the list has as many rows as it may. */
  hasOlder: boolean;
  loadOlder: () => void;
}

/**
 * Returns a list for a page that shows it: fetched unless in memory, updated by the feed, and polled every `everyMs`
 * while the feed is down (P1).
 */
export function useList(name: ListName, everyMs: number): UsedList {
  const live = useLiveMarket();
  const view = useAtomValue(listAtoms[name]);
  const load = useAtomValue(loadAtoms[name]);
  useEffect(() => {
    const hide = live.shownLists.add(name, everyMs);
    if (live.model.state.lists[name].fetchedAt === null) void live.loader.load(name);
    return hide;
  }, [live, name, everyMs]);
  return {
    ...view,
    ...load,
    reload: () => void live.loader.load(name),
    hasOlder: name === 'all' && view.more && view.addresses.length < listCapacity.all,
    loadOlder: () => void live.loader.loadOlder(),
  };
}
