import { tokenCalls } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import { listedAt } from '../../../common/tokens/order.ts';
import { type CallResult, request } from '../../http/client.ts';
import { listErrorText } from '../../http/error.ts';
import type { Store } from '../../store.ts';
import { type LoadState, loadAtoms, noLoad } from '../atoms/atoms.ts';
import { cursorOf, totalOf } from '../connection/cursor.ts';
import { type ListName, listCapacity, listNames } from './lists.ts';
import type { FeedModel, PageKind } from './model.ts';

/** Rows of one page of the list of all tokens. */
export const PAGE_ROWS = 200;

/** Immediate retries of a response that the model rejects as stale; afterwards the next event or poll decides. */
const STALE_RETRIES = 3;
const STALE_RETRY_MS = 500;

/** Fetches lists and totals and passes them to the model. */
export interface Loader {
  /** Fetches a list from its newest row on. Resolves with whether the server responded; never rejects. */
  load(list: ListName): Promise<boolean>;
  /** Fetches the page after the last row of all tokens. */
  loadOlder(): Promise<void>;
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
} satisfies Record<
  PageKind,
  { started: Partial<LoadState>; done: Partial<LoadState>; failed: (error: string) => Partial<LoadState> }
>;

export function createLoader(deps: LoaderDeps): Loader {
  const { model, store } = deps;
  const calls = createCalls();
  let stopped = new AbortController();
  const fill = (list: ListName, kind: PageKind, fetch: Fetch) =>
    fetchInto(deps, { list, kind, fetch, signal: stopped.signal });

  return {
    load: (list) => calls.once(list, () => fill(list, 'first', firstPage[list])),
    async loadOlder() {
      const before = pageCursor(model);
      if (before === null || model.state.lists.all.addresses.length >= listCapacity.all) return;
      const fetch: Fetch = (signal) => request(tokenCalls.list, { query: { limit: PAGE_ROWS, before }, signal });
      await calls.once(`older:${before}`, () => fill('all', 'older', fetch));
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
      const { data, headers } = await fetch(signal);
      if (signal.aborted) return false;
      const verdict = model.list({
        list,
        kind,
        tokens: data,
        cursor: cursorOf(headers),
        total: totalOf(headers),
        more: data.length >= (list === 'all' ? PAGE_ROWS : listCapacity[list]),
      });
      onChange();
      if (verdict !== 'stale') break;
      // The server began a new epoch between reading and responding; a moment later it responds with the new one.
      await pause(later, signal);
    }
    setLoad(store, list, states.done);
    return true;
  } catch (reason) {
    // Aborted by a logout, which has already set the state.
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

/** Returns the `before` parameter of the next page of all tokens; null when there is none. */
function pageCursor(model: FeedModel): string | null {
  const { addresses, more } = model.state.lists.all;
  if (!more) return null;
  const last = addresses.at(-1);
  const token = last ? model.state.tokens.get(last) : undefined;
  return token ? `${listedAt(token)}_${token.address}` : null;
}

type Fetch = (signal: AbortSignal) => Promise<CallResult<readonly Token[]>>;

const firstPage: Record<ListName, Fetch> = {
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
