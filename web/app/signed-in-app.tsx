import { Compass } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { PasswordPrompt } from '../account/password-prompt.tsx';
import { AlertBell } from '../alerts/alert-bell.tsx';
import { useDecisionEvents } from '../decisions/use-decisions.ts';
import { DeadEnd } from '../layout/dead-end.tsx';
import { Frame } from '../layout/frame.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import { MenuBotLink, SidebarBotLink } from '../layout/sidebar.tsx';
import { useLive } from '../live/hooks/use-live.ts';
import { useUserRoom } from '../live/hooks/use-room.ts';
import { Shortcuts } from '../shortcuts/shortcuts.tsx';
import { useBotAddress } from '../telegram/bot-link.tsx';
import { UnitSwitch } from '../tokens/display/unit-switch.tsx';
import { LocksBanner } from '../trading/header/locks-banner.tsx';
import { StoppedBanner } from '../trading/header/stopped-banner.tsx';
import { TradingControls } from '../trading/header/trading-controls.tsx';
import { useTradingEvents } from '../trading/state/use-trading-events.ts';
import { SpinnerPage } from '../ui/spinner.tsx';
import { useUserEvents } from '../users/user-cache.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { AdminOnly } from './guards.tsx';

/** Pages by their paths, in the order of the menu; `admin` names those of administrators, and where others are sent. */
const pages: readonly { path: string; Page: ComponentType; admin?: { othersTo?: string } }[] = [
  { path: '/app', Page: lazy(() => import('../dashboard/dashboard-page.tsx')) },
  { path: '/app/tokens', Page: lazy(() => import('../tokens/list/list-page.tsx')) },
  { path: '/app/tokens/:address', Page: lazy(() => import('../tokens/detail/detail-page.tsx')) },
  { path: '/app/auto-buy', Page: lazy(() => import('../rules/rules-page.tsx')) },
  { path: '/app/auto-buy-strategies', Page: lazy(() => import('../strategies/strategies-page.tsx')) },
  { path: '/app/transactions', Page: lazy(() => import('../transactions/transactions-page.tsx')) },
  { path: '/app/positions', Page: lazy(() => import('../positions/positions-page.tsx')) },
  { path: '/app/replay', Page: lazy(() => import('../replay/replay-page.tsx')) },
  { path: '/app/wallet', Page: lazy(() => import('../wallet/wallet-page.tsx')) },
  { path: '/app/settings', Page: lazy(() => import('../settings/settings-page.tsx')) },
  { path: '/app/explorer/tx/:signature', Page: lazy(() => import('../explorer/transaction-page.tsx')) },
  { path: '/app/explorer/address/:address', Page: lazy(() => import('../explorer/account-page.tsx')) },
  { path: '/app/admin', Page: lazy(() => import('../admin/admin-page.tsx')), admin: {} },
  { path: '/app/admin/audit', Page: lazy(() => import('../audit/audit-page.tsx')), admin: {} },
  {
    path: '/app/diagnostics',
    Page: lazy(() => import('../diagnostics/diagnostics-page.tsx')),
    admin: { othersTo: '/' },
  },
  { path: '/app/telegram-status', Page: lazy(() => import('../telegram/bot-status-page.tsx')), admin: {} },
];

const TOKEN_PAGE = /^\/app\/tokens\/[^/]+$/;

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
      {/* Keyed, so that another page has no state of the last one. The page of a token sees to that itself, and keeps its steps. */}
      <ErrorBoundary key={TOKEN_PAGE.test(path) ? 'token' : path} path={path}>
        <Suspense fallback={<SpinnerPage label="Loading page" />}>
          <Pages />
        </Suspense>
      </ErrorBoundary>
      <PasswordPrompt />
      <Shortcuts />
    </Frame>
  );
}

function Pages() {
  return (
    <Switch>
      {pages.map(({ path, Page, admin }) => (
        <Route key={path} path={path}>
          {admin === undefined ? (
            <Page />
          ) : (
            <AdminOnly {...admin}>
              <Page />
            </AdminOnly>
          )}
        </Route>
      ))}
      <Route component={NotFoundPage} />
    </Switch>
  );
}

function HeaderActions() {
  return (
    <>
      <UnitSwitch />
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
