import type { Command } from './command.ts';
import { LISTED, listText } from './token-list.ts';

export const mightRun: Command = {
  command: 'mightrun',
  description: 'Tokens that might run',
  access: 'everyone',
  run: async (_input, context) =>
    listText('Might run:', await context.queries.mightRun(LISTED), 'No token might run right now.', context),
};
