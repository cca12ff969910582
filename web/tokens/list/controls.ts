import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { type ListChoice, listChoiceSchema, SEARCH_MAX } from '../../../common/tokens/http.ts';
import type { SortField, SortOrder } from '../../../common/tokens/order.ts';
import { type FilterName, filterOf, nameOfFilter } from './filters.ts';

/** Choices of the list page. */
export interface Controls {
  filter: FilterName;
  /** Content of the search box. */
  text: string;
  sort: SortField;
  order: SortOrder;
}

export const defaultControls: Controls = { filter: 'All', text: '', sort: 'detected', order: 'desc' };

/** Returns the choices from the page's address; a value that it does not know counts as the default. */
function readControls(params: URLSearchParams): Controls {
  const { filter, sort, order } = listChoiceSchema.shape;
  return {
    filter: nameOfFilter(filter.safeParse(params.get('filter')).data),
    text: (params.get('q') ?? '').slice(0, SEARCH_MAX),
    sort: sort.safeParse(params.get('sort')).data ?? 'detected',
    order: order.safeParse(params.get('order')).data ?? 'desc',
  };
}

/** Writes the choices that differ from the defaults into the page's address. */
function writeControls({ filter, text, sort, order }: Controls): URLSearchParams {
  const params = new URLSearchParams();
  const slug = filterOf(filter);
  if (slug !== null) params.set('filter', slug);
  if (sort !== 'detected') params.set('sort', sort);
  if (order !== 'desc') params.set('order', order);
  if (text !== '') params.set('q', text);
  return params;
}

/** Returns what the server is asked for; empty for all tokens, newest first. */
export function choiceOf({ filter, text, sort, order }: Controls): ListChoice {
  const slug = filterOf(filter);
  const q = text.trim();
  return {
    ...(slug === null ? {} : { filter: slug }),
    ...(q === '' ? {} : { q }),
    ...(sort === 'detected' ? {} : { sort }),
    ...(order === 'desc' ? {} : { order }),
  };
}

/**
 * Returns the choices of the list page, which are in its address, so that a reload, a link and the back button keep them.
 * Filter and order are steps of the history; letters of a search are not.
 */
export function useControls(): [Controls, (change: Partial<Controls>) => void] {
  const [params, setParams] = useSearchParams();
  const controls = useMemo(() => readControls(params), [params]);
  const change = useCallback(
    (changed: Partial<Controls>) => {
      const isStep = changed.filter !== undefined || changed.sort !== undefined;
      setParams((before) => writeControls({ ...readControls(before), ...changed }), { replace: !isStep });
    },
    [setParams],
  );
  return [controls, change];
}
