import { addressSchema } from '../../../common/tokens/model.ts';
import type { Command } from './command.ts';
import { listText } from './token-list.ts';

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
