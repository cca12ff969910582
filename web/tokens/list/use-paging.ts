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
  /** Loads the page after the last row, if it can contain matching tokens. */
  onEnd: () => void;
  /** The filter applies to loaded rows only; the server cannot filter older ones. */
  picking: boolean;
  /** No row passes so far, and older pages are being loaded. */
  lookingOn: boolean;
}

/**
 * Decides when older rows are loaded. `of`: their list, null for a list without pages; `source`: that list; `empty`: no
 * row is shown.
 */
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
  // A page without a matching row changes nothing on screen, so its arrival triggers the next one.
  const looked = picking ? source.addresses.length : 0;
  const full = of !== null && source.addresses.length >= listCapacity[of];
  const blocked = source.olderError !== null;
  const onEnd = useCallback(() => {
    if (of === null || blocked || looked >= listCapacity[of]) return;
    const last = live.model.state.lists.newest.addresses.at(-1);
    const oldest = last === undefined ? undefined : live.model.state.tokens.get(last);
    // Older rows are beyond the hour and thus not new.
    const beyond = oldest !== undefined && !isNew(listedAt(oldest), Date.now() + clockOffset);
    if (of === 'newest' && filter === 'New' && beyond) return;
    void live.loader.loadOlder(of);
  }, [live, filter, of, blocked, looked, clockOffset]);

  const none = picking && empty;
  useEffect(() => {
    // Without rows there is no table that could report its end.
    if (none) onEnd();
  }, [none, onEnd]);
  return { onEnd, picking, lookingOn: none && source.more && !full && !blocked };
}
