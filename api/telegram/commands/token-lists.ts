import { addressSchema } from '../../../common/tokens/model.ts';
import { presentToken } from '../../tokens/present.ts';
import type { ListedRecord } from '../../tokens/record.ts';
import type { Command, CommandContext } from './command.ts';
import { tokenLines } from './text.ts';

/** Tokens in one message: what fits on a phone. */
const LISTED = 5;

export const newTokens: Command = {
  command: 'new',
  description: 'Newest tokens of the last hour',
  access: 'everyone',
  run: async (_input, context) =>
    listText(
      'New tokens:',
      (await context.queries.newest({ limit: LISTED })).records,
      'No new tokens in the last hour.',
      context,
    ),
};

export const runners: Command = {
  command: 'runners',
  description: 'Tokens that run',
  access: 'everyone',
  run: async (_input, context) =>
    listText(
      'Runners:',
      (await context.queries.runners({ limit: LISTED })).records,
      'No token runs right now.',
      context,
    ),
};

export const mightRun: Command = {
  command: 'mightrun',
  description: 'Tokens that might run',
  access: 'everyone',
  run: async (_input, context) =>
    listText(
      'Might run:',
      (await context.queries.mightRun({ limit: LISTED })).records,
      'No token might run right now.',
      context,
    ),
};

export const watch: Command = {
  command: 'watch',
  description: 'Put a token on your watchlist',
  access: 'linked',
  async run({ args, user }, context) {
    const userId = user._id.toHexString();
    if (args === '') {
      const tokens = await context.watchlists.tokens(userId, 'watch');
      return listText('You watch:', tokens, 'You watch no token. Send /watch <address>.', context);
    }
    if (!addressSchema.safeParse(args).success) return 'This is no token address. Send /watch <address>.';
    const { address } = await context.watchlists.add(userId, 'watch', args);
    return `On your watchlist:\n${address}`;
  },
};

/** Returns the tokens under a title, or `empty` without tokens. */
function listText(
  title: string,
  records: readonly ListedRecord[],
  empty: string,
  { clock, publicUrl }: Pick<CommandContext, 'clock' | 'publicUrl'>,
): string {
  if (records.length === 0) return empty;
  const blocks = records.slice(0, LISTED).map((record) => tokenLines(presentToken(record), clock.now(), publicUrl));
  return [title, ...blocks].join('\n\n');
}
