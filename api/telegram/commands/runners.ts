import type { Command } from './command.ts';
import { LISTED, listText } from './token-list.ts';

export const runners: Command = {
  command: 'runners',
  description: 'Tokens that run',
  access: 'everyone',
  run: async (_input, context) =>
    listText('Runners:', await context.queries.runners(LISTED), 'No token runs right now.', context),
};
