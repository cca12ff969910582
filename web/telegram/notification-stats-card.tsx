import { telegramCalls } from '../../common/telegram/http.ts';
import type { NotificationStats } from '../../common/telegram/model.ts';
import { Loaded } from '../http/loaded.tsx';
import { useLiveEvent, useRoom } from '../live/hooks/use-room.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';
import { Card } from '../ui/card.tsx';
import { type DataColumn, DataTable } from '../ui/data-table.tsx';
import { count } from '../ui/format.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** Returns message counts of the last 24 h by template; refetched after every bot event and every broadcast. */
export function useNotificationStats(): UserQuery<NotificationStats> {
  const query = useUserQuery(telegramCalls.notificationStats, {});
  useRoom('admin');
  useLiveEvent('bot-status', () => void query.reload());
  useLiveEvent('maintenance', (run) => {
    if (run.action === 'broadcast' && run.state !== 'running') void query.reload();
  });
  return query;
}

const columns: readonly DataColumn<NotificationStats[number]>[] = [
  {
    id: 'template',
    label: 'Template',
    cellClass: 'max-w-0 truncate',
    cell: ({ template }) => <span title={template}>{template}</span>,
  },
  { id: 'sent', label: 'Sent', align: 'right', className: 'w-16', cell: ({ sent }) => count(sent) },
  {
    id: 'failed',
    label: 'Failed',
    align: 'right',
    className: 'w-16',
    cell: ({ failed }) => <span className={failed > 0 ? 'text-down' : ''}>{count(failed)}</span>,
  },
  { id: 'queued', label: 'Queued', align: 'right', className: 'w-16', cell: ({ queued }) => count(queued) },
];

interface Props {
  stats: UserQuery<NotificationStats>;
}

/** Counts of sent, failed and queued messages of each template over the last 24 h. */
export function NotificationStatsCard({ stats }: Props) {
  return (
    <Card title="Notification Stats" actions={<span className="text-muted text-xs">last 24 h</span>}>
      <Loaded query={stats} problem="Not available" bare className="py-4" waiting={<Skeleton className="h-20" />}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted text-sm">No message has been sent in the last 24 hours.</p>
          ) : (
            <DataTable label="Messages by template" columns={columns} rows={rows} rowId={({ template }) => template} />
          )
        }
      </Loaded>
    </Card>
  );
}
