import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { loadSession, sessionAtom, sessionProblemAtom } from '../auth/session.ts';
import { useAtomValue, useStore } from '../store.ts';
import { Problem } from '../ui/problem.tsx';
import { SpinnerPage } from '../ui/spinner.tsx';

/** For signed-in visitors only: waits for the session, and sends everybody else to /auth. */
export function Protected({ children }: { children: ReactNode }) {
  const session = useAtomValue(sessionAtom);
  const problem = useAtomValue(sessionProblemAtom);
  const store = useStore();
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
