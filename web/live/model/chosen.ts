import { COVERED_COUNT_HEADER, NEXT_CURSOR_HEADER } from '../../../common/live/protocol.ts';
import { LIST_LIMIT_MAX, type ListChoice, tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { rankOf } from '../../../common/tokens/order.ts';
import { type CallResult, request } from '../../http/client.ts';
import type { Store } from '../../store.ts';
import { chosenAtom } from '../atoms/atoms.ts';

/** A page of tokens; `more`: the server has further rows, null where only the number of rows tells. */
export interface Page extends CallResult<readonly Token[]> {
  more: boolean | null;
}

/** Fetches the list for a filter, a search and an order, which only the server can make from all tokens. */
export interface ChosenList {
  choice(): ListChoice;
  /** Takes another choice; an empty one fetches nothing. */
  choose(choice: ListChoice): void;
  /** Fetches at least this number of rows from the first on. */
  first(rows: number, signal: AbortSignal): Promise<Page>;
  /** Cursor of the page after the last one; null at the end. */
  next(): string | null;
  older(cursor: string, rows: number, signal: AbortSignal): Promise<Page>;
}

export function createChosenList(store: Store, now: () => number): ChosenList {
  let choice: ListChoice = {};
  let next: string | null = null;

  const fetchPage = (rows: number, before: string | null, signal: AbortSignal) => {
    const limit = Math.min(rows, LIST_LIMIT_MAX);
    return request(tokenCalls.list, { query: { ...choice, limit, ...(before === null ? {} : { before }) }, signal });
  };

  /** Notes how far the list is loaded, unless the choice has changed meanwhile. */
  function note(of: ListChoice, { data, headers }: CallResult<readonly Token[]>): void {
    if (of !== choice) return;
    next = headers.get(NEXT_CURSOR_HEADER);
    const last = data.at(-1);
    const covered = headers.get(COVERED_COUNT_HEADER);
    store.set(chosenAtom, {
      choice,
      border: next === null || last === undefined ? null : rankOf(last, choice.sort ?? 'detected'),
      checkedAt: now(),
      covered: covered === null ? null : Number(covered),
    });
  }

  return {
    choice: () => choice,
    choose(chosen) {
      choice = chosen;
      next = null;
      store.set(chosenAtom, null);
    },
    async first(rows, signal) {
      const of = choice;
      const first = await fetchPage(rows, null, signal);
      const data = [...first.data];
      let page = first;
      for (let after = cursorAfter(page); after !== null && data.length < rows; after = cursorAfter(page)) {
        page = await fetchPage(rows - data.length, after, signal);
        data.push(...page.data);
      }
      note(of, page);
      // With the feed position of the first page: the others cover at least that.
      return { data, headers: first.headers, more: cursorAfter(page) !== null };
    },
    next: () => next,
    async older(cursor, rows, signal) {
      const of = choice;
      const page = await fetchPage(rows, cursor, signal);
      note(of, page);
      return { ...page, more: cursorAfter(page) !== null };
    },
  };
}

function cursorAfter({ headers }: CallResult<readonly Token[]>): string | null {
  return headers.get(NEXT_CURSOR_HEADER);
}
