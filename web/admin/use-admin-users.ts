import { useEffect, useState } from 'react';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { request } from '../http/client.ts';
import { type PageState, pageState } from '../http/pages.ts';
import { atom, atomWithInfiniteQuery, type PrimitiveAtom, useAtom, useAtomValue } from '../store.ts';

/** Poll interval, ms: no event reports changes by other administrators or newly linked chats. */
const POLL_MS = 30_000;
/** Delay after the last keystroke before the search starts. */
const DEBOUNCE_MS = 250;
export const USERS_PAGE = 24;

/** Prefix of the cache keys of all searches. */
export const usersKey = [adminCalls.users.path, 'pages'];

export interface UsersPage {
  users: AdminUser[];
  total: number;
}

export interface AdminUsers extends PageState {
  /** Newest first, as many as were requested; undefined before the first response. */
  users: AdminUser[] | undefined;
  /** Number of matches; null while unknown. */
  total: number | null;
  error: Error | null;
  /** Whether the loaded pages or a new search are being fetched. */
  loading: boolean;
}

/** Returns users whose username or messaging id begins with `search`, page by page. All loaded pages are refetched together. */
export function useAdminUsers(search: string): AdminUsers {
  const [atoms] = useState(() => {
    const query = atom('');
    return { query, pages: pagesAtom(query) };
  });
  const [query, setQuery] = useAtom(atoms.query);
  useEffect(() => {
    if (search === query) return;
    // Clearing the search needs no debounce.
    const timer = setTimeout(() => setQuery(search), search === '' ? 0 : DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search, query, setQuery]);
  const result = useAtomValue(atoms.pages);
  const { data, error } = result;
  const state = pageState(result);
  return {
    ...state,
    users: data && withoutDuplicates(data.pages.flatMap(({ users }) => users)),
    total: data?.pages.at(-1)?.total ?? null,
    error,
    loading: state.loading || search !== query,
  };
}

/** A registration between two page requests shifts the list by one, so a user can be on both pages. */
function withoutDuplicates(users: AdminUser[]): AdminUser[] {
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

async function fetchPage(q: string, skip: number, signal: AbortSignal): Promise<UsersPage> {
  const query = { limit: USERS_PAGE, skip, ...(q === '' ? {} : { q }) };
  const { data, headers } = await request(adminCalls.users, { query, signal });
  return { users: data, total: Number(headers.get(TOTAL_COUNT_HEADER) ?? skip + data.length) };
}

function pagesAtom(query: PrimitiveAtom<string>) {
  return atomWithInfiniteQuery((get) => {
    const q = get(query);
    return {
      queryKey: [...usersKey, q],
      queryFn: ({ pageParam, signal }: { pageParam: number; signal: AbortSignal }) => fetchPage(q, pageParam, signal),
      initialPageParam: 0,
      getNextPageParam: (last: UsersPage, pages: UsersPage[]) => {
        const loaded = pages.reduce((sum, { users }) => sum + users.length, 0);
        return last.users.length > 0 && loaded < last.total ? loaded : null;
      },
      refetchOnMount: 'always' as const,
      refetchInterval: POLL_MS,
      // The previous search's users stay until the next ones have loaded.
      placeholderData: (before: { pages: UsersPage[]; pageParams: number[] } | undefined) => before,
    };
  });
}
