import { templateCalls } from '../../common/templates/http.ts';
import type { Template } from '../../common/templates/model.ts';
import { HttpError, listErrorText } from '../http/error.ts';
import { callQuery } from '../http/query.ts';
import { atomWithQuery, queryClientAtom, useAtomValue, useStore } from '../store.ts';

/** Poll interval, ms: no event reports changes by other administrators. */
const POLL_MS = 30_000;

const query = callQuery(templateCalls.list, {});

const templatesAtom = atomWithQuery(() => ({ ...query, refetchOnMount: 'always' as const, refetchInterval: POLL_MS }));

export interface TemplateList {
  /** By type, then name; undefined before the first response. */
  data: Template[] | undefined;
  error: string | null;
  loading: boolean;
  reload: () => void;
}

export function useTemplates(): TemplateList {
  const { data, error, isFetching, refetch } = useAtomValue(templatesAtom);
  return {
    data,
    error: error === null ? null : listErrorText(error),
    loading: isFetching,
    reload: () => void refetch(),
  };
}

type Change = { saved: Template } | { deleted: string };

interface TemplateUpdate {
  /** Applies an acknowledged change to the cached list, then refetches it. */
  apply: (change: Change) => void;
  refetch: () => void;
}

/** Updates the cached list after a change. The refetch matters: a change can make another template its type's default. */
export function useTemplateUpdate(): TemplateUpdate {
  const store = useStore();
  const refetch = () => void store.get(queryClientAtom).invalidateQueries({ queryKey: query.queryKey });
  return {
    apply: (change) => {
      store
        .get(queryClientAtom)
        .setQueryData<Template[]>(query.queryKey, (before) => before && withChange(before, change));
      refetch();
    },
    refetch,
  };
}

/** Returns the server's message about a failure; `fallback` when it sent none. */
export function serverMessage(reason: unknown, fallback: string): string {
  return reason instanceof HttpError ? (reason.serverMessage ?? fallback) : fallback;
}

function withChange(before: Template[], change: Change): Template[] {
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
