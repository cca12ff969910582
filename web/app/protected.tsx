import { type ReactNode, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { loadSession, loggedOutAtom, sessionAtom, sessionProblemAtom } from '../auth/session.ts';
import { useAtomValue, useStore } from '../store.ts';
import { Problem } from '../ui/problem.tsx';
import { SpinnerPage } from '../ui/spinner.tsx';

/** The page that stays when the session ends while it is open, for it may show a private key that is stored nowhere yet. */
const STAYS_OPEN = '/app/wallet';

/** For signed-in visitors only: waits for the session, and sends everybody else to /auth. */
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
  if (problem === null) return <SpinnerPage label="Loading your session" />;
  return (
    <div className="grid min-h-dvh place-items-center">
      <Problem
        title="Your session could not be loaded"
        text={problem.message}
        since={problem.since}
        onRetry={() => void loadSession(store)}
      />
    </div>
  );
}
