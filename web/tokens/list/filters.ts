import { type ListFilter, listFilterSchema, passesFilter } from '../../../common/tokens/lists.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { matchesSearch, searchText, searchWords } from '../../../common/tokens/text/search.ts';

/** Filters above the list. */
export const filterNames = ['All', 'New', 'Runners', 'Might Run', 'Risky', 'Safe'] as const;
export type FilterName = (typeof filterNames)[number];

const namesByFilter: Record<ListFilter, FilterName> = {
  new: 'New',
  runners: 'Runners',
  'might-run': 'Might Run',
  risky: 'Risky',
  safe: 'Safe',
};

/** Returns the filter of a name; null for 'All'. */
export function filterOf(name: FilterName): ListFilter | null {
  return listFilterSchema.options.find((filter) => namesByFilter[filter] === name) ?? null;
}

/** Returns the name of a filter, 'All' without one. */
export function nameOfFilter(filter: ListFilter | undefined): FilterName {
  return filter === undefined ? 'All' : namesByFilter[filter];
}

/** Whether a token passes a filter. `now`: epoch ms. */
export function passes(name: FilterName, token: Token, now: number): boolean {
  const filter = filterOf(name);
  return filter === null || passesFilter(filter, token, now);
}

/** Whether a token matches, as on the server. */
export function matches({ name, symbol, address }: Token, text: string): boolean {
  return matchesSearch(searchText(name, symbol, address), searchWords(text));
}
