import { useCallback, useEffect } from 'react';
import { HttpError } from '../../http/error.ts';
import { atom, type PrimitiveAtom, useAtom } from '../../store.ts';

/** Data fetched for one token, and the state of its fetch. */
interface Resource<Data> {
  data: Data | null;
  loading: boolean;
  /** Error of the latest attempt; earlier data stays, unless the token no longer exists (`gone`). */
  error: { text: string; gone: boolean; since: number } | null;
}

/** Maximum number of atoms: a few tokens, so that going back to one shows it at once. */
const KEPT_MAX = 12;

/** Creates a cache of one atom per token, for data fetched by address. Evicts the least recently used atoms. */
export function resourceFamily<Data>(): (address: string) => PrimitiveAtom<Resource<Data>> {
  const atoms = new Map<string, PrimitiveAtom<Resource<Data>>>();
  return (address) => {
    const known = atoms.get(address) ?? atom<Resource<Data>>({ data: null, loading: false, error: null });
    atoms.delete(address);
    atoms.set(address, known);
    for (const oldest of atoms.keys()) {
      if (atoms.size <= KEPT_MAX) break;
      atoms.delete(oldest);
    }
    return known;
  };
}

export type UsedResource<Data> = Resource<Data> & {
  reload: () => void;
  /** Changes the data, e.g. by an event of the feed; ignored before the first response. */
  change: (change: (data: Data) => Data) => void;
};

/** Fetches on mount, every `everyMs`, and on `reload`. `fetch` must be stable between renders. */
export function useResource<Data>(
  place: PrimitiveAtom<Resource<Data>>,
  fetch: (signal: AbortSignal) => Promise<Data>,
  everyMs: number,
): UsedResource<Data> {
  const [resource, set] = useAtom(place);

  const load = useCallback(
    async (signal: AbortSignal) => {
      set((before) => ({ ...before, loading: true }));
      try {
        const data = await fetch(signal);
        if (!signal.aborted) set({ data, loading: false, error: null });
      } catch (reason) {
        // Aborted because the page was left.
        if (signal.aborted) return;
        const gone = reason instanceof HttpError && reason.status === 404;
        const text = reason instanceof Error ? reason.message : String(reason);
        set((before) => ({
          data: gone ? null : before.data,
          loading: false,
          error: { text, gone, since: before.error?.since ?? Date.now() },
        }));
      }
    },
    [set, fetch],
  );

  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    const timer = setInterval(() => void load(leaving.signal), everyMs);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [load, everyMs]);

  const reload = useCallback(() => void load(new AbortController().signal), [load]);
  const change = useCallback(
    (how: (data: Data) => Data) =>
      set((before) => (before.data === null ? before : { ...before, data: how(before.data) })),
    [set],
  );
  return { ...resource, reload, change };
}
