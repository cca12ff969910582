import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { refreshSession, sessionAtom } from '../auth/session.ts';
import { DeadEnd } from '../layout/dead-end.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useAtomValue, useStore } from '../store.ts';
import { AdminLoading, AuthenticationError } from './admin-states.tsx';

/** State of the session check made when the page is entered. */
type Check = { state: 'checking' | 'done' } | { state: 'failed'; message: string };

/**
 * Renders its children for administrators only. Checks the session when entered, so that revoked rights have an effect;
 * afterwards the live feed keeps the session up to date. Others are sent to `othersTo`, or read 'Access Denied' without it.
 */
export function AdminOnly({ othersTo, children }: { othersTo?: string; children: ReactNode }) {
  const session = useAtomValue(sessionAtom);
  const { check, retry } = useSessionCheck();
  if (session === null) return <Redirect to="/auth" replace />;
  switch (check.state) {
    case 'checking':
      return <AdminLoading />;
    case 'failed':
      return <AuthenticationError message={check.message} onRetry={retry} />;
    case 'done':
      if (session !== 'unknown' && session.isAdmin) return children;
      return othersTo === undefined ? <AccessDenied /> : <Redirect to={othersTo} replace />;
  }
}

function useSessionCheck(): { check: Check; retry: () => void } {
  const store = useStore();
  const [check, setCheck] = useState<Check>({ state: 'checking' });
  const retry = useCallback(() => {
    setCheck({ state: 'checking' });
    void refreshSession(store).then((message) =>
      setCheck(message === null ? { state: 'done' } : { state: 'failed', message }),
    );
  }, [store]);
  useEffect(retry, [retry]);
  return { check, retry };
}

function AccessDenied() {
  usePageTitle('Admin');
  return (
    <div role="alert">
      <DeadEnd
        icon={ShieldAlert}
        title="Access Denied"
        text="You do not have administrator privileges to access this page."
      />
    </div>
  );
}
