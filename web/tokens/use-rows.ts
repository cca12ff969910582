import { useMemo, useRef } from 'react';
import type { Token } from '../../common/tokens/model.ts';
import { compareRanks, type Rank, rankOf } from '../../common/tokens/order.ts';
import { listAtoms } from '../live/atoms/atoms.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useLiveMarket } from '../live/live.ts';
import { compareListed } from '../live/model/lists.ts';
import { atom, useAtomValue, useStore } from '../store.ts';
import type { Controls } from './list/controls.ts';
import { matches, passes } from './list/filters.ts';

/** Stands in for the clock where rows do not depend on time. */
const stillAtom = atom(0);

/**
 * Returns the tokens that the choices show, newest first: without any the loaded ones of the list of all tokens, otherwise
 * every known one that passes, down to `border`, the last place that the server has sent (null: all). Where figures decide,
 * they are evaluated once a second rather than at every update, so that rows do not jump.
 */
export function useRows({ filter, text, sort, order }: Controls, isPlain: boolean, border: Rank | null) {
  const live = useLiveMarket();
  const store = useStore();
  const newest = useAtomValue(listAtoms.newest).addresses;
  const found = useAtomValue(listAtoms.search).addresses;
  const followsFigures = sort !== 'detected' || filter !== 'All';
  const now = useAtomValue(followsFigures ? serverClockAtom : stillAtom);
  const last = useRef<readonly Token[]>([]);
  return useMemo(() => {
    const isShown = (token: Token) =>
      passes(filter, token, now) &&
      matches(token, text) &&
      (border === null || compareRanks(rankOf(token, sort), border, order) <= 0);
    const tokens: Token[] = [];
    for (const address of isPlain ? newest : new Set([...found, ...live.model.state.tokens.keys()])) {
      // As the rows show it: the model may be a frame ahead.
      const token = store.get(live.tokens.atom(address));
      if (token !== null && (isPlain || isShown(token))) tokens.push(token);
    }
    tokens.sort(compareListed);
    const same = tokens.length === last.current.length && tokens.every((token, at) => token === last.current[at]);
    if (!same) last.current = tokens;
    return last.current;
  }, [live, store, newest, found, isPlain, filter, text, sort, order, border, now]);
}
