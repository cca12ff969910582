import { templateCalls } from '../../common/templates/http.ts';
import type { Template } from '../../common/templates/model.ts';
import { callQuery } from '../http/query.ts';
import { atomWithQuery, queryClientAtom, useAtomValue, useStore } from '../store.ts';

/** The list is fetched this often: other administrators change templates as well, and no event says so. */
const POLL_MS = 30_000;

const query = callQuery(templateCalls.list, {});

const templatesAtom = atomWithQuery(() => ({
  ...query,
  refetchOnMount: 'always' as const,
  refetchInterval: POLL_MS,
}));

export interface UsedTemplates {
  /** By type, then name; undefined before the first answer. */
  templates: Template[] | undefined;
  error: Error | null;
  loading: boolean;
  reload: () => void;
}

export function useTemplates(): UsedTemplates {
  const { data, error, isFetching, refetch } = useAtomValue(templatesAtom);
  return { templates: data, error, loading: isFetching, reload: () => void refetch() };
}

/** Has the list fetched again: one change can move the default of a type to another template. */
export function useRefreshTemplates(): () => void {
  const store = useStore();
  return () => void store.get(queryClientAtom).invalidateQueries({ queryKey: query.queryKey });
}

/** Takes what the server acknowledged into the list at once; the fetch that follows brings the rest. */
export function useTakeTemplate(): (change: { saved: Template } | { deleted: string }) => void {
  const store = useStore();
  const refresh = useRefreshTemplates();
  return (change) => {
    store.get(queryClientAtom).setQueryData<Template[]>(query.queryKey, (before) => before && after(before, change));
    refresh();
  };
}

function after(before: Template[], change: { saved: Template } | { deleted: string }): Template[] {
  if ('deleted' in change) return before.filter(({ id }) => id !== change.deleted);
  const { saved } = change;
  const others = before
    .filter(({ id }) => id !== saved.id)
    // A type has one default.
    .map((one) => (saved.isDefault && one.type === saved.type ? { ...one, isDefault: false } : one));
  return [...others, saved].toSorted(
    (one, other) => one.type.localeCompare(other.type) || one.name.localeCompare(other.name),
  );
}
