import { LogIn, RotateCw, ShieldAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { askSession, sessionAtom } from '../auth/session.ts';
import { DeadEnd } from '../layout/dead-end.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useAtomValue, useStore } from '../store.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** Whether the server was asked who is here since the page was entered, and why it could not say. */
type Check = { state: 'asking' | 'answered' } | { state: 'failed'; message: string };

/**
 * For administrators only. Asks the server again when it is entered, so that nobody works with rights that were taken from
 * them; from then on the session is kept up to date by the live feed. `othersTo`: where others are sent, rather than told.
 */
export function AdminOnly({ othersTo, children }: { othersTo?: string; children: ReactNode }) {
  const session = useAtomValue(sessionAtom);
  const { check, ask } = useCheck();
  if (session === null) return <Redirect to="/auth" replace />;
  switch (check.state) {
    case 'asking':
      return (
        <div role="status" className="flex min-h-[60dvh] items-center justify-center gap-3 text-muted">
          <Spinner className="size-5 text-accent" />
          Loading admin access...
        </div>
      );
    case 'failed':
      return <AuthenticationError message={check.message} onRetry={ask} />;
    case 'answered':
      if (session !== 'unknown' && session.isAdmin) return children;
      return othersTo === undefined ? <AccessDenied /> : <Redirect to={othersTo} replace />;
  }
}

function useCheck(): { check: Check; ask: () => void } {
  const store = useStore();
  const [check, setCheck] = useState<Check>({ state: 'asking' });
  const ask = useCallback(() => {
    setCheck({ state: 'asking' });
    void askSession(store).then((message) =>
      setCheck(message === null ? { state: 'answered' } : { state: 'failed', message }),
    );
  }, [store]);
  useEffect(ask, [ask]);
  return { check, ask };
}

function AuthenticationError({ message, onRetry }: { message: string; onRetry: () => void }) {
  usePageTitle('Admin');
  return (
    <div role="alert" className="grid min-h-[70dvh] place-items-center">
      <Empty
        icon={TriangleAlert}
        title="Authentication Error"
        text={message}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <ButtonLink href="/auth" variant="primary">
              <LogIn size={16} strokeWidth={1.75} aria-hidden="true" />
              Return to Login
            </ButtonLink>
            <Button onClick={onRetry}>
              <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
              Retry
            </Button>
          </span>
        }
      />
    </div>
  );
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
