import { COVERED_COUNT_HEADER, NEXT_CURSOR_HEADER } from '../../../common/live/protocol.ts';
import { LIST_LIMIT_MAX, type ListChoice, tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { rankOf } from '../../../common/tokens/order.ts';
import { type CallResult, request } from '../../http/client.ts';
import type { Store } from '../../store.ts';
import { chosenAtom } from '../atoms/atoms.ts';
import { createChosenPages, type PageEnd } from './chosen-pages.ts';
import type { FeedModel } from './model.ts';

/** A page of tokens; `more`: the server has further rows, null where only the number of rows tells. */
export interface Page extends CallResult<readonly Token[]> {
  more: boolean | null;
}

/** A page that was fetched again. */
export interface PagePart extends Page {
  /** Whether a token that is not in the response has no place in the list any more. */
  covers: (token: Token) => boolean;
}

/** Fetches the list for a filter, a search and an order, which only the server can make from all tokens. */
interface ChosenList {
  choice(): ListChoice;
  /** Takes another choice; an empty one fetches nothing. */
  choose(choice: ListChoice): void;
  /** Fetches at least this number of rows from the first on. */
  first(rows: number, signal: AbortSignal): Promise<Page>;
  /** Cursor of the page after the last one; null at the end. */
  next(): string | null;
  older(cursor: string, rows: number, signal: AbortSignal): Promise<Page>;
  /** Returns the number of loaded pages. Those after the last known row hold rows that are not known yet. */
  pages(): number;
  /** Returns the number of the loaded page with this token, from 0; null while no page is loaded. */
  pageOf(token: Token): number | null;
  /** Fetches a loaded page again. */
  part(page: number, rows: number, signal: AbortSignal): Promise<PagePart>;
}

export function createChosenList(store: Store, now: () => number): ChosenList {
  let choice: ListChoice = {};
  let pages = createChosenPages('desc');
  const rank = (token: Token) => rankOf(token, choice.sort ?? 'detected');

  const fetchPage = (rows: number, before: string | null, signal: AbortSignal) => {
    const limit = Math.min(rows, LIST_LIMIT_MAX);
    return request(tokenCalls.list, { query: { ...choice, limit, ...(before === null ? {} : { before }) }, signal });
  };
  const endOf = (page: CallResult<readonly Token[]>): PageEnd => {
    const last = page.data.at(-1);
    return { end: last === undefined ? null : rank(last), next: cursorAfter(page) };
  };

  /** Reports how far the list is loaded. */
  function report({ headers }: CallResult<readonly Token[]>): void {
    const covered = headers.get(COVERED_COUNT_HEADER);
    store.set(chosenAtom, {
      choice,
      border: pages.border(),
      checkedAt: now(),
      covered: covered === null ? null : Number(covered),
    });
  }

  return {
    choice: () => choice,
    choose(chosen) {
      choice = chosen;
      pages = createChosenPages(choice.order ?? 'desc');
      store.set(chosenAtom, null);
    },
    async first(rows, signal) {
      const of = choice;
      const fetched = createChosenPages(of.order ?? 'desc');
      const first = await fetchPage(rows, null, signal);
      // A token that moved down while the pages were fetched is in two of them.
      const byAddress = new Map(first.data.map((token) => [token.address, token]));
      let page = first;
      fetched.take(0, endOf(page));
      for (let after = cursorAfter(page); after !== null && byAddress.size < rows; after = cursorAfter(page)) {
        page = await fetchPage(rows - byAddress.size, after, signal);
        for (const token of page.data) byAddress.set(token.address, token);
        fetched.take(fetched.size(), endOf(page));
      }
      if (of === choice) {
        pages = fetched;
        report(page);
      }
      // With the feed position of the first page: the others cover at least that.
      return { data: [...byAddress.values()], headers: first.headers, more: cursorAfter(page) !== null };
    },
    next: () => pages.next(),
    async older(cursor, rows, signal) {
      const of = pages;
      const page = await fetchPage(rows, cursor, signal);
      // After a refresh of the last page meanwhile, this one would leave a gap.
      if (of === pages && pages.next() === cursor) {
        pages.take(pages.size(), endOf(page));
        report(page);
      }
      return { ...page, more: pages.next() !== null };
    },
    pages: () => pages.size(),
    pageOf: (token) => (pages.size() === 0 ? null : pages.pageOf(rank(token))),
    async part(at, rows, signal) {
      const of = pages;
      const after = pages.after(at);
      const page = await fetchPage(rows, after, signal);
      // Decides nothing about the rows once its page begins elsewhere.
      if (of !== pages || pages.after(at) !== after)
        return { ...page, more: pages.next() !== null, covers: () => false };
      pages.take(at, endOf(page));
      report(page);
      const within = pages.covers(at);
      return { ...page, more: pages.next() !== null, covers: (token) => within(rank(token)) };
    },
  };
}

function cursorAfter({ headers }: CallResult<readonly Token[]>): string | null {
  return headers.get(NEXT_CURSOR_HEADER);
}

/** Rows of one page of the list of all tokens. */
export const PAGE_ROWS = 200;

/** Fetches a page, or a part of the loaded rows. */
export type Fetch = (
  signal: AbortSignal,
) => Promise<CallResult<readonly Token[]> & Partial<Pick<PagePart, 'more' | 'covers'>>>;

/**
 * Fetches the first page again, then the pages of the tokens in sight, one after the other. With the last row in sight it
 * also fetches the pages after it.
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
    const isLast = token?.address === state.lists.chosen.addresses.at(-1);
    for (let page = first; page === first || (isLast && page < chosen.pages()); page += 1) {
      if (done.has(page)) continue;
      done.add(page);
      if (!(await fill((signal) => chosen.part(page, PAGE_ROWS, signal)))) return false;
    }
  }
  return true;
}
