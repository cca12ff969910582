import { telegramCalls } from '../../common/telegram/http.ts';
import type { NotificationStats } from '../../common/telegram/model.ts';
import { useRoom } from '../live/hooks/use-room.ts';
import { type UserQuery, useUserQuery } from '../live/hooks/use-user-query.ts';

/** Counts of the last 24 h by template; asked for again when the bot or a broadcast got on. */
export function useNotificationStats(): UserQuery<NotificationStats> {
  const query = useUserQuery(telegramCalls.notificationStats, {});
  useRoom('admin', {
    botStatus: () => void query.reload(),
    maintenance: (run) => {
      if (run.action === 'broadcast' && run.state !== 'running') void query.reload();
    },
  });
  return query;
}
