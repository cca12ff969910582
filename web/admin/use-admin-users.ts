import { useEffect, useState } from 'react';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { request } from '../http/client.ts';
import { atom, atomWithInfiniteQuery, type PrimitiveAtom, useAtom, useAtomValue } from '../store.ts';

/** The list is fetched this often: no event says what other administrators did, or that a chat was linked. */
const POLL_MS = 30_000;
/** How long typing must rest before the server is asked. */
const SEARCH_REST_MS = 250;
export const USERS_PAGE = 24;

/** The cache key of all pages of all searches. */
export const usersKey = [adminCalls.users.path, 'pages'];

export interface UsersPage {
  users: AdminUser[];
  total: number;
}

export interface AdminUsers {
  /** Newest first, as far as they were asked for; undefined before the first answer. */
  users: AdminUser[] | undefined;
  /** How many match in all; null while not known. */
  total: number | null;
  error: Error | null;
  /** A fetch of the first pages is under way, e.g. of another search. */
  loading: boolean;
  reload: () => void;
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
}

/** Users whose username or messaging id begins with `search`, a page at a time. All pages are fetched anew together. */
export function useAdminUsers(search: string): AdminUsers {
  const [atoms] = useState(() => {
    const wanted = atom('');
    return { wanted, pages: pagesAtom(wanted) };
  });
  const [wanted, setWanted] = useAtom(atoms.wanted);
  useEffect(() => {
    if (search === wanted) return;
    // An emptied box has nothing to wait for.
    const timer = setTimeout(() => setWanted(search), search === '' ? 0 : SEARCH_REST_MS);
    return () => clearTimeout(timer);
  }, [search, wanted, setWanted]);
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAtomValue(
    atoms.pages,
  );
  return {
    users: data && eachOnce(data.pages.flatMap(({ users }) => users)),
    total: data?.pages.at(-1)?.total ?? null,
    error,
    loading: (isFetching && !isFetchingNextPage) || search !== wanted,
    reload: () => void refetch(),
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    loadingMore: isFetchingNextPage,
  };
}

/** Whoever registers between two pages moves everybody down by one, so that a user can be on both. */
function eachOnce(users: AdminUser[]): AdminUser[] {
  return [...new Map(users.map((user) => [user.id, user])).values()];
}

async function fetchPage(q: string, skip: number, signal: AbortSignal): Promise<UsersPage> {
  const query = { limit: USERS_PAGE, skip, ...(q === '' ? {} : { q }) };
  const { data, headers } = await request(adminCalls.users, { query, signal });
  return { users: data, total: Number(headers.get(TOTAL_COUNT_HEADER) ?? skip + data.length) };
}

function pagesAtom(wanted: PrimitiveAtom<string>) {
  return atomWithInfiniteQuery((get) => {
    const q = get(wanted);
    return {
      queryKey: [...usersKey, q],
      queryFn: ({ pageParam, signal }: { pageParam: number; signal: AbortSignal }) => fetchPage(q, pageParam, signal),
      initialPageParam: 0,
      getNextPageParam: (last: UsersPage, pages: UsersPage[]) => {
        const known = pages.reduce((sum, { users }) => sum + users.length, 0);
        return last.users.length > 0 && known < last.total ? known : null;
      },
      refetchOnMount: 'always' as const,
      refetchInterval: POLL_MS,
      // The users of the search before stay until the next ones are here.
      placeholderData: (before: { pages: UsersPage[]; pageParams: number[] } | undefined) => before,
    };
  });
}
