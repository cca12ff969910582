import { useRef } from 'react';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { request } from '../http/client.ts';
import type { FetchPage } from '../http/pages.ts';
import { type Pages, usePages } from '../live/hooks/use-pages.ts';

/** Poll interval, ms: no event reports changes by other administrators or newly linked chats. */
const POLL_MS = 30_000;
export const USERS_PAGE = 24;

/** Prefix of the cache keys of all searches. */
export const usersKey = [adminCalls.users.path, 'pages'];

/** Returns users whose username or messaging id begins with `search`, newest first, page by page. */
export function useAdminUsers(search: string): Pages<AdminUser> {
  const pages = usePages({
    queryKey: [...usersKey, search],
    fetchPage: fetchUsers(search),
    size: USERS_PAGE,
    pollMs: POLL_MS,
    refetchOnMount: 'always',
  });
  // The previous search's users stay until the next ones have loaded.
  const latest = useRef(pages);
  if (pages.data !== undefined || pages.error !== null) latest.current = pages;
  return { ...pages, data: latest.current.data, total: latest.current.total };
}

/** The cursor is the number of users before the page. */
function fetchUsers(q: string): FetchPage<AdminUser> {
  return async (before, limit, signal) => {
    const skip = Number(before ?? 0);
    const query = { limit, skip, q: q || undefined };
    const { data, headers } = await request(adminCalls.users, { query, signal });
    const total = Number(headers.get(TOTAL_COUNT_HEADER) ?? skip + data.length);
    const loaded = skip + data.length;
    return { rows: data, total, next: data.length > 0 && loaded < total ? String(loaded) : null };
  };
}
