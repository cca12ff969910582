import { useRef } from 'react';
import { auditCalls } from '../../common/audit/http.ts';
import type { AuditAction, AuditEntry, AuditPage } from '../../common/audit/model.ts';
import { request } from '../http/client.ts';
import { atomWithInfiniteQuery, useAtomValue } from '../store.ts';

/** Entries a page has. */
export const AUDIT_PAGE = 50;

/** Whose entries: everybody's, for administrators, or those that concern one user. */
export type AuditOf = { kind: 'all'; action: AuditAction | null; user: string } | { kind: 'user'; userId: string };

export interface UsedAudit {
  /** Newest first, as far as they were asked for; undefined before the first answer. */
  entries: AuditEntry[] | undefined;
  error: Error | null;
  loading: boolean;
  reload: () => void;
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
}

/** Entries of the audit log, a page at a time; fetched anew whenever the page is opened. */
export function useAudit(of: AuditOf): UsedAudit {
  const key = keyOf(of);
  const held = useRef<{ key: string; pages: PagesAtom } | null>(null);
  // By key: `of` is another object at every render, and another atom would ask again.
  if (held.current?.key !== key.join()) held.current = { key: key.join(), pages: pagesAtom(key, of) };
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAtomValue(
    held.current.pages,
  );
  return {
    entries: data?.pages.flatMap(({ entries }) => entries),
    error,
    loading: isFetching && !isFetchingNextPage,
    reload: () => void refetch(),
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    loadingMore: isFetchingNextPage,
  };
}

function keyOf(of: AuditOf): string[] {
  return of.kind === 'all' ? ['audit', of.action ?? '', of.user] : ['audit of', of.userId];
}

type PagesAtom = ReturnType<typeof pagesAtom>;

const FIRST_PAGE: string | null = null;

function pagesAtom(queryKey: string[], of: AuditOf) {
  return atomWithInfiniteQuery(() => ({
    queryKey,
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      fetchPage(of, pageParam, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last: AuditPage) => last.next,
    refetchOnMount: 'always' as const,
  }));
}

async function fetchPage(of: AuditOf, before: string | null, signal: AbortSignal): Promise<AuditPage> {
  const page = { limit: AUDIT_PAGE, ...(before === null ? {} : { before }) };
  if (of.kind === 'user') {
    const { data } = await request(auditCalls.ofUser, { params: { userId: of.userId }, query: page, signal });
    return data;
  }
  const filter = { ...(of.action === null ? {} : { action: of.action }), ...(of.user === '' ? {} : { user: of.user }) };
  const { data } = await request(auditCalls.list, { query: { ...page, ...filter }, signal });
  return data;
}
