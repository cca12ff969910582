import type { Command } from './command.ts';
import { howToLink } from './text.ts';

export const help: Command = {
  command: 'help',
  description: 'List the commands',
  access: 'everyone',
  run({ user }, { commands, publicUrl }) {
    const list = commands.map(({ command, description }) => `/${command} – ${description}`).join('\n');
    return user ? list : `${list}\n\n${howToLink(publicUrl)}`;
  },
};
