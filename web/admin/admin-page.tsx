import { LogIn, ScrollText, ShieldCheck } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminStats } from '../../common/admin/model.ts';
import { sessionAtom } from '../auth/session.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { useAddressTab } from '../layout/use-address-tab.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { useAtomValue } from '../store.ts';
import { TemplatesTab } from '../templates/templates-tab.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { SpinnerPage } from '../ui/spinner.tsx';
import { StatCard } from '../ui/stat-card.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { UsersTab } from './users-tab.tsx';

const TokensTab = lazy(() => import('./tokens-tab.tsx'));
const SystemTab = lazy(() => import('./system-tab.tsx'));

/** The administrators' dashboard: totals, and tabs for users, tokens, the system and templates. */
export default function AdminPage() {
  usePageTitle('Admin');
  const stats = useRoomQuery(adminCalls.stats, {}, 'admin', 'admin-stats', (_before, stats) => stats);
  const [tab, setTab] = useAddressTab(['users', 'tokens', 'system', 'templates']);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Identity />
      <Totals stats={stats} />
      <Tabs
        label="Administration"
        tab={tab}
        onTab={setTab}
        tabs={[
          { id: 'users', label: 'User Management', content: <UsersTab totalUsers={stats.data?.users.total ?? null} /> },
          { id: 'tokens', label: 'Token Management', content: <LazyTab>{<TokensTab />}</LazyTab> },
          { id: 'system', label: 'System Status', content: <LazyTab>{<SystemTab />}</LazyTab> },
          { id: 'templates', label: 'Notification Templates', content: <TemplatesTab /> },
        ]}
      />
    </div>
  );
}

function LazyTab({ children }: { children: ReactNode }) {
  return <Suspense fallback={<SpinnerPage label="Loading tab" />}>{children}</Suspense>;
}

/** The user's role and name. */
function Identity() {
  const session = useAtomValue(sessionAtom);
  return (
    <div className="flex min-w-0 items-center gap-2">
      <Badge tone="accent" icon={<ShieldCheck size={12} strokeWidth={1.75} aria-hidden="true" />}>
        Admin
      </Badge>
      {session !== null && session !== 'unknown' && (
        <span className="min-w-0 truncate font-medium text-sm">{session.username}</span>
      )}
      <span className="ml-auto">
        <ButtonLink href="/app/admin/audit" size="sm">
          <ScrollText size={14} strokeWidth={1.75} aria-hidden="true" />
          Audit log
        </ButtonLink>
      </span>
    </div>
  );
}

const cards: readonly { label: string; read: (stats: AdminStats) => number; hint: string }[] = [
  { label: 'Total Users', read: ({ users }) => users.total, hint: 'Accounts' },
  { label: 'Active Users', read: ({ users }) => users.active, hint: 'Accounts that may sign in' },
  { label: 'Total Tokens', read: ({ tokens }) => tokens.total, hint: 'Stored now' },
  { label: 'New Tokens (24h)', read: ({ tokens }) => tokens.last24h, hint: 'Detected in the last 24 hours' },
];

function Totals({ stats: { data, error, loading, reload } }: { stats: UserQuery<AdminStats> }) {
  if (data === undefined && error !== null) return <StatsProblem text={error} busy={loading} onRetry={reload} />;
  const waiting = data === undefined;
  return (
    <div
      className="grid grid-cols-2 gap-3 lg:grid-cols-4"
      {...(waiting ? { role: 'status', 'aria-label': 'Loading admin dashboard' } : {})}
    >
      {cards.map(({ label, read, hint }) =>
        waiting ? (
          <Skeleton key={label} className="h-[107px] rounded-lg" />
        ) : (
          <StatCard key={label} label={label} value={count(read(data))} hint={hint} />
        ),
      )}
    </div>
  );
}

function StatsProblem({ text, busy, onRetry }: { text: string; busy: boolean; onRetry: () => Promise<void> }) {
  return (
    <div role="alert">
      <Notice
        tone="danger"
        title="The admin dashboard could not be loaded"
        action={
          <span className="flex gap-2">
            <Button size="sm" busy={busy} onClick={() => void onRetry()}>
              Retry
            </Button>
            <ButtonLink href="/auth" size="sm">
              <LogIn size={14} strokeWidth={1.75} aria-hidden="true" />
              Return to Login
            </ButtonLink>
          </span>
        }
      >
        {text}
      </Notice>
    </div>
  );
}
