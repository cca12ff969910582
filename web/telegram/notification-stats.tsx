import type { NotificationStats as Stats } from '../../common/telegram/model.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';
import { Card } from '../ui/card.tsx';
import { count } from '../ui/format.ts';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** How many messages of each template were sent, failed and wait, over the last 24 h. */
export function NotificationStats({ stats: { data, error, loading, reload } }: { stats: UserQuery<Stats> }) {
  return (
    <Card title="Notification Stats" actions={<span className="text-muted text-xs">last 24 h</span>}>
      {data === undefined && error === null && <Skeleton className="h-20" />}
      {data === undefined && error !== null && (
        <Problem title="Not available" text={error} onRetry={() => void reload()} busy={loading} className="py-4" />
      )}
      {data?.length === 0 && <p className="text-muted text-sm">No message has been sent in the last 24 hours.</p>}
      {data !== undefined && data.length > 0 && (
        <table className="w-full text-sm">
          <thead className="text-left text-muted text-xs">
            <tr>
              <th className="pb-1 font-medium">Template</th>
              <th className="pb-1 text-right font-medium">Sent</th>
              <th className="pb-1 text-right font-medium">Failed</th>
              <th className="pb-1 text-right font-medium">Queued</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ template, sent, failed, queued }) => (
              <tr key={template} className="border-line border-t tabular-nums">
                <td className="max-w-0 truncate py-1 pr-2" title={template}>
                  {template}
                </td>
                <td className="w-16 py-1 text-right">{count(sent)}</td>
                <td className="w-16 py-1 text-right">
                  <span className={failed > 0 ? 'text-down' : ''}>{count(failed)}</span>
                </td>
                <td className="w-16 py-1 text-right">{count(queued)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
