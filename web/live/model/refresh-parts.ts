import type { Token } from '../../../common/tokens/model.ts';
import type { CallResult } from '../../http/client.ts';
import type { ChosenList, PagePart } from './chosen.ts';
import type { FeedModel } from './model.ts';

/** Rows of one page of the list of all tokens. */
export const PAGE_ROWS = 200;

/** Fetches a page, or a part of the loaded rows. */
export type Fetch = (
  signal: AbortSignal,
) => Promise<CallResult<readonly Token[]> & Partial<Pick<PagePart, 'more' | 'covers'>>>;

/**
 * Fetches the first page again, and those of the tokens in sight, one after the other; with the last row also the pages
 * after it, of which no row is known yet.
 */
export async function refreshParts(
  { state }: FeedModel,
  chosen: ChosenList,
  sight: readonly string[],
  fill: (fetch: Fetch) => Promise<boolean>,
): Promise<boolean> {
  const done = new Set<number>();
  for (const address of [null, ...sight]) {
    const token = address === null ? undefined : state.tokens.get(address);
    // Read for each: a page that was fetched again may have changed the others.
    const first = token === undefined ? 0 : (chosen.pageOf(token) ?? 0);
    const isLast = token?.address === state.lists.search.addresses.at(-1);
    for (let page = first; page === first || (isLast && page < chosen.pages()); page += 1) {
      if (done.has(page)) continue;
      done.add(page);
      if (!(await fill((signal) => chosen.part(page, PAGE_ROWS, signal)))) return false;
    }
  }
  return true;
}
