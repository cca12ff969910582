import { auditCalls } from '../../common/audit/http.ts';
import type { AuditAction, AuditEntry } from '../../common/audit/model.ts';
import { request } from '../http/client.ts';
import type { FetchPage } from '../http/pages.ts';
import { type Pages, usePages } from '../live/hooks/use-pages.ts';

/** Entries per page. */
export const AUDIT_PAGE = 50;

/** The entries to fetch: all, for administrators, or those about one user. */
type AuditScope = { kind: 'all'; action: AuditAction | null; user: string } | { kind: 'user'; userId: string };

/** Returns entries of the audit log, newest first, page by page; refetched whenever the page is opened. */
export function useAudit(scope: AuditScope): Pages<AuditEntry> {
  const queryKey = scope.kind === 'all' ? ['audit', scope.action ?? '', scope.user] : ['audit of', scope.userId];
  return usePages({ queryKey, fetchPage: fetchEntries(scope), size: AUDIT_PAGE, pollMs: 0, refetchOnMount: 'always' });
}

function fetchEntries(scope: AuditScope): FetchPage<AuditEntry> {
  return async (before, limit, signal) => {
    const page = { limit, before: before ?? undefined };
    const { data } =
      scope.kind === 'user'
        ? await request(auditCalls.ofUser, { params: { userId: scope.userId }, query: page, signal })
        : await request(auditCalls.list, {
            query: { ...page, action: scope.action ?? undefined, user: scope.user || undefined },
            signal,
          });
    return { rows: data.entries, total: null, next: data.next };
  };
}
