import { TOTAL_COUNT_HEADER } from '../../../common/live/protocol.ts';
import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { type Answer, request } from '../../http/client.ts';
import type { Store } from '../../store.ts';
import { type LoadState, loadAtoms, noLoad } from '../atoms/atoms.ts';
import { cursorOf } from '../connection/cursor.ts';
import { type ListName, listCapacity, listedAt, listNames } from './lists.ts';
import type { AnswerKind, FeedModel } from './model.ts';

/** Rows of one page of the list of all tokens. */
export const PAGE_ROWS = 200;
/** How often an answer that the model can't use is asked for again at once, before the next event or poll decides. */
const STALE_RETRIES = 3;
const STALE_RETRY_MS = 500;

/** Fetches lists and totals and hands them to the model. */
export interface Loader {
  /** Fetches a list from its newest row on. Resolves with whether the server answered; it never rejects. */
  load(list: Exclude<ListName, 'search'>): Promise<boolean>;
  /** Fetches the page after the last row. */
  loadOlder(list: 'newest' | 'search'): Promise<void>;
  /** Fetches what matches the text; an empty text forgets the search. The answer to an earlier text is dropped. */
  search(text: string): Promise<void>;
  /** Asks the last search once more; what it found stays until the answer. */
  searchAgain(): Promise<void>;
  /** The feed is back: what failed while it was away is no longer said of lists that it keeps up to date, and may be tried again. */
  forgive(): void;
  loadStats(): Promise<boolean>;
  stop(): void;
}

export interface LoaderDeps {
  model: FeedModel;
  store: Store;
  /** The model changed. */
  touch: () => void;
  /** Runs a function after so many ms; returns the way to cancel it. */
  later: (run: () => void, ms: number) => () => void;
}

type Fetch = (signal: AbortSignal) => Promise<Answer<readonly Token[]>>;

/** What is told of a call as it goes on. A list that begins anew has no older page that failed. */
const progress = {
  first: {
    begun: { loading: true },
    done: { loading: false, error: null, olderError: null },
    failed: (error) => ({ loading: false, error }),
  },
  older: {
    begun: { loadingOlder: true },
    done: { loadingOlder: false, olderError: null },
    failed: (olderError) => ({ loadingOlder: false, olderError }),
  },
} satisfies Record<
  AnswerKind,
  { begun: Partial<LoadState>; done: Partial<LoadState>; failed: (error: string) => Partial<LoadState> }
>;

export function createLoader({ model, store, touch, later }: LoaderDeps): Loader {
  const underWay = new Map<string, Promise<boolean>>();
  const cancels = new Set<() => void>();
  let stopped = new AbortController();
  let searchGiveUp = new AbortController();
  let searchText = '';

  function setLoad(list: ListName, change: Partial<LoadState>): void {
    store.set(loadAtoms[list], (before) => ({ ...before, ...change }));
  }

  /** One call a list and kind at a time: a second wish joins the first. */
  function once(key: string, run: () => Promise<boolean>): Promise<boolean> {
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const started = run().finally(() => {
      // After a stop the key may belong to a later call.
      if (underWay.get(key) === started) underWay.delete(key);
    });
    underWay.set(key, started);
    return started;
  }

  async function fill(list: ListName, kind: AnswerKind, fetch: Fetch, signal: AbortSignal): Promise<boolean> {
    const told = progress[kind];
    setLoad(list, told.begun);
    try {
      for (let attempt = 0; attempt <= STALE_RETRIES; attempt++) {
        const { data, headers } = await fetch(signal);
        if (signal.aborted) return false;
        const verdict = model.answer({
          list,
          kind,
          tokens: data,
          cursor: cursorOf(headers),
          total: totalOf(headers),
          more: data.length >= pageRows(list),
        });
        touch();
        if (verdict !== 'stale') break;
        // The server began anew between reading and answering; a moment later it answers with its new epoch.
        await pause(STALE_RETRY_MS);
      }
      setLoad(list, told.done);
      return true;
    } catch (reason) {
      // Given up by us (another search, sign-out): whoever did so has set the state already.
      if (signal.aborted) return false;
      const error = reason instanceof Error ? reason.message : String(reason);
      setLoad(list, told.failed(error));
      return false;
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancels.delete(end);
        cancel();
        resolve();
      };
      const cancel = later(end, ms);
      cancels.add(end);
    });
  }

  function before(list: 'newest' | 'search'): string | null {
    const last = model.state.lists[list].addresses.at(-1);
    const token = last ? model.state.tokens.get(last) : undefined;
    return token ? `${listedAt(token)}_${token.address}` : null;
  }

  return {
    load: (list) => once(list, () => fill(list, 'first', firstPage[list], stopped.signal)),
    async loadOlder(list) {
      const cursor = before(list);
      const full = model.state.lists[list].addresses.length >= listCapacity[list];
      if (!cursor || full || !model.state.lists[list].more) return;
      const q = list === 'search' ? { q: searchText } : {};
      const signal = list === 'search' ? searchGiveUp.signal : stopped.signal;
      const fetch: Fetch = (given) =>
        request(tokenCalls.list, { query: { limit: PAGE_ROWS, before: cursor, ...q }, signal: given });
      await once(`${list}:older:${cursor}:${searchText}`, () => fill(list, 'older', fetch, signal));
    },
    async search(text) {
      searchGiveUp.abort();
      searchGiveUp = new AbortController();
      searchText = text;
      model.drop('search');
      touch();
      setLoad('search', noLoad);
      if (text === '') return;
      await fill('search', 'first', searchPage(text), searchGiveUp.signal);
    },
    async searchAgain() {
      if (searchText === '') {
        model.drop('search');
        touch();
        return;
      }
      // A stop has given up every search, those to come as well.
      if (searchGiveUp.signal.aborted) searchGiveUp = new AbortController();
      const { signal } = searchGiveUp;
      await once(`search:again:${searchText}`, () => fill('search', 'first', searchPage(searchText), signal));
    },
    forgive() {
      for (const list of listNames) {
        const kept = model.state.lists[list].fetchedAt !== null;
        setLoad(list, kept ? { error: null, olderError: null } : { olderError: null });
      }
    },
    loadStats: () =>
      once('stats', async () => {
        try {
          const { data, headers } = await request(tokenCalls.stats, { signal: stopped.signal });
          model.stats(data, cursorOf(headers));
          touch();
          return true;
        } catch {
          // The cards keep what they show; the connection state says how old it is, and the next round asks again.
          return false;
        }
      }),
    stop() {
      stopped.abort();
      searchGiveUp.abort();
      stopped = new AbortController();
      for (const end of cancels) end();
      underWay.clear();
      for (const list of listNames) setLoad(list, noLoad);
    },
  };
}

function searchPage(q: string): Fetch {
  return (signal) => request(tokenCalls.list, { query: { limit: PAGE_ROWS, q }, signal });
}

const firstPage: Record<Exclude<ListName, 'search'>, Fetch> = {
  newest: (signal) => request(tokenCalls.list, { query: { limit: PAGE_ROWS }, signal }),
  fresh: (signal) => request(tokenCalls.new, { query: { limit: listCapacity.fresh }, signal }),
  runners: (signal) => request(tokenCalls.runners, { query: { limit: listCapacity.runners }, signal }),
  mightRun: async (signal) => {
    const { data, headers } = await request(tokenCalls.mightRun, { query: { limit: listCapacity.mightRun }, signal });
    return { data: rowsOf(data), headers };
  },
};

/** The list of might-run tokens comes as an array or as `{ tokens }` (D7 of the specification): both are understood. */
export function rowsOf(data: readonly Token[] | { tokens: readonly Token[] }): readonly Token[] {
  return 'tokens' in data ? data.tokens : data;
}

function pageRows(list: ListName): number {
  return list === 'newest' || list === 'search' ? PAGE_ROWS : listCapacity[list];
}

function totalOf(headers: Headers): number | null {
  const total = headers.get(TOTAL_COUNT_HEADER);
  return total !== null && /^\d+$/.test(total) ? Number(total) : null;
}
