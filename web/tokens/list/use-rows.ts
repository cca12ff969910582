import { useMemo, useRef } from 'react';
import { judgeFilter, parseFilter } from '../../../common/tokens/filters.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { compareRanks, type Rank, rankOf } from '../../../common/tokens/order.ts';
import { serverClockAtom } from '../../live/atoms/clock.ts';
import { rateAtom } from '../../live/atoms/unit.ts';
import { useLiveMarket } from '../../live/live.ts';
import { compareListed } from '../../live/model/lists.ts';
import { atom, useAtomValue, useStore } from '../../store.ts';
import type { Controls } from './controls.ts';
import { matches, passes } from './filters.ts';

/** Stands in for the clock where rows do not depend on time. */
const stillAtom = atom(0);

/** The part of a list that the server has sent. */
interface Sent {
  addresses: readonly string[];
  /** Its last place; null when it is all. */
  border: Rank | null;
  /** It has every token that the choices show: no other is looked for. */
  whole?: boolean;
}

/**
 * Returns the tokens that the choices show, newest first: those of the server's list and every other known one that passes,
 * down to the end of that list. Figures and newcomers are evaluated once a second rather than at every update, so that rows do
 * not jump.
 */
export function useRows({ filter, text, sort, order, limits }: Controls, sent: Sent): readonly Token[] {
  const { addresses, border, whole = false } = sent;
  const live = useLiveMarket();
  const store = useStore();
  const parsed = useMemo(() => parseFilter(limits), [limits]);
  const solUsd = useAtomValue(rateAtom);
  const now = useAtomValue(whole ? stillAtom : serverClockAtom);
  const last = useRef<readonly Token[]>([]);
  return useMemo(() => {
    const isShown = (token: Token) =>
      passes(filter, token, now) &&
      matches(token, text) &&
      judgeFilter(parsed, token, { now, solUsd }) === 'match' &&
      (border === null || compareRanks(rankOf(token, sort), border, order) <= 0);
    const tokens: Token[] = [];
    for (const address of whole ? addresses : new Set([...addresses, ...live.model.state.tokens.keys()])) {
      // As the rows show it: the model may be a frame ahead.
      const token = store.get(live.tokens.atom(address));
      if (token !== null && (whole || isShown(token))) tokens.push(token);
    }
    tokens.sort(compareListed);
    const same = tokens.length === last.current.length && tokens.every((token, at) => token === last.current[at]);
    if (!same) last.current = tokens;
    return last.current;
  }, [live, store, addresses, whole, filter, text, parsed, solUsd, sort, order, border, now]);
}
