import type { BotStatus } from '../../../common/telegram/model.ts';
import type { DetailedStatus } from '../use-bot-status.ts';

const commands = ['start', 'help', 'status', 'new', 'runners', 'mightrun', 'token', 'watch'].map((command) => ({
  command,
  description: `does ${command}`,
}));

const noDetails = {
  botInfo: null,
  activeUserCount: null,
  updates: null,
  recentMessages: null,
  error: null,
  lastContactAt: null,
  retryAt: null,
  apiHost: null,
};

/** The status of a server without a bot, as users receive it. */
export const noBot: BotStatus = {
  configured: false,
  connected: false,
  botUsername: null,
  botName: null,
  commands: [],
  ...noDetails,
};

/** The status of a working bot, as users receive it. */
export const workingBot: BotStatus = {
  configured: true,
  connected: true,
  botUsername: 'mintwatch_bot',
  botName: 'Mintwatch',
  commands,
  ...noDetails,
};

/** The status of a working bot, as administrators receive it. */
export function detailed(fields: Partial<DetailedStatus> = {}): DetailedStatus {
  const { configured, connected, botUsername, botName } = workingBot;
  return {
    configured,
    connected,
    botUsername,
    botName,
    commands,
    botInfo: {
      id: 4242,
      username: 'mintwatch_bot',
      first_name: 'Mintwatch',
      can_join_groups: false,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    },
    activeUserCount: 2,
    updates: 17,
    recentMessages: [],
    error: null,
    lastContactAt: '2026-01-02T03:04:05.000Z',
    retryAt: null,
    apiHost: 'api.telegram.org',
    ...fields,
  };
}
