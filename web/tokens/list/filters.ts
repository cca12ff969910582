import { isNew, isRisky, isSafe } from '../../../common/tokens/lists.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { matchesSearch, searchText, searchWords } from '../../../common/tokens/search.ts';
import { createdAtOf } from '../../live/model/lists.ts';

/** Filters above the list. */
export const filterNames = ['All', 'New', 'Runners', 'Might Run', 'Risky', 'Safe'] as const;
export type FilterName = (typeof filterNames)[number];

/**
 * Whether a token passes a filter. Runners and Might Run are separate lists, whose tokens all pass. `now`: epoch ms.
 */
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

/** Whether a token matches, as on the server. */
export function matches({ name, symbol, address }: Token, text: string): boolean {
  return matchesSearch(searchText(name, symbol, address), searchWords(text));
}
