import { useEffect } from 'react';
import { useAtomValue } from '../../store.ts';
import { type ListView, type LoadState, listAtoms, loadAtoms } from '../atoms/atoms.ts';
import { useLiveMarket } from '../live.ts';
import type { ListName } from '../model/lists.ts';

export interface UsedList extends ListView, LoadState {
  reload: () => void;
}

/**
 * Returns a list for a page that shows it: fetched unless in memory, updated by the feed, and polled every `everyMs`
 * while the feed is down (P1).
 */
export function useList(name: Exclude<ListName, 'chosen'>, everyMs: number): UsedList {
  const live = useLiveMarket();
  const view = useAtomValue(listAtoms[name]);
  const load = useAtomValue(loadAtoms[name]);
  useEffect(() => {
    const hide = live.shownLists.add(name, everyMs);
    if (live.model.state.lists[name].fetchedAt === null) void live.loader.load(name);
    return hide;
  }, [live, name, everyMs]);
  return { ...view, ...load, reload: () => void live.loader.load(name) };
}
