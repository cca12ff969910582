import { FROM_TELEGRAM } from '../links/service.ts';
import type { Command } from './command.ts';

export const unlink: Command = {
  command: 'unlink',
  description: 'Unlink this chat from your account',
  access: 'linked',
  async run({ user }, { links }) {
    await links.unlink(user._id.toHexString(), { user, address: FROM_TELEGRAM });
    return `This chat is no longer linked to ${user.username}. You get no more alerts here.`;
  },
};
