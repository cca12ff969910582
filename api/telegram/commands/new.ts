import type { Command } from './command.ts';
import { LISTED, listText } from './token-list.ts';

export const newTokens: Command = {
  command: 'new',
  description: 'Newest tokens of the last hour',
  access: 'everyone',
  run: async (_input, context) =>
    listText('New tokens:', await context.queries.newest(LISTED), 'No new tokens in the last hour.', context),
};
