import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { telegramCalls } from '../../common/telegram/http.ts';
import type { BotStatus } from '../../common/telegram/model.ts';
import { Loaded } from '../http/loaded.tsx';
import { usePageTitle } from '../layout/page-title.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { queryClientAtom, useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { utcTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';
import { BotFacts, ConnectionDetails, RecentUpdates, UserConnections } from './bot-status-cards.tsx';
import { BroadcastBox } from './broadcast-box.tsx';
import { NotificationStatsCard, useNotificationStats } from './notification-stats-card.tsx';
import { type DetailedStatus, useBotStatus } from './use-bot-status.ts';

/** The administrators' page about the bot: connection, chats, messages and broadcasts. */
export default function BotStatusPage() {
  usePageTitle('Telegram Status');
  const status = useBotStatus();
  const stats = useNotificationStats();
  const store = useStore();
  async function refresh(): Promise<void> {
    await Promise.all([status.reload(), stats.reload()]);
    // A failed refresh shows its error above the old figures instead.
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
      <Content status={status} stats={<NotificationStatsCard stats={stats} />} />
    </div>
  );
}

function Content(props: { status: UserQuery<BotStatus>; stats: ReactNode }) {
  const { status, stats } = props;
  // A response without details was for an ordinary user; the next one is for an administrator, as only they open this page.
  const data = status.data?.updates === null ? undefined : status.data;
  return (
    <Loaded
      query={{ ...status, data }}
      problem="Connection error"
      outdated="data"
      waiting={
        <div role="status" aria-label="Loading the bot status" className="grid gap-3 md:grid-cols-2">
          <Skeleton className="h-40 rounded-lg" />
          <Skeleton className="h-40 rounded-lg" />
        </div>
      }
    >
      {(detailed) => (
        <>
          {(detailed.error !== null || (detailed.configured && !detailed.connected)) && (
            <ConnectionProblem status={detailed} />
          )}
          <div className="grid min-w-0 gap-3 md:grid-cols-2 xl:grid-cols-3">
            <BotFacts status={detailed} />
            <UserConnections status={detailed} />
            <RecentUpdates status={detailed} />
            {stats}
            <BroadcastBox status={detailed} />
            <ConnectionDetails status={detailed} />
          </div>
        </>
      )}
    </Loaded>
  );
}

/** The connection error and steps to fix it. */
function ConnectionProblem({ status }: { status: DetailedStatus }) {
  return (
    <div role="alert">
      <Notice tone="danger" title="Connection error">
        <p className="break-words">{status.error ?? 'Telegram does not respond.'}</p>
        {status.retryAt !== null && <p>The next attempt is at {utcTime(status.retryAt)}.</p>}
        <ul aria-label="Troubleshooting" className="mt-1 list-disc pl-5">
          <li>Check the bot key: TELEGRAM_BOT_TOKEN must be the one that BotFather gave.</li>
          <li>Run only one bot instance: Telegram lets one program at a time read a bot’s messages.</li>
          <li>Check network: this server must reach {status.apiHost}.</li>
          <li>Check server logs for refused requests.</li>
        </ul>
      </Notice>
    </div>
  );
}
