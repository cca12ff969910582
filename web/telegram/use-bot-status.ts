import { telegramCalls } from '../../common/telegram/http.ts';
import type { BotStatus } from '../../common/telegram/model.ts';
import { useIsAdmin } from '../auth/session.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

/** The status as administrators receive it. */
export type DetailedStatus = Exclude<BotStatus, { updates: null }>;

/** Returns the bot's status: updated by `bot-status` events, fetched every 60 s while the socket is down (P1). */
export function useBotStatus(): UserQuery<BotStatus> {
  const isAdmin = useIsAdmin();
  return useRoomQuery(telegramCalls.status, {}, isAdmin ? 'admin' : null, 'bot-status', (before, status) =>
    isAdmin ? withDetails(before, status) : status,
  );
}

/** Events for all users have no details, so an administrator keeps the known ones until the next event that has them. */
function withDetails(before: BotStatus, status: BotStatus): BotStatus {
  if (status.updates !== null || before.updates === null) return status;
  const { configured, connected, botUsername, botName, commands } = status;
  return { ...before, configured, connected, botUsername, botName, commands };
}

/** Returns whether the bot works: it has a token, and Telegram responds. */
export function isActive(status: BotStatus): boolean {
  return status.configured && status.connected;
}
