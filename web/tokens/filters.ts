import { isNew, isRisky, isSafe } from '../../common/tokens/lists.ts';
import type { Token } from '../../common/tokens/model.ts';
import { matchesSearch, searchTerms } from '../../common/tokens/search.ts';
import { createdAtOf } from '../live/lists.ts';

/** The buttons above the list. */
export const filterNames = ['All', 'New', 'Runners', 'Might Run', 'Risky', 'Safe'] as const;
export type FilterName = (typeof filterNames)[number];

/** Whether a token passes. Runners and Might Run are lists of their own: what is in them passes. `now`: epoch ms. */
export function passes(filter: FilterName, token: Token, now: number): boolean {
  switch (filter) {
    case 'All':
    case 'Runners':
    case 'Might Run':
      return true;
    case 'New':
      return isNew(createdAtOf(token), now);
    case 'Risky':
      return isRisky(token.scamProbability);
    case 'Safe':
      return isSafe(token.scamProbability);
  }
}

/** Whether name, symbol or address contain the text, or match as the server searches. Rows that are there answer at once. */
export function matches(token: Token, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return true;
  const { name, symbol, address } = token;
  const inside = [name, symbol, address].some((part) => part?.toLowerCase().includes(wanted));
  return inside || matchesSearch(searchTerms(name, symbol, address), wanted);
}
