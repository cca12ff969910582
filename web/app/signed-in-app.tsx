import { Compass } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { PasswordPrompt } from '../account/password-dialog.tsx';
import { AlertBell } from '../alerts/alert-bell.tsx';
import { useDecisionEvents } from '../decisions/use-decisions.ts';
import { DeadEnd } from '../layout/dead-end.tsx';
import { Frame } from '../layout/frame.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { MenuBotLink, SidebarBotLink } from '../layout/sidebar.tsx';
import { useLive } from '../live/hooks/use-live.ts';
import { useUserRoom } from '../live/hooks/use-user-room.ts';
import { useBotAddress } from '../telegram/bot-link.tsx';
import { LocksBanner } from '../trading/header/locks-banner.tsx';
import { StoppedBanner } from '../trading/header/stopped-banner.tsx';
import { TradingControls } from '../trading/header/trading-controls.tsx';
import { useTradingEvents } from '../trading/state/use-trading-events.ts';
import { SpinnerPage } from '../ui/spinner.tsx';
import { useUserEvents } from '../users/user-cache.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { AdminOnly } from './guards.tsx';

const DashboardPage = lazy(() => import('../dashboard/dashboard-page.tsx'));
const TokenListPage = lazy(() => import('../tokens/list/list-page.tsx'));
const TokenDetailPage = lazy(() => import('../tokens/detail/detail-page.tsx'));
const RulesPage = lazy(() => import('../rules/rules-page.tsx'));
const StrategiesPage = lazy(() => import('../strategies/strategies-page.tsx'));
const TransactionsPage = lazy(() => import('../transactions/transactions-page.tsx'));
const PositionsPage = lazy(() => import('../positions/positions-page.tsx'));
const ReplayPage = lazy(() => import('../replay/replay-page.tsx'));
const WalletPage = lazy(() => import('../wallet/wallet-page.tsx'));
const SettingsPage = lazy(() => import('../settings/settings-page.tsx'));
const AdminPage = lazy(() => import('../admin/admin-page.tsx'));
const AuditPage = lazy(() => import('../audit/audit-page.tsx'));
const DiagnosticsPage = lazy(() => import('../diagnostics/diagnostics-page.tsx'));
const BotStatusPage = lazy(() => import('../telegram/bot-status-page.tsx'));

/** Routes the pages behind the login, in their frame, with the live feed that they share. */
export default function SignedInApp() {
  const [path] = useLocation();
  useLive();
  // Before the hooks that fetch: changes from before the room was joined have no event.
  useUserRoom();
  useUserEvents();
  useTradingEvents();
  useDecisionEvents();
  return (
    <Frame headerActions={<HeaderActions />} sidebarLink={<BotLink />} moreLink={<BotItem />}>
      <StoppedBanner />
      <LocksBanner />
      {/* Keyed by path, so that a page that failed does not hide the next one. */}
      <ErrorBoundary key={path}>
        <Suspense fallback={<SpinnerPage label="Loading page" />}>
          <Pages />
        </Suspense>
      </ErrorBoundary>
      <PasswordPrompt />
    </Frame>
  );
}

function Pages() {
  return (
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
      <Route path="/app/auto-buy">
        <RulesPage />
      </Route>
      <Route path="/app/auto-buy-strategies">
        <StrategiesPage />
      </Route>
      <Route path="/app/transactions">
        <TransactionsPage />
      </Route>
      <Route path="/app/positions">
        <PositionsPage />
      </Route>
      <Route path="/app/replay">
        <ReplayPage />
      </Route>
      <Route path="/app/wallet">
        <WalletPage />
      </Route>
      <Route path="/app/settings">
        <SettingsPage />
      </Route>
      <Route path="/app/admin">
        <AdminOnly>
          <AdminPage />
        </AdminOnly>
      </Route>
      <Route path="/app/admin/audit">
        <AdminOnly>
          <AuditPage />
        </AdminOnly>
      </Route>
      <Route path="/app/diagnostics">
        <AdminOnly othersTo="/">
          <DiagnosticsPage />
        </AdminOnly>
      </Route>
      <Route path="/app/telegram-status">
        <AdminOnly>
          <BotStatusPage />
        </AdminOnly>
      </Route>
      <Route component={NotFoundPage} />
    </Switch>
  );
}

function HeaderActions() {
  return (
    <>
      <TradingControls />
      <AlertBell />
    </>
  );
}

/** Keeps polls of the bot's status from rendering the whole app. */
function BotLink() {
  return <SidebarBotLink address={useBotAddress()} />;
}

function BotItem() {
  return <MenuBotLink address={useBotAddress()} />;
}

/** Page for an unknown address below `/app`. */
function NotFoundPage() {
  usePageTitle('Not found');
  return <DeadEnd icon={Compass} title="404" text="The page you're looking for doesn't exist or has been moved." />;
}
