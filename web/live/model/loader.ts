import { TOTAL_COUNT_HEADER } from '../../../common/live/protocol.ts';
import { type ListChoice, tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';
import { request } from '../../http/client.ts';
import { listErrorText } from '../../http/error.ts';
import type { Store } from '../../store.ts';
import { type LoadState, listAtoms, loadAtoms, noLoad, noView } from '../atoms/atoms.ts';
import { cursorOf } from '../connection/cursor.ts';
import { createChosenList, type Fetch, PAGE_ROWS, refreshParts } from './chosen.ts';
import { type ListName, listCapacity, listNames } from './lists.ts';
import type { FeedModel, PageKind } from './model.ts';

/** Immediate retries of a response that the model rejects as stale; afterwards the next event or poll decides. */
const STALE_RETRIES = 3;
const STALE_RETRY_MS = 500;

/** Fetches lists and totals and passes them to the model. */
export interface Loader {
  /** Fetches a list from its newest row on. Resolves with whether the server responded; never rejects. */
  load(list: Exclude<ListName, 'chosen'>): Promise<boolean>;
  /** Fetches the page after the last row. */
  loadOlder(list: 'all' | 'chosen'): Promise<void>;
  /** Fetches the list for a filter, a search and an order; an empty choice clears it. Drops the response to an earlier choice. */
  search(choice: ListChoice): Promise<void>;
  /**
   * Fetches as many rows of it again as are loaded, which stay until the response. With `sight`, the addresses of the
   * first and last row on screen, only the first page and theirs: at most three. Resolves with whether the server responded.
   */
  refreshSearch(sight?: readonly string[]): Promise<boolean>;
  /** Clears errors of lists that the feed keeps up to date again. */
  clearErrors(): void;
  loadStats(): Promise<boolean>;
  stop(): void;
}

interface LoaderDeps {
  model: FeedModel;
  store: Store;
  /** Called when the model changed. */
  onChange: () => void;
  now: () => number;
  /** Runs a function after a delay in ms; returns the function that cancels it. */
  later: (run: () => void, ms: number) => () => void;
}

/** Load states of a list during a call. A new first page clears the error of an older page. */
const loadStates = {
  first: {
    started: { loading: true },
    done: { loading: false, error: null, olderError: null },
    failed: (error) => ({ loading: false, error }),
  },
  older: {
    started: { loadingOlder: true },
    done: { loadingOlder: false, olderError: null },
    failed: (olderError) => ({ loadingOlder: false, olderError }),
  },
  // The error of an older page stays until that page is requested again.
  part: {
    started: { loading: true },
    done: { loading: false, error: null },
    failed: (error) => ({ loading: false, error }),
  },
} satisfies Record<
  PageKind,
  { started: Partial<LoadState>; done: Partial<LoadState>; failed: (error: string) => Partial<LoadState> }
>;

export function createLoader(deps: LoaderDeps): Loader {
  const { model, store, onChange } = deps;
  const calls = createCalls();
  let stopped = new AbortController();
  let searchAbort = new AbortController();
  const chosen = createChosenList(store, deps.now);

  const fill = (list: ListName, kind: PageKind, fetch: Fetch, signal: AbortSignal) =>
    fetchInto(deps, { list, kind, fetch, signal });

  function clearSearch(): void {
    model.drop('chosen');
    onChange();
  }

  return {
    load: (list) => calls.once(list, () => fill(list, 'first', firstPage[list], stopped.signal)),
    async loadOlder(list) {
      const { addresses } = model.state.lists[list];
      if (addresses.length >= listCapacity[list]) return;
      const cursor = list === 'chosen' ? chosen.next() : pageCursor(model);
      if (cursor === null) return;
      const signal = list === 'chosen' ? searchAbort.signal : stopped.signal;
      const fetch: Fetch = (given) =>
        list === 'chosen'
          ? chosen.older(cursor, PAGE_ROWS, given)
          : request(tokenCalls.list, { query: { limit: PAGE_ROWS, before: cursor }, signal: given });
      const key = `${list}:older:${cursor}:${JSON.stringify(chosen.choice())}`;
      await calls.once(key, () => fill(list, 'older', fetch, signal));
    },
    async search(choice) {
      searchAbort.abort();
      searchAbort = new AbortController();
      chosen.choose(choice);
      clearSearch();
      // At once: rows of the choice before must not pass for the response.
      store.set(listAtoms.chosen, noView);
      setLoad(store, 'chosen', noLoad);
      if (isEmpty(choice)) return;
      await fill('chosen', 'first', (signal) => chosen.first(PAGE_ROWS, signal), searchAbort.signal);
    },
    async refreshSearch(sight) {
      if (isEmpty(chosen.choice())) {
        clearSearch();
        return true;
      }
      // `stop` has aborted every search.
      if (searchAbort.signal.aborted) searchAbort = new AbortController();
      const { signal } = searchAbort;
      const key = JSON.stringify(chosen.choice());
      const isLoaded = model.state.lists.chosen.fetchedAt !== null && !model.outdated().has('chosen');
      if (sight !== undefined && isLoaded)
        return calls.once(`chosen:part:${key}`, () =>
          refreshParts(model, chosen, sight, (page) => fill('chosen', 'part', page, signal)),
        );
      const rows = Math.max(PAGE_ROWS, model.state.lists.chosen.addresses.length);
      const fetch: Fetch = (given) => chosen.first(rows, given);
      return calls.once(`chosen:refresh:${key}`, () => fill('chosen', 'first', fetch, signal));
    },
    clearErrors() {
      for (const list of listNames) {
        const isLoaded = model.state.lists[list].fetchedAt !== null;
        setLoad(store, list, isLoaded ? { error: null, olderError: null } : { olderError: null });
      }
    },
    loadStats: () => calls.once('stats', () => loadStats(deps, stopped.signal)),
    stop() {
      stopped.abort();
      searchAbort.abort();
      stopped = new AbortController();
      calls.clear();
      for (const list of listNames) setLoad(store, list, noLoad);
    },
  };
}

/** Runs one call per key at a time: a second one joins the first. */
function createCalls() {
  const running = new Map<string, Promise<boolean>>();
  return {
    once(key: string, run: () => Promise<boolean>): Promise<boolean> {
      const known = running.get(key);
      if (known !== undefined) return known;
      const started = run().finally(() => {
        // After `clear` the key may belong to a later call.
        if (running.get(key) === started) running.delete(key);
      });
      running.set(key, started);
      return started;
    },
    clear: () => running.clear(),
  };
}

/** Resolves after STALE_RETRY_MS, or as soon as the signal aborts. */
function pause(later: LoaderDeps['later'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = later(end, STALE_RETRY_MS);
    signal.addEventListener('abort', end);
  });
}

function setLoad(store: Store, list: ListName, change: Partial<LoadState>): void {
  store.set(loadAtoms[list], (before) => ({ ...before, ...change }));
}

/** Fetches a page and applies it to the model. Resolves with whether the server responded. */
async function fetchInto(
  { model, store, onChange, later }: LoaderDeps,
  { list, kind, fetch, signal }: { list: ListName; kind: PageKind; fetch: Fetch; signal: AbortSignal },
): Promise<boolean> {
  const states = loadStates[kind];
  setLoad(store, list, states.started);
  try {
    for (let attempt = 0; attempt <= STALE_RETRIES; attempt++) {
      const { data, headers, more, covers } = await fetch(signal);
      if (signal.aborted) return false;
      const verdict = model.list({
        list,
        kind,
        tokens: data,
        cursor: cursorOf(headers),
        total: totalOf(headers),
        more: more ?? data.length >= pageRows(list),
        covers,
      });
      onChange();
      if (verdict !== 'stale') break;
      // The server began a new epoch between reading and responding; a moment later it responds with the new one.
      await pause(later, signal);
    }
    setLoad(store, list, states.done);
    return true;
  } catch (reason) {
    // Aborted by another search or a logout, which has already set the state.
    if (signal.aborted) return false;
    setLoad(store, list, states.failed(listErrorText(reason)));
    return false;
  }
}

async function loadStats({ model, onChange }: LoaderDeps, signal: AbortSignal): Promise<boolean> {
  try {
    const { data, headers } = await request(tokenCalls.stats, { signal });
    model.stats(data, cursorOf(headers));
    onChange();
    return true;
  } catch {
    // The cards keep their values; the connection state shows their age, and the next round retries.
    return false;
  }
}

function isEmpty(choice: ListChoice): boolean {
  return Object.keys(choice).length === 0;
}

/** Returns the `before` parameter of the next page of all tokens; null when there is none. */
function pageCursor(model: FeedModel): string | null {
  const { addresses, more } = model.state.lists.all;
  if (!more) return null;
  const last = addresses.at(-1);
  const token = last ? model.state.tokens.get(last) : undefined;
  return token ? `${listedAt(token)}_${token.address}` : null;
}

const firstPage: Record<Exclude<ListName, 'chosen'>, Fetch> = {
  all: (signal) => request(tokenCalls.list, { query: { limit: PAGE_ROWS }, signal }),
  new: (signal) => request(tokenCalls.new, { query: { limit: listCapacity.new }, signal }),
  runners: (signal) => request(tokenCalls.runners, { query: { limit: listCapacity.runners }, signal }),
  mightRun: async (signal) => {
    const { data, headers } = await request(tokenCalls.mightRun, { query: { limit: listCapacity.mightRun }, signal });
    return { data: rowsOf(data), headers };
  },
};

/** Returns the might-run tokens of a response, which is an array or `{ tokens }` (D7 of the specification). */
export function rowsOf(data: readonly Token[] | { tokens: readonly Token[] }): readonly Token[] {
  return 'tokens' in data ? data.tokens : data;
}

function pageRows(list: ListName): number {
  return list === 'all' || list === 'chosen' ? PAGE_ROWS : listCapacity[list];
}

function totalOf(headers: Headers): number | null {
  const total = headers.get(TOTAL_COUNT_HEADER);
  return total !== null && /^\d+$/.test(total) ? Number(total) : null;
}
