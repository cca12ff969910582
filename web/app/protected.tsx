import { type ReactNode, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { loadSession, loggedOutAtom, sessionAtom, sessionProblemAtom } from '../auth/session.ts';
import { useAtomValue, useStore } from '../store.ts';
import { Problem } from '../ui/problem.tsx';
import { SpinnerPage } from '../ui/spinner.tsx';
import { AdminLoading, AuthenticationError, isAdminPath } from './admin-states.tsx';

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
