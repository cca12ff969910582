/** A message as a command. `elsewhere`: it is meant for another bot. Null: no command at all. */
export type CommandLine = { command: string; args: string } | 'elsewhere' | null;

const COMMAND = /^\/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+([\s\S]*))?$/;

/** Reads '/token@Bot SYM'. `botUsername` without the @. */
export function commandLine(text: string, botUsername: string): CommandLine {
  const [, command, bot, args = ''] = COMMAND.exec(text.trim()) ?? [];
  if (command === undefined) return null;
  if (bot !== undefined && bot.toLowerCase() !== botUsername.toLowerCase()) return 'elsewhere';
  return { command: command.toLowerCase(), args: args.trim() };
}
