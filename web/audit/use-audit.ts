import { useRef } from 'react';
import { auditCalls } from '../../common/audit/http.ts';
import type { AuditAction, AuditEntry, AuditPage } from '../../common/audit/model.ts';
import { request } from '../http/client.ts';
import { FIRST_PAGE, type PageRequest, type PageState, pageState } from '../http/pages.ts';
import { atomWithInfiniteQuery, useAtomValue } from '../store.ts';

/** Entries per page. */
export const AUDIT_PAGE = 50;

/** The entries to fetch: all, for administrators, or those about one user. */
type AuditScope = { kind: 'all'; action: AuditAction | null; user: string } | { kind: 'user'; userId: string };

export interface AuditLog extends PageState {
  /** Newest first, as many as were requested; undefined before the first response. */
  entries: AuditEntry[] | undefined;
  error: Error | null;
}

/** Returns entries of the audit log, page by page; refetched whenever the page is opened. */
export function useAudit(scope: AuditScope): AuditLog {
  const key = keyOf(scope);
  const cached = useRef<{ key: string; pages: PagesAtom } | null>(null);
  // Compared by key: `scope` is a new object at every render, and a new atom would fetch again.
  if (cached.current?.key !== key.join()) cached.current = { key: key.join(), pages: pagesAtom(key, scope) };
  const result = useAtomValue(cached.current.pages);
  const { data, error } = result;
  return { ...pageState(result), entries: data?.pages.flatMap(({ entries }) => entries), error };
}

function keyOf(scope: AuditScope): string[] {
  return scope.kind === 'all' ? ['audit', scope.action ?? '', scope.user] : ['audit of', scope.userId];
}

type PagesAtom = ReturnType<typeof pagesAtom>;

function pagesAtom(queryKey: string[], scope: AuditScope) {
  return atomWithInfiniteQuery(() => ({
    queryKey,
    queryFn: ({ pageParam, signal }: PageRequest) => fetchPage(scope, pageParam, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last: AuditPage) => last.next,
    refetchOnMount: 'always' as const,
  }));
}

async function fetchPage(scope: AuditScope, before: string | null, signal: AbortSignal): Promise<AuditPage> {
  const page = { limit: AUDIT_PAGE, ...(before === null ? {} : { before }) };
  if (scope.kind === 'user') {
    const { data } = await request(auditCalls.ofUser, { params: { userId: scope.userId }, query: page, signal });
    return data;
  }
  const { action, user } = scope;
  const filter = { ...(action === null ? {} : { action }), ...(user === '' ? {} : { user }) };
  const { data } = await request(auditCalls.list, { query: { ...page, ...filter }, signal });
  return data;
}
