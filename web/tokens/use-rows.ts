import { useMemo, useRef } from 'react';
import type { Token } from '../../common/tokens/model.ts';
import { serverClockAtom } from '../live/atoms/clock.ts';
import { useLiveMarket } from '../live/live.ts';
import { compareListed } from '../live/model/lists.ts';
import { atom, useAtomValue } from '../store.ts';
import { type FilterName, matches, passes } from './list/filters.ts';

/** Stands in for the clock where rows do not depend on time. */
const stillAtom = atom(0);

/**
 * Returns the tokens of `addresses` that pass the filter and match the text, newest first. With `values`, figures
 * decide about rows or their order: they are evaluated once a second rather than at every update, so that rows do not
 * jump.
 */
export function useRows(
  addresses: readonly string[],
  { filter, text, values }: { filter: FilterName; text: string; values: boolean },
): readonly Token[] {
  const { model } = useLiveMarket();
  const now = useAtomValue(values ? serverClockAtom : stillAtom);
  const last = useRef<readonly Token[]>([]);
  return useMemo(() => {
    const found = addresses
      .flatMap((address) => model.state.tokens.get(address) ?? [])
      .filter((token) => passes(filter, token, now) && matches(token, text))
      .sort(compareListed);
    const same = found.length === last.current.length && found.every((token, at) => token === last.current[at]);
    if (!same) last.current = found;
    return last.current;
  }, [model, addresses, filter, text, now]);
}
