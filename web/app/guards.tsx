import { LogIn, RotateCw, ShieldAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { loadSession, loggedOutAtom, refreshSession, sessionAtom, sessionProblemAtom } from '../auth/session.ts';
import { DeadEnd } from '../layout/dead-end.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { useAtomValue, useStore } from '../store.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Problem } from '../ui/problem.tsx';
import { Spinner, SpinnerPage } from '../ui/spinner.tsx';

/** The page that stays open when the session ends: it may show a private key that is not stored yet. */
const STAYS_OPEN = '/app/wallet';

/** Renders its children for signed-in visitors: waits for the session, and sends others to /auth. */
export function Protected({ children }: { children: ReactNode }) {
  const session = useAtomValue(sessionAtom);
  const problem = useAtomValue(sessionProblemAtom);
  const loggedOut = useAtomValue(loggedOutAtom);
  const store = useStore();
  const [path] = useLocation();
  const [wasOpen, setWasOpen] = useState(false);
  if (session !== null && session !== 'unknown' && !wasOpen) setWasOpen(true);
  if (session === null && wasOpen && path === STAYS_OPEN && !loggedOut) return children;
  if (session === null) return <Redirect to="/auth" replace />;
  if (session !== 'unknown') return children;
  const admin = isAdminPath(path);
  if (problem === null) return admin ? <AdminLoading /> : <SpinnerPage label="Loading your session" />;
  const retry = () => void loadSession(store);
  if (admin) return <AuthenticationError message={problem.message} onRetry={retry} />;
  return (
    <div className="grid min-h-dvh place-items-center">
      <Problem title="Your session could not be loaded" text={problem.message} since={problem.since} onRetry={retry} />
    </div>
  );
}

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

const adminPaths = ['/app/admin', '/app/diagnostics', '/app/telegram-status'];

/** Returns whether a path is one of the administrators' pages. */
function isAdminPath(path: string): boolean {
  return adminPaths.some((root) => path === root || path.startsWith(`${root}/`));
}

/** Shown while the session check of an administrators' page runs (specification, section 2.3). */
function AdminLoading() {
  return (
    <div role="status" className="flex min-h-[60dvh] items-center justify-center gap-3 text-muted">
      <Spinner className="size-5 text-accent" />
      Loading admin access...
    </div>
  );
}

/** Shown when that check failed. `message`: the reason, in one sentence. */
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
