import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { endSession, sessionAtom, sessionProblemAtom } from '../auth/session.ts';
import { onUnauthenticated } from '../http/client.ts';
import { useThemeOnPage } from '../layout/theme.ts';
import { useAtomValue, useStore } from '../store.ts';
import { SpinnerPage } from '../ui/spinner.tsx';
import { Toaster } from '../ui/toast.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Protected } from './guards.tsx';

const AuthPage = lazy(() => import('../auth/auth-page.tsx'));
const ComingSoonPage = lazy(() => import('../coming-soon/coming-soon-page.tsx'));
const DirectAdminPage = lazy(() => import('../direct-admin/direct-admin-page.tsx'));
const SignedInApp = lazy(() => import('./signed-in-app.tsx'));

/** Pages of the earlier variant that only lost their prefix. */
const movedPages = [
  '/auto-buy',
  '/auto-buy-strategies',
  '/transactions',
  '/wallet',
  '/settings',
  '/admin',
  '/diagnostics',
  '/telegram-status',
];

/** Routes every path. The canonical paths begin with `/app`; those of the earlier variant redirect there. */
export function App() {
  const store = useStore();
  useThemeOnPage();
  useEffect(() => onUnauthenticated(() => endSession(store)), [store]);
  return (
    <TooltipProvider>
      <ErrorBoundary>
        <Suspense fallback={<SpinnerPage label="Loading" />}>
          <Switch>
            <Route path="/" component={FrontPage} />
            <Route path="/auth" component={AuthPage} />
            <Route path="/direct-admin" component={DirectAdminPage} />
            <Route path="/dashboard">
              <Redirect to="/app" replace />
            </Route>
            <Route path="/tokens">
              <Redirect to="/app/tokens" replace />
            </Route>
            <Route path="/tokens/:address">
              {({ address }) => <Redirect to={`/app/tokens/${encodeURIComponent(address)}`} replace />}
            </Route>
            {movedPages.map((path) => (
              <Route key={path} path={path}>
                <Redirect to={`/app${path}`} replace />
              </Route>
            ))}
            <Route path="/app/*?">
              <Protected>
                <SignedInApp />
              </Protected>
            </Route>
            <Route component={ComingSoonPage} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
      <Toaster />
    </TooltipProvider>
  );
}

/** Redirects signed-in visitors from `/` to their dashboard; shows a spinner until the session is known. */
function FrontPage() {
  const session = useAtomValue(sessionAtom);
  const problem = useAtomValue(sessionProblemAtom);
  if (session === null || problem !== null) return <ComingSoonPage />;
  if (session === 'unknown') return <SpinnerPage label="Loading" />;
  return <Redirect to="/app" replace />;
}
