import { telegramCalls } from '../../common/telegram/http.ts';
import type { BotStatus } from '../../common/telegram/model.ts';
import { useIsAdmin } from '../auth/session.ts';
import { useRoomQuery } from '../live/hooks/use-room.ts';
import type { UserQuery } from '../live/hooks/use-user-query.ts';

/** The bot's status: live by `bot-status`, fetched every 60 s while the socket is down (P1). */
export function useBotStatus(): UserQuery<BotStatus> {
  const isAdmin = useIsAdmin();
  return useRoomQuery(telegramCalls.status, {}, isAdmin ? 'admin' : null, (update) => ({
    botStatus: (said) => update((before) => (isAdmin ? withDetails(before, said) : said)),
  }));
}

/** What everybody hears has no details: an administrator keeps those that are known until the next event with them. */
export function withDetails(before: BotStatus, said: BotStatus): BotStatus {
  if (said.updates !== null || before.updates === null) return said;
  const { configured, connected, botUsername, botName, commands } = said;
  return { ...before, configured, connected, botUsername, botName, commands };
}

/** The bot works: it has its token, and Telegram answers. */
export function isActive(status: BotStatus): boolean {
  return status.configured && status.connected;
}
