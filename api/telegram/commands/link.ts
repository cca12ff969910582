import { FROM_TELEGRAM } from '../links/service.ts';
import type { Command, CommandContext, CommandInput } from './command.ts';
import { linkInstructions } from './text.ts';

const WELCOME = 'Welcome to Mintwatch. It watches new Solana tokens and scores their risk. /help lists the commands.';

export const start: Command = {
  command: 'start',
  description: 'Start the bot, or link your account',
  access: 'everyone',
  run(input, context) {
    if (input.args !== '') return link(input, context);
    if (input.user) return `${WELCOME}\n\n${linkedTo(input.user.username)}`;
    return `${WELCOME}\n\n${linkInstructions(context.publicUrl)}`;
  },
};

export const unlink: Command = {
  command: 'unlink',
  description: 'Unlink this chat from your account',
  access: 'linked',
  async run({ user }, { links }) {
    await links.unlink(user._id.toHexString(), { user, address: FROM_TELEGRAM });
    return `This chat is no longer linked to ${user.username}. You get no more alerts here.`;
  },
};

async function link({ args, chat, user }: CommandInput, { links }: CommandContext): Promise<string> {
  const result = await links.redeem(args, chat);
  if ('linked' in result) return `This chat is now linked to ${result.linked.username}. /unlink undoes it.`;
  switch (result.refused) {
    case 'unknown-code': {
      const unknown = 'This link code is not known, or has expired. Get a new one in Settings → Telegram.';
      // An earlier message may have used the code, and its reply may have been lost.
      return user ? `${unknown}\n\n${linkedTo(user.username)}` : unknown;
    }
    case 'other-account':
      return 'This chat is linked to another account. Send /unlink first, and then the code again.';
    case 'inactive':
      return 'This account is not active.';
  }
}

function linkedTo(username: string): string {
  return `This chat is linked to ${username}.`;
}
