import { useCallback, useEffect } from 'react';
import { HttpError } from '../../http/error.ts';
import { atom, type PrimitiveAtom, useAtom } from '../../store.ts';

/** Something fetched for one token, and how that went. */
export interface Resource<Data> {
  data: Data | null;
  loading: boolean;
  /** Why the last attempt failed; what was there before stays, unless the server says that it is gone. */
  error: { text: string; gone: boolean; since: number } | null;
}

/** Atoms that are kept: a few tokens, so that going back to one shows it at once. */
const KEPT_MAX = 12;

/** One atom a token for something that is fetched by address. The longest unused ones are forgotten. */
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
  /** Changes what is there, e.g. by what the feed says. Nothing happens before the first answer. */
  change: (change: (data: Data) => Data) => void;
};

/** Fetches when shown, again every `everyMs`, and whenever asked to. `fetch` must stay the same between renders. */
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
        // Given up because the page was left.
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
