import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useLive } from '../live/use-live.ts';
import { SpinnerPage } from '../ui/spinner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';

const DashboardPage = lazy(() => import('../dashboard/page.tsx'));
const TokenListPage = lazy(() => import('../tokens/list-page.tsx'));
const TokenDetailPage = lazy(() => import('../tokens/detail-page.tsx'));
const NotFoundPage = lazy(() => import('../not-found/not-found-page.tsx'));

/** The pages behind the login, in their frame, with the live feed that they share. */
export default function SignedInApp() {
  const [path] = useLocation();
  useLive();
  return (
    <Frame>
      {/* By path, so that a page that failed does not keep the next one from being shown. */}
      <ErrorBoundary key={path}>
        <Suspense fallback={<SpinnerPage label="Loading page" />}>
          <Switch>
            <Route path="/app">
              <DashboardPage />
            </Route>
            <Route path="/app/tokens">
              <TokenListPage />
            </Route>
            <Route path="/app/tokens/:address">
              <TokenDetailPage />
            </Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </ErrorBoundary>
    </Frame>
  );
}
