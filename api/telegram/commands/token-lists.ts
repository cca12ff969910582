import { addressSchema } from '../../../common/tokens/model.ts';
import { presentToken } from '../../tokens/present.ts';
import type { ListedRecord } from '../../tokens/record.ts';
import type { Command, CommandContext } from './command.ts';
import { tokenLines } from './text.ts';

/** Tokens in one message: what fits on a phone. */
const LISTED = 5;

export const newTokens = listCommand('new', 'Newest tokens of the last hour', {
  title: 'New tokens:',
  empty: 'No new tokens in the last hour.',
  list: 'newest',
});

export const runners = listCommand('runners', 'Tokens that run', {
  title: 'Runners:',
  empty: 'No token runs right now.',
  list: 'runners',
});

export const mightRun = listCommand('mightrun', 'Tokens that might run', {
  title: 'Might run:',
  empty: 'No token might run right now.',
  list: 'mightRun',
});

/** Returns a command that lists tokens; `empty`: its reply without any. */
function listCommand(
  command: string,
  description: string,
  { title, empty, list }: { title: string; empty: string; list: 'newest' | 'runners' | 'mightRun' },
): Command {
  return {
    command,
    description,
    access: 'everyone',
    async run(_input, context) {
      const { records } = await context.queries[list]({ limit: LISTED });
      return listText(title, records, empty, context);
    },
  };
}

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
