import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { telegramCalls } from '../../common/telegram/http.ts';
import type { BotStatus } from '../../common/telegram/model.ts';
import { usePageTitle } from '../layout/page-title.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';
import { BotFacts, ConnectionDetails, RecentUpdates, UserConnections } from './bot-status-cards.tsx';
import { BroadcastBox } from './broadcast-box.tsx';
import { ConnectionProblem } from './connection-problem.tsx';
import { NotificationStats } from './notification-stats.tsx';
import { useBotStatus } from './use-bot-status.ts';
import { useNotificationStats } from './use-notification-stats.ts';

/** What the bot does, whom it reaches and what is wrong with it; for administrators. */
export default function BotStatusPage() {
  usePageTitle('Telegram Status');
  const status = useBotStatus();
  const stats = useNotificationStats();
  const store = useStore();
  async function refresh(): Promise<void> {
    await Promise.all([status.reload(), stats.reload()]);
    // A failure stands above the figures, which are then old.
    if (store.get(queryClientAtom).getQueryState([telegramCalls.status.path])?.status === 'success') {
      toast({ title: 'Status refreshed' });
    }
  }
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-muted text-sm">The Telegram bot, its chats and its messages</p>
        <Button size="sm" busy={status.loading} onClick={() => void refresh()}>
          <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />
          Refresh
        </Button>
      </div>
      <Content status={status} stats={<NotificationStats stats={stats} />} />
    </div>
  );
}

function Content({
  status: { data, error, loading, reload },
  stats,
}: {
  status: UserQuery<BotStatus>;
  stats: ReactNode;
}) {
  if (data === undefined && error !== null) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <Problem title="Connection error" text={error} onRetry={() => void reload()} busy={loading} />
      </div>
    );
  }
  // Without details this is not an administrator's answer: the next one will be, for the page is theirs alone.
  if (data === undefined || data.updates === null) {
    return (
      <div role="status" aria-label="Loading the bot status" className="grid gap-3 md:grid-cols-2">
        <Skeleton className="h-40 rounded-lg" />
        <Skeleton className="h-40 rounded-lg" />
      </div>
    );
  }
  return (
    <>
      {error !== null && (
        <Notice tone="warning" title="Connection error">
          {error} What is shown may be out of date.
        </Notice>
      )}
      {(data.error !== null || (data.configured && !data.connected)) && <ConnectionProblem status={data} />}
      <div className="grid min-w-0 items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        <BotFacts status={data} />
        <UserConnections status={data} />
        <RecentUpdates status={data} />
        {stats}
        <BroadcastBox status={data} />
        <ConnectionDetails status={data} />
      </div>
    </>
  );
}
