import { lazy, Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { movedPages } from '../../common/paths.ts';
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
const DirectAdminPage = lazy(() => import('../direct-admin/direct-admin-page.tsx'));
const SignedInApp = lazy(() => import('./signed-in-app.tsx'));

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
            <Route component={OtherPage} />
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
  if (session === null || problem !== null) return <OtherPage />;
  if (session === 'unknown') return <SpinnerPage label="Loading" />;
  return <Redirect to="/app" replace />;
}

/** Loads the front page, which is a page of its own (front.html): the server sends it for every address that the app lacks. */
function OtherPage() {
  const [path] = useLocation();
  useEffect(() => {
    // This very address was sent as a page of the app: loading it again would never end.
    const [loaded] = performance.getEntriesByType('navigation');
    if (loaded === undefined || new URL(loaded.name).pathname !== path) window.location.replace(path);
  }, [path]);
  return <SpinnerPage label="Loading" />;
}
