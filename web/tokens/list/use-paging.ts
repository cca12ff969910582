import { useCallback, useEffect } from 'react';
import { isNew } from '../../../common/tokens/lists.ts';
import type { ListView, LoadState } from '../../live/atoms/atoms.ts';
import { clockOffsetAtom } from '../../live/atoms/clock.ts';
import { useLiveMarket } from '../../live/live.ts';
import { listCapacity, listedAt } from '../../live/model/lists.ts';
import { useAtomValue } from '../../store.ts';
import type { FilterName } from './filters.ts';
import type { RowsOf } from './list-page-notes.tsx';

export interface Paging {
  /** Fetches the page after the last row, if there is a point in it. */
  onEnd: () => void;
  /** Only some of the loaded rows pass, and the server can't say which older ones would. */
  picking: boolean;
  /** No row passes so far, and older pages are still being looked at. */
  lookingOn: boolean;
}

/** When older rows are fetched. `of`: the list they belong to, null where the list comes whole; `source`: that list; `empty`: no row is shown. */
export function usePaging(given: {
  of: RowsOf | null;
  source: ListView & LoadState;
  filter: FilterName;
  empty: boolean;
}): Paging {
  const { of, source, filter, empty } = given;
  const live = useLiveMarket();
  const clockOffset = useAtomValue(clockOffsetAtom);
  const picking = of !== null && (filter === 'Risky' || filter === 'Safe');
  // A page without a row that passes changes nothing on screen: that it arrived is what asks for the next one.
  const looked = picking ? source.addresses.length : 0;
  const full = of !== null && source.addresses.length >= listCapacity[of];
  const blocked = source.olderError !== null;
  const onEnd = useCallback(() => {
    if (of === null || blocked || looked >= listCapacity[of]) return;
    const last = live.model.state.lists.newest.addresses.at(-1);
    const oldest = last === undefined ? undefined : live.model.state.tokens.get(last);
    // What is beyond the hour is not new, so there is nothing to find further back.
    const beyond = oldest !== undefined && !isNew(listedAt(oldest), Date.now() + clockOffset);
    if (of === 'newest' && filter === 'New' && beyond) return;
    void live.loader.loadOlder(of);
  }, [live, filter, of, blocked, looked, clockOffset]);

  const none = picking && empty;
  useEffect(() => {
    // Without a row there is no table whose end could come near.
    if (none) onEnd();
  }, [none, onEnd]);
  return { onEnd, picking, lookingOn: none && source.more && !full && !blocked };
}
