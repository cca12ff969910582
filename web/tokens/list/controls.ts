import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import {
  filterFields,
  formatRanges,
  parseRanges,
  type Ranges,
  rangeFields,
  type TokenFilter,
} from '../../../common/tokens/filters.ts';
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
  /** Limits of the filter drawer; empty without any. */
  limits: TokenFilter;
}

export const defaultControls: Controls = { filter: 'All', text: '', sort: 'detected', order: 'desc', limits: {} };

/**
 * Returns the choices from the page's address, and its parts without meaning: unknown names, wrong values, and ranges of
 * fields that no longer exist. Each of these counts as the default.
 */
export function readControls(params: URLSearchParams): { controls: Controls; ignored: readonly string[] } {
  const ignored: string[] = [];
  const texts: Record<string, string> = {};
  for (const [name, value] of params) {
    const field = listChoiceSchema.keyof().safeParse(name).data;
    if (field === 'q') continue;
    if (field === 'f') {
      const { text, ignored: parts } = readRanges(value);
      ignored.push(...parts);
      if (text !== '') texts[field] = text;
    } else if (field !== undefined && listChoiceSchema.shape[field].safeParse(value).success) texts[field] = value;
    else ignored.push(`${name}=${value}`);
  }
  const { filter, sort = 'detected', order = 'desc', ...limits } = listChoiceSchema.safeParse(texts).data ?? {};
  const text = (params.get('q') ?? '').slice(0, SEARCH_MAX);
  return { controls: { filter: nameOfFilter(filter), text, sort, order, limits }, ignored };
}

/** Returns the ranges of an address as one text, and its parts without meaning or beyond the longest text. */
function readRanges(value: string): { text: string; ignored: readonly string[] } {
  const { ranges, ignored } = parseRanges(value);
  let kept: Ranges = {};
  for (const field of rangeFields) {
    const range = ranges[field];
    if (range === undefined) continue;
    const more = { ...kept, [field]: range };
    if (filterFields.f.safeParse(formatRanges(more)).success) kept = more;
    else ignored.push(formatRanges({ [field]: range }));
  }
  return { text: formatRanges(kept), ignored };
}

/** Writes the choices that differ from the defaults into the page's address. */
function writeControls(controls: Controls): URLSearchParams {
  return paramsOf({ ...choiceOf(controls), q: controls.text === '' ? undefined : controls.text });
}

/** A choice as an address or a preset has it. */
export type ChoiceTexts = Readonly<Record<string, string | undefined>>;

/** Returns a choice as the query of the page's address. */
export function paramsOf(choice: ChoiceTexts): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(choice)) if (value !== undefined) params.set(name, value);
  return params;
}

/** Returns what the server is asked for; empty for all tokens, newest first. */
export function choiceOf({ filter, text, sort, order, limits }: Controls): ListChoice {
  const slug = filterOf(filter);
  const q = text.trim();
  return {
    ...(slug === null ? {} : { filter: slug }),
    ...(q === '' ? {} : { q }),
    ...(sort === 'detected' ? {} : { sort }),
    ...(order === 'desc' ? {} : { order }),
    ...limits,
  };
}

/** The choices of the list page, and what changes them. */
export interface UsedControls {
  controls: Controls;
  /** Parts of the page's address without meaning. */
  ignored: readonly string[];
  change: (change: Partial<Controls>) => void;
  /** Opens other choices, given as the page's address has them. */
  open: (choice: ChoiceTexts) => void;
}

/**
 * Returns the choices of the list page, which are in its address, so that a reload, a link and the back button keep them.
 * A filter, an order and a preset are steps of the history; letters of a search and bounds of a range are not.
 */
export function useControls(): UsedControls {
  const [params, setParams] = useSearchParams();
  const read = useMemo(() => readControls(params), [params]);
  const change = useCallback(
    (changed: Partial<Controls>) => {
      const isStep = changed.filter !== undefined || changed.sort !== undefined;
      setParams((before) => writeControls({ ...readControls(before).controls, ...changed }), { replace: !isStep });
    },
    [setParams],
  );
  const open = useCallback((choice: ChoiceTexts) => setParams(paramsOf(choice)), [setParams]);
  return { ...read, change, open };
}
